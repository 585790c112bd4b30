"""Who hears what of a match in this process: events become numbered batches, encoded once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from games.engine.game import ALL, Viewer
from games.live.course import Said

HISTORY: Final = 256
"""Events kept for those who reconnect; who missed more gets a fresh view."""


class Batch(msgspec.Struct, eq=False, gc=False):
    """Events of one viewer that belong together; the first has number `first`."""

    first: int
    said: list[Said]
    _wire: bytes | None = None

    @property
    def messages(self) -> list[tuple[int, Said]]:
        """Each event with its number."""
        return list(enumerate(self.said, self.first))

    @property
    def wire(self) -> bytes:
        """JSON messages, with commas between; encoded once for all who listen."""
        wire = self._wire
        if wire is None:
            n, parts = self.first, []
            for said in self.said:
                parts.append(b'{"type":"event","n":%d,"t":%d,"event":%b}' % (n, said.t, said.json))
                n += 1
            wire = self._wire = parts[0] if len(parts) == 1 else b",".join(parts)
        return wire


Listener = Callable[[Batch], None]


class Audience:
    __slots__ = ("_all", "_history", "_listeners")

    def __init__(self) -> None:
        self._history: deque[Said] = deque(maxlen=HISTORY)
        self._listeners: dict[Viewer, tuple[Listener, ...]] = {}
        self._all: tuple[tuple[Viewer, tuple[Listener, ...]], ...] = ()
        """The same, as it is gone through: who hears may come and go meanwhile."""

    def add(self, viewer: Viewer, listener: Listener) -> None:
        self._listeners[viewer] = (*self._listeners.get(viewer, ()), listener)
        self._all = tuple(self._listeners.items())

    def remove(self, viewer: Viewer, listener: Listener) -> None:
        left = tuple(one for one in self._listeners.get(viewer, ()) if one != listener)
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

    def deliver(self, said: list[Said], counts: Sequence[int]) -> None:
        """Tell everybody their part. `counts`: events so far per seat, and last the spectators."""
        self._history.extend(said)
        batch: Batch | None = None
        to_all = True
        for one in said:
            if one.to is not ALL:
                to_all = False
                break
        for viewer, listeners in self._all:
            mine = said
            if not to_all and any(viewer not in one.to for one in said):
                mine = [one for one in said if viewer in one.to]
                if not mine:
                    continue
            first = counts[-1 if viewer is None else viewer] - len(mine) + 1
            # Viewers who hear the same under the same numbers share one batch, and its bytes.
            if batch is None or batch.said is not mine or batch.first != first:
                batch = Batch(first, mine)
            for listener in listeners:
                listener(batch)

    def since(self, viewer: Viewer, last: int, count: int) -> Batch | None:
        """The events after number `last` of `count`, or None when they are not known any more."""
        missing = count - last
        if missing < 0:
            return None
        found: list[Said] = []
        if missing:
            for said in reversed(self._history):
                if viewer in said.to:
                    found.append(said)
                    if len(found) == missing:
                        break
        if len(found) < missing:
            return None
        found.reverse()
        return Batch(last + 1, found)
