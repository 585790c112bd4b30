"""A match's timer: sleeps until the next one is due, then asks for a tick."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Final

RETRY: Final = 1.0
"""Seconds after which a tick that led to nothing is asked for again."""
NO_CONTEXT: Final = contextvars.Context()
"""A copy of the present one would keep what the request left there that loaded the match."""


class Timer:
    """`arm` it after every change of the match. A timer that moved away is noticed when it rings,
    so that most moves cost one comparison."""

    __slots__ = ("_closed", "_handle", "_loop", "_now", "_tick", "_wake_at", "due")

    def __init__(self, now: Callable[[], int], tick: Callable[[], None]) -> None:
        """`now`: Redis' clock in milliseconds. `tick` is called when `due` has come."""
        self.due: int | None = None
        """The time of the match's next timer, by Redis' clock."""
        self._now = now
        self._tick = tick
        self._loop = asyncio.get_running_loop()
        self._handle: asyncio.TimerHandle | None = None
        self._wake_at = 0
        self._closed = False

    def arm(self, due: int | None) -> None:
        if due == self.due and self._handle is not None:
            return
        self.due = due
        if due is not None and (self._handle is None or due < self._wake_at):
            self._sleep_until(due)

    def rearm(self) -> None:
        """The clock was set, or stood still: work out anew how long to sleep."""
        self._cancel()
        self.arm(self.due)

    def close(self) -> None:
        self._closed = True
        self._cancel()

    def _cancel(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _sleep_until(self, due: int) -> None:
        self._cancel()
        if not self._closed:
            self._wake_at = due
            seconds = max(0, due - self._now()) / 1000
            self._handle = self._loop.call_later(seconds, self._ring, context=NO_CONTEXT)

    def _ring(self) -> None:
        self._handle = None
        due = self.due
        if due is None:
            return
        if self._now() < due:
            self._sleep_until(due)
            return
        self._handle = self._loop.call_later(RETRY, self._ring, context=NO_CONTEXT)
        self._wake_at = due
        self._tick()
