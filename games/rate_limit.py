"""Rate limits: a number per second, with bursts."""

from __future__ import annotations

from typing import Final

ROUNDING: Final = 0.01
"""A fraction of a token: rounding errors must not refuse the last one of a burst."""


class Bucket:
    """A token bucket that keeps one number: the time at which it will be full again. It holds
    `burst` tokens, and one more comes every 1/`rate` seconds."""

    __slots__ = ("_full_at", "_slack", "_step")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._step = 1 / rate
        self._slack = (burst - 1 + ROUNDING) / rate
        self._full_at = now

    def seconds_to_full(self, now: float) -> float:
        """Seconds until all tokens are back; not above 0 if they are: then a new bucket
        would do the same."""
        return self._full_at - now

    def take(self, now: float) -> bool:
        """Take a token; False when there is none."""
        full_at = self._full_at
        if full_at > now:
            if full_at - now > self._slack:
                return False
            self._full_at = full_at + self._step
        else:
            self._full_at = now + self._step
        return True
