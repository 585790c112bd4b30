"""The idle limit, the same for a lane connection and for plain ASGI."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from weakref import WeakKeyDictionary

LOOKS = 4
"""Per limit."""


class IdleWatch:
    """Calls `on_idle` once when `touched` was not set for `limit` seconds.

    Setting an attribute is all that a message costs. All watches with the same limit share a timer,
    which looks at them four times per limit; so one fires between 1 and 1.25 limits after the last
    message.
    """

    __slots__ = ("_on_idle", "_quiet", "_watches", "touched")

    def __init__(self, limit: float, on_idle: Callable[[], None]) -> None:
        self.touched = True  # the step that is under way doesn't count
        self._quiet = 0
        self._on_idle = on_idle
        self._watches = _watches_of(asyncio.get_running_loop(), limit)
        self._watches.add(self)

    def stop(self) -> None:
        self._watches.discard(self)

    def look(self) -> None:
        # The step in which the last message came does not count: it may have come at its end.
        self._quiet = 0 if self.touched else self._quiet + 1
        self.touched = False
        if self._quiet == LOOKS:
            self.stop()
            self._on_idle()


_all: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[float, set[IdleWatch]]] = (
    WeakKeyDictionary()
)


def _watches_of(loop: asyncio.AbstractEventLoop, limit: float) -> set[IdleWatch]:
    watches = _all.setdefault(loop, {})
    if limit not in watches:
        watches[limit] = set()
        _look_later(loop, limit)
    return watches[limit]


def _look_later(loop: asyncio.AbstractEventLoop, limit: float) -> None:
    # In a context of its own: a copy of the present one would keep what a request left there.
    loop.call_later(limit / LOOKS, _look, loop, limit, context=contextvars.Context())


def _look(loop: asyncio.AbstractEventLoop, limit: float) -> None:
    watches = _all[loop][limit]
    if not watches:
        del _all[loop][limit]
        return
    _look_later(loop, limit)
    for watch in list(watches):
        watch.look()
