"""Boards on demand, for everybody who asks this process: fair, bounded, and never for long.

Requests are served visitor after visitor, not in the order in which they came, so somebody who asks
for ten boards delays nobody else by more than one. A board that isn't found quickly goes on to a
second dealer, which searches for those alone: quick boards never wait behind slow ones.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Final
from weakref import WeakKeyDictionary

from lobby.dealing.dealer import Dealer, NoBoard, Spec, TookTooLong

QUICK, SLOW = 0.5, 5.0
"""Seconds of CPU time after which a search counts as slow, and is given up. A usual board takes
3 ms, one of 100 by 100 with 2,800 mines half a second."""
PATIENCE: Final = 8.0
"""Seconds after which a request is refused if its turn has not come."""
MOST_WAITING: Final = 3
"""Boards that one visitor may wait for at once."""
IDLE_SECONDS: Final = 60.0
"""A dealer that nobody needed for this long is ended."""
DENSE, LARGE = 0.3, 480
"""No search for a share of mines above this on a board of more cells: it would find nothing."""


class Busy(NoBoard):
    """Too many boards are being made; asking again later may help."""

    def __init__(self, text: str) -> None:
        super().__init__("busy", text)


class Request:
    def __init__(self, spec: Spec, seed: bytes, deadline: float) -> None:
        self.spec, self.seed, self.deadline = spec, seed, deadline
        self.made: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()


class DealerQueue:
    """A line of visitors in front of one dealer."""

    def __init__(self, seconds: float, slow: DealerQueue | None = None) -> None:
        """Searches that take more CPU time go on at `slow`."""
        self._seconds, self._slow = seconds, slow
        self._dealer = Dealer()
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
            await self._dealer.stop()

    async def _next(self) -> None:
        visitor, requests = next(iter(self._waiting.items()))
        del self._waiting[visitor]
        request = requests.popleft()
        if requests:
            self._waiting[visitor] = requests  # behind everybody else
        if request.made.done():  # nobody waits for it any more
            return
        if asyncio.get_running_loop().time() > request.deadline:
            request.made.set_exception(Busy("its turn didn't come in time"))
            return
        try:
            made = await self._dealer.make(request.spec, self._seconds, request.seed)
        except TookTooLong as error:
            if self._slow is not None:
                self._slow.add(visitor, request)
            elif not request.made.done():
                request.made.set_exception(error)
        except (NoBoard, OSError) as error:
            if not request.made.done():
                request.made.set_exception(error)
        else:
            if not request.made.done():
                request.made.set_result(made)


class Desk:
    def __init__(self) -> None:
        self._slow = DealerQueue(SLOW)
        self._quick = DealerQueue(QUICK, self._slow)

    async def make(
        self, spec: Spec, visitor: str, seed: bytes = b"", patience: float = PATIENCE
    ) -> bytes:
        """A new board; raises NoBoard."""
        cells = spec.width * spec.height
        if cells > LARGE and spec.mines > DENSE * cells:
            raise TookTooLong
        if visitor and self._quick.number(visitor) + self._slow.number(visitor) >= MOST_WAITING:
            raise Busy("this visitor waits for several boards already")
        request = Request(spec, seed, asyncio.get_running_loop().time() + patience)
        self._quick.add(visitor, request)
        return await request.made

    async def close(self) -> None:
        await asyncio.gather(self._quick.close(), self._slow.close())


_desks: WeakKeyDictionary[asyncio.AbstractEventLoop, Desk] = WeakKeyDictionary()


def desk() -> Desk:
    """The desk of the running event loop; made at the first call, ended by `close()`."""
    return _desks.setdefault(asyncio.get_running_loop(), Desk())


async def close() -> None:
    with contextlib.suppress(KeyError):
        await _desks.pop(asyncio.get_running_loop()).close()
