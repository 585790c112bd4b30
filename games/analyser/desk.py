"""Answers on demand, for everybody who asks this process: fair, bounded, and never for long.

Visitors take turns, so somebody who asks for ten answers delays nobody else by more than one. A
position that takes long goes on to a second process, for slow ones alone: quick ones never wait
behind it. The processes have the lowest priority, so no match waits for them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Final
from weakref import WeakKeyDictionary

import msgspec

from games.analyser.answer import Asked
from games.compute import ComputeError, ComputeProcess

QUICK, SLOW = 1.0, 8.0
"""Seconds after which a position counts as slow, and is given up. A usual one takes 20 ms."""
STARTING: Final = 10.0
"""More seconds for the first position of a process, which has to start."""
PATIENCE: Final = 10.0
"""Seconds after which a request is refused if its turn has not come."""
MOST_WAITING: Final = 5
"""Positions that one visitor may wait for at once."""
MOST_VISITORS: Final = 100
IDLE_SECONDS: Final = 60.0
"""Processes that nobody needed for this long are ended."""
FUNCTION: Final = "games.analyser.answer:compute"

TEXTS: Final = {
    "analyser_busy": "Many positions are being analysed. Try again in a few seconds.",
    "analyser_too_slow": "This position takes too long to work out. Fill in more numbers, or take "
    "a smaller board.",
    "analyser_failed": "This position can’t be analysed.",
}


class NoAnswer(Exception):
    """`code` is one of TEXTS."""

    def __init__(self, code: str) -> None:
        super().__init__(TEXTS[code])
        self.code = code


class Request:
    def __init__(self, asked: Asked, deadline: float) -> None:
        self.given = msgspec.msgpack.encode(asked)
        self.deadline = deadline
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def refuse(self, code: str) -> None:
        if not self.answer.done():
            self.answer.set_exception(NoAnswer(code))


class Line:
    """Visitors in front of one process."""

    def __init__(self, seconds: float, slow: Line | None = None) -> None:
        """Positions that take longer go on at `slow`."""
        self._seconds, self._slow = seconds, slow
        self.process = ComputeProcess()
        self._waiting: dict[str, deque[Request]] = {}
        self._task: asyncio.Task[None] | None = None
        self._arrived = asyncio.Event()

    def add(self, visitor: str, request: Request) -> None:
        self._waiting.setdefault(visitor, deque()).append(request)
        self._arrived.set()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._serve())

    def number(self, visitor: str) -> int:
        return len(self._waiting.get(visitor, ()))

    @property
    def visitors(self) -> int:
        return len(self._waiting)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _serve(self) -> None:
        try:
            while True:
                while self._waiting:
                    await self._next()
                self._arrived.clear()
                async with asyncio.timeout(IDLE_SECONDS):
                    await self._arrived.wait()
        except TimeoutError:
            pass
        finally:
            self._task = None
            await self.process.close()

    async def _next(self) -> None:
        visitor, requests = next(iter(self._waiting.items()))
        del self._waiting[visitor]
        request = requests.popleft()
        if requests:
            self._waiting[visitor] = requests  # behind everybody else
        if request.answer.done():  # nobody waits for it any more
            return
        if asyncio.get_running_loop().time() > request.deadline:
            request.refuse("analyser_busy")
            return
        try:
            starting = 0.0 if self.process.pid else STARTING
            found = await self.process.call(FUNCTION, request.given, self._seconds + starting)
        except ComputeError as error:
            self._failed(visitor, request, error)
        except asyncio.CancelledError:
            request.refuse("analyser_busy")
            raise
        else:
            if not request.answer.done():
                request.answer.set_result(found)

    def _failed(self, visitor: str, request: Request, error: ComputeError) -> None:
        if error.code != "too_slow":
            slow = error.code in ("died", "too_large")
            request.refuse("analyser_too_slow" if slow else "analyser_failed")
        elif self._slow is None:
            request.refuse("analyser_too_slow")
        else:
            self._slow.add(visitor, request)


class Desk:
    def __init__(self) -> None:
        self.slow = Line(SLOW)
        self.quick = Line(QUICK, self.slow)

    async def ask(self, asked: Asked, visitor: str, patience: float = PATIENCE) -> bytes:
        """The answer as JSON; raises NoAnswer."""
        own = self.quick.number(visitor) + self.slow.number(visitor)
        if own >= MOST_WAITING or self.quick.visitors + self.slow.visitors >= MOST_VISITORS:
            raise NoAnswer("analyser_busy")
        request = Request(asked, asyncio.get_running_loop().time() + patience)
        self.quick.add(visitor, request)
        return await request.answer

    async def close(self) -> None:
        await asyncio.gather(self.quick.close(), self.slow.close())


_desks: WeakKeyDictionary[asyncio.AbstractEventLoop, Desk] = WeakKeyDictionary()


def desk() -> Desk:
    """The desk of the running event loop; made at the first call, ended by `close()`."""
    return _desks.setdefault(asyncio.get_running_loop(), Desk())


async def close() -> None:
    with contextlib.suppress(KeyError):
        await _desks.pop(asyncio.get_running_loop()).close()
