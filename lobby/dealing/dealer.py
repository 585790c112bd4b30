"""A process that makes boards without guessing: `python -m lobby.dealing.dealer`.

A line of standard input, `<width>x<height>x<mines> <seconds> [seed]`, asks for a board, and a line
of standard output answers with its deal. The search ends after so many seconds of CPU time. With a
seed (hex) the board depends on it alone. It is a process of its own, so that a slow board blocks
nobody; it stays, because starting Python costs more than twenty boards. It ends with its input.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import sys
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

from games.bots.noguess import NoGuessError, OutOfBudget, generate
from games.engine.rng import SEED_BYTES, derive

ROOT: Final = Path(__file__).resolve().parents[2]
FAILED: Final = "!"
TOO_LONG: Final = "too_long"
LATE: Final = 10.0
"""A process that hasn't answered so many seconds after the end of its search is replaced."""


class Spec(NamedTuple):
    """Size and number of mines of a board."""

    width: int
    height: int
    mines: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}x{self.mines}"

    @classmethod
    def read(cls, text: str) -> Spec:
        width, height, mines = map(int, text.split("x"))
        return cls(width, height, mines)


class NoBoard(Exception):
    """There is none to hand out; `code` as in games.bots.noguess."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class TookTooLong(NoBoard):
    """None was found in the time that was given."""

    def __init__(self) -> None:
        super().__init__(OutOfBudget.code, "none was found in time")


def deal(spec: Spec, seed: bytes) -> bytes:
    """The board of this seed; raises NoGuessError."""
    start = derive(seed, "start").below(spec.width * spec.height)
    return generate(*spec, start, derive(seed, "mines")).deal()


class Dealer:
    """The process, from the outside. It is started by the first board. Makes one at a time."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def make(self, spec: Spec, seconds: float, seed: bytes = b"") -> bytes:
        """Raises NoBoard when there is none, TookTooLong after so many seconds of CPU time, so that
        a busy machine refuses nobody."""
        process = self._process = self._process or await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(f"{spec} {seconds} {seed.hex()}\n".encode())
            async with asyncio.timeout(seconds + LATE):
                line = (await process.stdout.readline()).strip()
        except TimeoutError:
            await self.stop()
            raise TookTooLong from None
        except BaseException:
            await self.stop()  # its next answer would be this one's
            raise
        if not line:
            await self.stop()
            raise NoBoard(OutOfBudget.code, "the search ended early")
        if line.startswith(FAILED.encode()):
            code, _, text = line[1:].decode().partition(" ")
            raise TookTooLong if code == TOO_LONG else NoBoard(code, text)
        return line

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "lobby.dealing.dealer"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
            limit=2**20,
        )

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def main() -> None:
    """Answer line by line; nice to everybody else on the machine."""
    os.nice(5)
    asked: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    signal.signal(signal.SIGPROF, _stop_search)
    while True:
        spec, seconds, *seed = asked.get().split()
        own = bytes.fromhex("".join(seed)) or secrets.token_bytes(SEED_BYTES)
        try:
            answer = _search(Spec.read(spec), own, float(seconds))
        except NoGuessError as error:
            answer = f"{FAILED}{error.code} {error}"
        except TookTooLong:
            answer = f"{FAILED}{TOO_LONG}"
        print(answer, flush=True)


def _search(spec: Spec, seed: bytes, seconds: float) -> str:
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return deal(spec, seed).decode()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _stop_search(number: int, frame: object) -> None:
    raise TookTooLong


def _listen(asked: SimpleQueue[str]) -> None:
    """Pass requests on. Without anybody who asks, a search isn't worth finishing."""
    for line in sys.stdin:
        asked.put(line.strip())
    os._exit(0)


if __name__ == "__main__":
    main()
