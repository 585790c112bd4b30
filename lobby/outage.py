"""One line in the log while Redis is away, however many notice it."""

from __future__ import annotations

import logging
import time
from typing import Final

from redis.exceptions import RedisError

QUIET_SECONDS: Final = 30.0
"""Failures that follow each other faster than this are one outage."""


def is_outage(error: BaseException) -> bool:
    """True when the only cause is that Redis doesn't answer."""
    if isinstance(error, BaseExceptionGroup):
        return all(is_outage(one) for one in error.exceptions)
    return isinstance(error, RedisError | OSError)


class Outage:
    def __init__(self, logger: logging.Logger, what: str) -> None:
        self._logger, self._what = logger, what
        self._noticed = -QUIET_SECONDS

    def notice(self, error: BaseException) -> None:
        now = time.monotonic()
        if now - self._noticed >= QUIET_SECONDS:
            self._logger.warning("%s until Redis answers again: %s", self._what, error)
        self._noticed = now
