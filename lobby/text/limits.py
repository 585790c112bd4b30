"""Limits of a text connection: the length and rate of its messages, and how long it may idle."""

from __future__ import annotations

from typing import Final

from games.rate_limit import Bucket

LINE_BYTES: Final = 1024
FIRST_LINE_SECONDS: Final = 10.0
IDLE_SECONDS: Final = 600.0
ENDLESS_LINE_BYTES: Final = 64 * 1024
"""The gateway closes a connection whose line is longer than this."""
WRITE_BUFFER_BYTES: Final = 64 * 1024
STRIKES: Final = 20
"""Messages over a limit that a client may send before the gateway closes the connection. The
session words an error for each; every message within the limits takes one off the count."""


class RateLimit:
    """Counts one client's messages against the limits."""

    def __init__(self, now: float, rate: float, burst: float) -> None:
        self._bucket = Bucket(rate, burst, now)
        self._strikes = 0

    def too_fast(self, now: float) -> bool:
        """Count a message that arrived now; True when it exceeds the rate."""
        if self._bucket.take(now):
            self._strikes = max(0, self._strikes - 1)
            return False
        self._strikes += 1
        return True

    def too_long(self) -> None:
        self._strikes += 2

    @property
    def exhausted(self) -> bool:
        """The client has exceeded the limits too often: close the connection."""
        return self._strikes > STRIKES
