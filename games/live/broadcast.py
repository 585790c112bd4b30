"""Sends the events of a match to its viewers in this process: numbered, encoded once for all who
receive the same, and all that one turn of the event loop brings in one frame per socket."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol

import msgspec

from games.engine.game import ALL, Viewer
from games.live.match_state import MatchEvent

HISTORY: Final = 256
"""Events kept for clients that reconnect; a client that missed more gets a fresh view."""
logger = logging.getLogger(__name__)


class Batch(msgspec.Struct, eq=False, gc=False):
    """Events of one viewer that belong together; the first has number `first`."""

    first: int
    events: list[MatchEvent]
    _wire: bytes | None = None

    @property
    def numbered(self) -> list[tuple[int, MatchEvent]]:
        return list(enumerate(self.events, self.first))

    @property
    def wire(self) -> bytes:
        """JSON messages, with commas between; encoded once for all listeners."""
        wire = self._wire
        if wire is None:
            n, parts = self.first, []
            for event in self.events:
                parts.append(
                    b'{"type":"event","n":%d,"t":%d,"event":%b}' % (n, event.t, event.json)
                )
                n += 1
            wire = self._wire = parts[0] if len(parts) == 1 else b",".join(parts)
        return wire


class Listener(Protocol):
    def receive(self, batch: Batch) -> None:
        """Events for this viewer."""


class Counts(Protocol):
    def count(self, viewer: Viewer) -> int:
        """The number of events that this viewer has received, the last ones too."""


class Broadcast:
    __slots__ = ("_all", "_history", "_listeners")

    def __init__(self) -> None:
        self._history: list[MatchEvent] = []
        self._listeners: dict[Viewer, tuple[Listener, ...]] = {}
        self._all: tuple[tuple[Viewer, tuple[Listener, ...]], ...] = ()
        """The same, to iterate over: listeners may come and go meanwhile."""

    def add(self, viewer: Viewer, listener: Listener) -> None:
        self._listeners[viewer] = (*self._listeners.get(viewer, ()), listener)
        self._all = tuple(self._listeners.items())

    def remove(self, viewer: Viewer, listener: Listener) -> None:
        left = tuple(one for one in self._listeners.get(viewer, ()) if one is not listener)
        if left:
            self._listeners[viewer] = left
        else:
            self._listeners.pop(viewer, None)
        self._all = tuple(self._listeners.items())

    def number(self, viewer: Viewer) -> int:
        return len(self._listeners.get(viewer, ()))

    def clear(self) -> None:
        self._listeners.clear()
        self._all = ()

    def send(self, events: list[MatchEvent], state: Counts) -> None:
        """Give every viewer its part of the last events of this state."""
        self._history += events
        del self._history[:-HISTORY]
        batch: Batch | None = None
        to_all = True
        for event in events:
            if event.to is not ALL:
                to_all = False
                break
        for viewer, listeners in self._all:
            mine = events
            if not to_all and any(viewer not in event.to for event in events):
                mine = [event for event in events if viewer in event.to]
                if not mine:
                    continue
            first = state.count(viewer) - len(mine) + 1
            # Viewers who receive the same under the same numbers share one batch, and its bytes.
            if batch is None or batch.events is not mine or batch.first != first:
                batch = Batch(first, mine)
            for listener in listeners:
                listener.receive(batch)

    def since(self, viewer: Viewer, last: int, count: int) -> Batch | None:
        """The events after number `last` of `count`, or None when they are not kept any more."""
        missing = count - last
        if missing < 0:
            return None
        found: list[MatchEvent] = []
        if missing:
            for event in reversed(self._history):
                if viewer in event.to:
                    found.append(event)
                    if len(found) == missing:
                        break
        if len(found) < missing:
            return None
        found.reverse()
        return Batch(last + 1, found)


class Flushable(Protocol):
    def flush(self) -> None: ...


class Outbox:
    """The sockets that have something to send. Most of it is due to replies of Redis and leaves as
    soon as all replies that came together have been handled; the rest at the end of the turn."""

    __slots__ = ("_loop", "_sockets")

    def __init__(self) -> None:
        self._sockets: list[Flushable] = []
        self._loop = asyncio.get_running_loop()

    def add(self, socket: Flushable) -> None:
        if not self._sockets:
            self._loop.call_soon(self.flush)
        self._sockets.append(socket)

    def flush(self) -> None:
        sockets, self._sockets = self._sockets, []
        for socket in sockets:
            try:
                socket.flush()
            except Exception:
                logger.exception("a socket could not be written to")
