"""Series of games: starts the AI as often as needed, ends it with all its children, counts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.engine.rng import Rng, derive

from .play import play
from .session import ManagerSession, Result

PARTING_SECONDS = 1.0
REASONS = {
    "exit": "the AI ended",
    "timeout": "the AI did not answer in time",
    "flood": "the AI flooded the manager",
}


class CannotStart(Exception):
    """The AI's command can't be run at all."""


@dataclass(slots=True)
class Tally:
    """The results of the games so far."""

    results: list[Result] = field(default_factory=list)
    thinking: float = 0.0
    picks: int = 0

    def add_thought(self, seconds: float) -> None:
        self.thinking += seconds
        self.picks += 1

    @property
    def won(self) -> int:
        return sum(result.won for result in self.results)

    @property
    def mean_discovery(self) -> float:
        results = self.results
        return sum(result.discovery for result in results) / len(results) if results else 0.0

    @property
    def seconds_per_pick(self) -> float:
        return self.thinking / self.picks if self.picks else 0.0

    def as_json(self) -> dict[str, float]:
        return {
            "games": len(self.results),
            "won": self.won,
            "lost": len(self.results) - self.won,
            "mean_discovery": round(self.mean_discovery, 4),
            "seconds_per_pick": round(self.seconds_per_pick, 6),
        }


@dataclass(frozen=True, slots=True)
class Config:
    seed: bytes
    games: int | None = None
    timeout: float = 10.0
    hidden: str = "#"
    safe_first: bool = False


class Series:
    """All games of one AI under one configuration."""

    def __init__(
        self, config: Config, on_result: Callable[[Result], None] = lambda _: None, label: str = ""
    ) -> None:
        self.config = config
        self.tally = Tally()
        self._on_result = on_result
        self._label = label
        self._grids = 0

    def done(self) -> bool:
        return self.config.games is not None and len(self.tally.results) >= self.config.games

    def _rng(self, _: int) -> Rng:
        # Counted over the series: an AI that is started again does not get its old boards.
        self._grids += 1
        return derive(self.config.seed, f"{self._label}grid:{self._grids}")

    def _record(self, result: Result) -> None:
        self.tally.results.append(result)
        self._on_result(result)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Play with one AI until it ends or the series is complete."""
        before = len(self.tally.results)
        session = ManagerSession(
            self._rng, self._record, self.config.hidden, self.config.safe_first
        )
        why = await play(
            session,
            reader,
            writer,
            timeout=self.config.timeout,
            clock=time.monotonic,
            thought=self.tally.add_thought,
            enough=self.done,
        )
        if why == "enough":
            return
        # An AI that ends between two games has lost none; one that never played owes a game.
        owes = self.config.games is not None and (
            why != "exit" or len(self.tally.results) == before
        )
        if session.playing or owes:
            session.lose(REASONS[why])

    async def run(self, command: Sequence[str]) -> None:
        """Start the command, again and again if it must be, until the series is complete."""
        while True:
            await self._run_once(command)
            if self.config.games is None or self.done():
                return

    async def _run_once(self, command: Sequence[str]) -> None:
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotStart(f"{command[0]} can't be run: {error.strerror}") from error
        assert process.stdin
        assert process.stdout
        try:
            await self.serve(process.stdout, process.stdin)
        finally:
            await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let it go if it goes by itself; then end its whole process group."""
    assert process.stdin is not None
    process.stdin.close()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(_drained(process), PARTING_SECONDS)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(_drained(process), PARTING_SECONDS)


async def _drained(process: asyncio.subprocess.Process) -> None:
    """Wait for its end. Its remaining output must be read: until then it does not count as
    ended."""
    assert process.stdout
    while await process.stdout.read(65536):
        pass
    await process.wait()
    assert process.stdin
    # An AI that ended without reading all its input breaks the pipe: that is no error of ours.
    with contextlib.suppress(OSError):
        await process.stdin.wait_closed()


async def serve_tcp(
    host: str, port: int, config: Config, on_end: Callable[[int, Tally], None]
) -> asyncio.Server:
    """Serve every connection as an AI of its own."""
    count = 0

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        count += 1
        number = count
        series = Series(config, label=f"{number}:")
        try:
            await series.serve(reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            on_end(number, series.tally)

    return await asyncio.start_server(connected, host, port)
