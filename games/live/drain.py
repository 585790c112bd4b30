"""Drain: a process that is about to stop moves its sockets to other processes.

A few clients at a time are asked to reconnect, and the next ones when those have arrived: each
costs the next process a handshake, and a client that comes while it is busy waits. Clients in
matches come first, match by match, because two processes that host a match do its work twice; the
lobby's pages follow, however many they are. Until it is asked, a client plays on here. A player has
arrived when the log says that another connection took the seat, other clients when their sockets
are closed. Sockets that are still open at the end are closed with 1012, after all commands have
been answered. When the whole site stops, that is every socket, right away.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

AT_ONCE: Final = 16
"""Clients that reconnect at a time."""
JITTER_MS: Final = 200
"""Each client is given a moment of its own within this time."""
ARRIVES_WITHIN: Final = 2.0
"""Stop waiting for a client that has not reconnected by then: perhaps it can't."""
MOST: Final = 12.0
"""Seconds after which all clients that are left are asked at the same time."""
REST_JITTER_MS: Final = 1000
SLACK: Final = 0.7
"""Seconds that the last clients have beyond their moment."""
ANSWERS_WITHIN: Final = 1.0

logger = logging.getLogger(__name__)


class Drainable(Protocol):
    """A socket whose client can be moved."""

    def ask_to_reconnect(self, after_ms: int) -> None: ...

    def stop_listening(self) -> None:
        """Ignore further messages: the client sends them again on its next connection."""

    def send_away(self) -> None:
        """Close with 1012."""


class Drain:
    def __init__(self) -> None:
        self.has_begun = False
        self._sockets: dict[Drainable, str] = {}
        """Each with the match that it is in; empty: none."""
        self._moving: dict[Drainable, float] = {}
        """Clients that were asked, in order, and how long each is waited for."""
        self._changed = asyncio.Event()
        self._site_stops = False

    def add(self, socket: Drainable, match_id: str = "") -> None:
        self._sockets[socket] = match_id
        if self.has_begun:  # its handshake was under way
            socket.ask_to_reconnect(0)

    def remove(self, socket: Drainable, arrived: bool = True) -> None:
        """It is closed. `arrived`: nobody will say when its client is elsewhere."""
        self._sockets.pop(socket, None)
        if arrived:
            self.arrived(socket)
        self._changed.set()

    def arrived(self, socket: Drainable) -> None:
        """Its client is connected to another process."""
        self._moving.pop(socket, None)
        self._changed.set()

    def site_stops(self) -> None:
        """No other process serves players, so don't ask clients to reconnect, and don't wait."""
        self._site_stops = True
        self._changed.set()

    async def run(self, answered: Callable[[], Awaitable[None]]) -> None:
        """Returns when every socket is closed or was told to close. `answered` returns when all
        commands submitted before the call have their results."""
        self.has_begun = True
        if not self._sockets:
            return
        await self._move()
        if not self._sockets:
            return
        logger.info("closing %d sockets that are still open", len(self._sockets))
        for socket in list(self._sockets):
            socket.stop_listening()
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                await answered()
        except TimeoutError:
            logger.warning("Redis doesn't answer; clients will ask elsewhere what was stored")
        for socket in list(self._sockets):
            socket.send_away()

    async def _move(self) -> None:
        if not self._site_stops:
            logger.info("moving %d sockets to other processes", len(self._sockets))
        loop = asyncio.get_running_loop()
        jitter, end = JITTER_MS, loop.time() + MOST
        for socket in sorted(self._sockets, key=self._turn):
            await self._until(lambda: len(self._moving) < AT_ONCE, end)
            if self._site_stops:
                return
            if loop.time() >= end:
                jitter = REST_JITTER_MS
            if socket in self._sockets:
                self._moving[socket] = loop.time() + ARRIVES_WITHIN
                socket.ask_to_reconnect(random.randrange(jitter))
        await self._until(lambda: not self._sockets, loop.time() + jitter / 1000 + SLACK)

    def _turn(self, socket: Drainable) -> tuple[bool, str]:
        """The order in which sockets are asked to reconnect."""
        match_id = self._sockets[socket]
        return not match_id, match_id

    async def _until(self, true: Callable[[], bool], end: float) -> None:
        """Wait for a condition until `end`, giving up clients that don't arrive in time."""
        loop = asyncio.get_running_loop()
        while not self._site_stops and not true() and (now := loop.time()) < end:
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
