"""So much per second, with bursts."""

from __future__ import annotations

from typing import Final

ROUNDING: Final = 0.01
"""Of a token: steps are added to a large number, and must not add up to more than a burst."""


class Bucket:
    """A token bucket that keeps one number: the time at which it will be full again. It holds
    `burst` tokens, and one more comes every 1/`rate` seconds."""

    __slots__ = ("_full_at", "_slack", "_step")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._step = 1 / rate
        self._slack = (burst - 1 + ROUNDING) / rate
        self._full_at = now

    def take(self, now: float) -> bool:
        """One more: True when it is allowed."""
        full_at = self._full_at
        if full_at > now:
            if full_at - now > self._slack:
                return False
            self._full_at = full_at + self._step
        else:
            self._full_at = now + self._step
        return True
