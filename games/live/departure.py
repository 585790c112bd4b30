"""How a process that is about to stop sends its sockets elsewhere.

A few sockets at a time are told to connect again, and the next ones when those have arrived: each
costs the next process a handshake, and who comes while it is busy with others waits. So the pace is
what the site can do at the moment, and nobody waits before its turn: until then it plays on here.
A player has arrived when the log says that the seat is taken elsewhere, others when they have left.
Who is still here at the end is closed with 1012, after all that was submitted has been answered.
When the whole site ends, that is everybody, at once.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

AT_ONCE: Final = 16
"""Sockets that are under way at a time."""
JITTER_MS: Final = 200
"""Each is told a moment of its own within this long."""
ARRIVES_WITHIN: Final = 2.0
"""Who has not arrived by then is not waited for: perhaps there is nowhere to go."""
MOST: Final = 12.0
"""Seconds after which all who are left are told at once."""
REST_JITTER_MS: Final = 1000
SLACK: Final = 0.7
"""Seconds that the last ones have beyond their moment."""
ANSWERS_WITHIN: Final = 1.0

logger = logging.getLogger(__name__)


class Visitor(Protocol):
    """A socket that can be sent elsewhere."""

    def ask_to_reconnect(self, after_ms: int) -> None: ...

    def hear_no_more(self) -> None:
        """What comes in from now on is left to the next connection, unanswered."""

    def send_away(self) -> None:
        """Close with 1012."""


class Departure:
    def __init__(self) -> None:
        self.begun = False
        self._visitors: set[Visitor] = set()
        self._moving: dict[Visitor, float] = {}
        """Those under way, the first one first, and how long each is waited for."""
        self._changed = asyncio.Event()
        self._nowhere = False

    def enter(self, visitor: Visitor) -> None:
        self._visitors.add(visitor)
        if self.begun:  # its handshake was under way
            visitor.ask_to_reconnect(0)

    def left(self, visitor: Visitor, arrived: bool = True) -> None:
        """Its socket is closed. `arrived`: nobody will tell when it is elsewhere."""
        self._visitors.discard(visitor)
        if arrived:
            self.arrived(visitor)
        self._changed.set()

    def arrived(self, visitor: Visitor) -> None:
        """It is elsewhere now."""
        self._moving.pop(visitor, None)
        self._changed.set()

    def nowhere_to_go(self) -> None:
        """The whole site ends: nobody is sent elsewhere, and nobody waited for."""
        self._nowhere = True
        self._changed.set()

    async def depart(self, answered: Callable[[], Awaitable[None]]) -> None:
        """Returns when every socket has left or was sent away. `answered` returns when all
        commands that were submitted before it was called have their answers."""
        self.begun = True
        if not self._visitors:
            return
        await self._send_elsewhere()
        if not self._visitors:
            return
        logger.info("closing %d sockets that are still here", len(self._visitors))
        for visitor in list(self._visitors):
            visitor.hear_no_more()
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                await answered()
        except TimeoutError:
            logger.warning("Redis does not answer; clients will ask elsewhere what was stored")
        for visitor in list(self._visitors):
            visitor.send_away()

    async def _send_elsewhere(self) -> None:
        if not self._nowhere:
            logger.info("sending %d sockets elsewhere", len(self._visitors))
        loop = asyncio.get_running_loop()
        jitter, end = JITTER_MS, loop.time() + MOST
        for visitor in list(self._visitors):
            await self._until(lambda: len(self._moving) < AT_ONCE, end)
            if self._nowhere:
                return
            if loop.time() >= end:
                jitter = REST_JITTER_MS
            if visitor in self._visitors:
                self._moving[visitor] = loop.time() + ARRIVES_WITHIN
                visitor.ask_to_reconnect(random.randrange(jitter))
        await self._until(lambda: not self._visitors, loop.time() + jitter / 1000 + SLACK)

    async def _until(self, true: Callable[[], bool], end: float) -> None:
        """Wait for a condition until `end`, and forget those who do not arrive in time. There is
        nothing to wait for when the whole site ends."""
        loop = asyncio.get_running_loop()
        while not self._nowhere and not true() and (now := loop.time()) < end:
            late = next(iter(self._moving.items()), None)
            if late is not None and late[1] <= now:
                del self._moving[late[0]]
                continue
            self._changed.clear()
            try:
                async with asyncio.timeout_at(end if late is None else min(end, late[1])):
                    await self._changed.wait()
            except TimeoutError:
                continue
