"""A match's timers: sleep until the next one is due, then ask the log for a tick."""

from __future__ import annotations

import asyncio
from math import inf
from typing import TYPE_CHECKING, Final

from games.live.appends import EARLY, FAILED
from games.live.entry import TICK, Entry

if TYPE_CHECKING:
    from games.live.replica import Replica

RETRY: Final = 1.0
"""Seconds after which a tick that was not answered is asked for again."""


class Alarm:
    __slots__ = ("_closed", "_replica", "_wake", "_wake_at", "due", "due_at")

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self.due: int | None = None
        """When the next timer of the match is due, in Redis' time."""
        self.due_at = inf
        """The same in the loop's time."""
        self._wake: asyncio.TimerHandle | None = None
        self._wake_at = 0.0
        self._closed = False

    def arm(self) -> None:
        """Sleep until the next timer is due; a timer that moved on is looked at when it rings."""
        replica = self._replica
        try:
            due = replica.course.due()
        except Exception:
            replica.failed("a timer")
            return
        if due == self.due and self._wake is not None:
            return
        self.due = due
        if due is None or replica.over is not None:
            self.due_at = inf
            return
        self.due_at = replica.loop.time() + max(0, due - replica.host.pulse.now()) / 1000
        if self._wake is None or self.due_at < self._wake_at:
            self.disarm()
            self._ring_at(self.due_at)

    def rearm(self) -> None:
        self.disarm()
        self.arm()

    def disarm(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None

    def close(self) -> None:
        """The match is not in this process any more, whatever is still under way."""
        self._closed = True
        self.disarm()

    def _ring_at(self, at: float) -> None:
        if not self._closed:
            self._wake_at = at
            self._wake = self._replica.loop.call_at(at, self._ring)

    def _ring(self) -> None:
        self._wake = None
        due, replica = self.due, self._replica
        if due is None or replica.over is not None or replica.gone:
            return
        pulse = replica.host.pulse
        if pulse.suspended:
            return
        if pulse.now() < due:
            self.arm()
            return
        # One at a time: the answer, or the next entry, arms the clock again.
        self._ring_at(replica.loop.time() + RETRY)
        replica.log.tick(replica.course.next - 1, due, self)

    def answered(self, status: int, seq: int, t: int, hosts: int) -> None:
        """The append script's answer to a tick."""
        if status == FAILED:
            return
        self.disarm()
        if status == EARLY and self.due is not None:
            self._ring_at(self._replica.loop.time() + max(1, self.due - t) / 1000)
            return
        self._replica.answered(status, Entry(seq, t, TICK, None, "", b""), hosts)
        if self._wake is None and not self._replica.healing:
            self.arm()
