"""Connects one AI, whatever it runs on, to a session: streams in and out, with limits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from games.lines import OVERLONG, LineSplitter

from .session import ManagerSession

MAX_LINE = 4096
MAX_IDLE = 1000
"""So many commands in a row that are no pick, refused or START, are a flood."""


class Reader(Protocol):
    async def read(self, n: int = -1) -> bytes: ...


class Writer(Protocol):
    def write(self, data: bytes) -> None: ...
    async def drain(self) -> None: ...


async def play(
    session: ManagerSession,
    reader: Reader,
    writer: Writer,
    *,
    timeout: float,
    clock: Callable[[], float],
    thought: Callable[[float], None],
    enough: Callable[[], bool],
) -> str:
    """Serve the AI until it ends, breaks a limit, or `enough()`; returns why it stopped: `exit`,
    `timeout`, `flood` or `enough`. `thought` is told the seconds the AI took for each pick. The
    commands of an AI count, even when it ended before the answers came."""
    lines = LineSplitter(MAX_LINE)
    idle = 0
    hears = True
    try:
        while not enough():
            asked = clock()
            data = await asyncio.wait_for(_more(reader, lines), timeout)
            if not data:
                return "exit"
            for line in data:
                if line is OVERLONG:
                    return "flood"
                picks = session.picks
                answer = session.command(line)
                idle += 1
                if session.picks > picks:
                    thought(clock() - asked)
                    idle = 0
                if idle > MAX_IDLE:
                    return "flood"
                hears = hears and await _tell(writer, answer, timeout)
                asked = clock()
                if enough():
                    break
        return "enough"
    except TimeoutError:
        return "timeout"
    except (BrokenPipeError, ConnectionResetError):
        return "exit"


async def _tell(writer: Writer, answer: list[str], timeout: float) -> bool:
    """False when the AI does not hear any more."""
    try:
        writer.write(("\n".join(answer) + "\n").encode())
        await asyncio.wait_for(writer.drain(), timeout)
    except (BrokenPipeError, ConnectionResetError):
        return False
    return True


async def _more(reader: Reader, lines: LineSplitter) -> list[bytes | None]:
    """At least one more line; none when the AI has ended."""
    while data := await reader.read(65536):
        if found := lines.feed(data):
            return found
    return lines.close()
