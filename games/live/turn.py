"""What is done at the end of a turn of the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Turn:
    """Collects calls of one turn: one entry in the event loop's queue for all of them, where one
    for each would cost more than the calls themselves."""

    __slots__ = ("_calls", "_loop")

    def __init__(self) -> None:
        self._calls: list[Callable[[], None]] = []
        self._loop = asyncio.get_running_loop()

    def at_end(self, call: Callable[[], None]) -> None:
        if not self._calls:
            self._loop.call_soon(self._end)
        self._calls.append(call)

    def _end(self) -> None:
        calls, self._calls = self._calls, []
        for call in calls:
            try:
                call()
            except Exception:
                logger.exception("a call at the end of a turn failed")
