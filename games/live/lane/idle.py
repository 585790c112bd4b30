"""The idle limit, the same for a lane connection and for plain ASGI."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

Later = Callable[[float, Callable[[], object]], asyncio.TimerHandle]
"""`loop.call_later`, or something like it."""


class IdleWatch:
    """Calls `on_idle` once when `touched` was not set for `limit` seconds.

    Setting an attribute is all that a message costs; the watch looks four times per limit, so it
    fires between 1 and 1.25 limits after the last message.
    """

    __slots__ = ("_later", "_on_idle", "_quiet", "_step", "_timer", "touched")

    def __init__(self, later: Later, limit: float, on_idle: Callable[[], None]) -> None:
        self.touched = False
        self._quiet = 0
        self._later = later
        self._step = limit / 4
        self._on_idle = on_idle
        self._timer = later(self._step, self._look)

    def stop(self) -> None:
        self._timer.cancel()

    def _look(self) -> None:
        # The step in which the last message came does not count: it may have come at its end.
        self._quiet = 0 if self.touched else self._quiet + 1
        self.touched = False
        if self._quiet == 4:
            self._on_idle()
        else:
            self._timer = self._later(self._step, self._look)
