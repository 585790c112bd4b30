"""What one text connection may ask for: how fast, how long, how often it may overdo it."""

from __future__ import annotations

from typing import Final

from games.live.bucket import Bucket

LINE_BYTES: Final = 1024
FIRST_LINE_SECONDS: Final = 10.0
IDLE_SECONDS: Final = 600.0
ENDLESS_LINE_BYTES: Final = 64 * 1024
"""A line that has not ended by then never will: the connection is closed."""
WRITE_BUFFER_BYTES: Final = 64 * 1024
STRIKES: Final = 20
"""So many lines over a limit, each answered with ERRO, and the connection is closed. Lines that
keep to the limits make up for them one by one."""


class Manners:
    """Counts lines of one client against the limits."""

    def __init__(self, now: float, rate: float, burst: float) -> None:
        self._bucket = Bucket(rate, burst, now)
        self._strikes = 0

    def too_fast(self, now: float) -> bool:
        """One more line at this moment: is it one too many?"""
        if self._bucket.take(now):
            self._strikes = max(0, self._strikes - 1)
            return False
        self._strikes += 1
        return True

    def too_long(self) -> None:
        self._strikes += 2

    @property
    def out_of_patience(self) -> bool:
        return self._strikes > STRIKES
