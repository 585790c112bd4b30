"""Back-off before restarting a process that ended."""

from __future__ import annotations

FIRST = 0.2
# So short that a process that was killed again and again is still back within five seconds.
LONGEST = 3.0
# A process that ran this long was well; its next end counts as a first one.
WELL = 10.0


class Backoff:
    def __init__(self) -> None:
        self._next = FIRST

    def after(self, ran_for: float) -> float:
        """The wait after a run of so many seconds: short at first, doubling up to a limit."""
        if ran_for >= WELL:
            self._next = FIRST
        wait, self._next = self._next, min(self._next * 2, LONGEST)
        return wait
