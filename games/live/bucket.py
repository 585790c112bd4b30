"""A token bucket: so much per second, with bursts."""

from __future__ import annotations


class Bucket:
    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, now

    def take(self, now: float) -> bool:
        """One more: True when it is allowed."""
        left = self._left + (now - self._at) * self._rate
        self._at = now
        if left < 1:
            self._left = left
            return False
        burst = self._burst
        self._left = (left if left < burst else burst) - 1
        return True
