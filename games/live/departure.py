"""How a process that is about to stop sends its sockets elsewhere.

Every socket is told to connect again after a moment of its own, so that they do not all come at
once, and goes on as before until then. Who is still here at the end is closed with 1012, after
all that was submitted has been answered.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

SPREAD_MS, SPREAD_MOST_MS, SPREAD_EACH_MS = 1000, 4000, 20
"""Within this long after the notice every client is asked to connect again: longer when there are
many, for each costs the next process a handshake, and nobody waits before its turn."""
SLACK: Final = 0.7
"""Seconds that the last one has beyond that."""
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
        self._empty = asyncio.Event()

    def enter(self, visitor: Visitor) -> None:
        self._visitors.add(visitor)
        if self.begun:  # its handshake was under way
            visitor.ask_to_reconnect(0)

    def left(self, visitor: Visitor) -> None:
        self._visitors.discard(visitor)
        if not self._visitors:
            self._empty.set()

    async def depart(self, answered: Callable[[], Awaitable[None]]) -> None:
        """Returns when every socket has left or was sent away. `answered` returns when all
        commands that were submitted before it was called have their answers."""
        self.begun = True
        if not self._visitors:
            return
        self._empty.clear()
        logger.info("sending %d sockets elsewhere", len(self._visitors))
        visitors = list(self._visitors)
        spread = min(SPREAD_MOST_MS, max(SPREAD_MS, SPREAD_EACH_MS * len(visitors)))
        for i, visitor in enumerate(visitors):
            visitor.ask_to_reconnect(int(spread * (i + random.random()) / len(visitors)))
        try:
            async with asyncio.timeout(spread / 1000 + SLACK):
                await self._empty.wait()
                return
        except TimeoutError:
            logger.info("%d sockets did not leave by themselves", len(self._visitors))
        for visitor in list(self._visitors):
            visitor.hear_no_more()
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                await answered()
        except TimeoutError:
            logger.warning("Redis does not answer; clients will ask elsewhere what was stored")
        for visitor in list(self._visitors):
            visitor.send_away()
