"""What is done at the end of a turn of the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)

Call = Callable[[], None]


class Turn:
    """Collects calls of one turn: one entry in the event loop's queue for all of them, where one
    for each would cost more than the calls themselves."""

    __slots__ = ("_calls", "_last", "_loop", "_waits")

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._last: list[Call] = []
        self._waits = False
        self._loop = asyncio.get_running_loop()

    def at_end(self, call: Call) -> None:
        self._calls.append(call)
        if not self._waits:
            self._waits = True
            self._loop.call_soon(self._end)

    def at_last(self, call: Call) -> None:
        """After all that is done `at_end`, and what that leads to."""
        self._last.append(call)
        if not self._waits:
            self._waits = True
            self._loop.call_soon(self._end)

    def _end(self) -> None:
        for calls in (self._calls, self._last):
            for call in calls:
                try:
                    call()
                except Exception:
                    logger.exception("a call at the end of a turn failed")
            calls.clear()
        self._waits = False
        # What came too late for its list.
        if self._calls or self._last:
            self._waits = True
            self._loop.call_soon(self._end)
