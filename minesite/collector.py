"""Python's garbage collector in a process that keeps many objects for long: short pauses, measured.

A full collection looks at every object that may be part of a cycle, and ten thousand open sockets
have half a million of them. Objects that have survived a long collection are there to stay, so they
are frozen: later collections pass them over. Frozen objects still go when nobody refers to them any
more; only cycles that were frozen stay, which are those of the requests under way at that moment.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections import deque
from contextlib import suppress
from typing import Any, Final

from prometheus_client import Histogram

FREEZES_AFTER: Final = 0.003
"""Seconds of CPU that a full collection may take before its survivors are frozen."""
YOUNG: Final = 10_000
"""New objects before a collection. Most of what a move makes is gone within its turn: looked at
less often than by default (700), the young are fewer. A full collection comes after four times as
many, so that even the first one, before anything is frozen, is short."""
PAUSES = Histogram(
    "minesite_gc_pause_seconds",
    "CPU time of each garbage collection, during which its process does nothing else",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5),
)


class Collector:
    def __init__(self) -> None:
        self._began = 0.0
        self._pauses: deque[float] = deque(maxlen=10_000)

    def on_collection(self, phase: str, info: dict[str, Any]) -> None:
        """For gc.callbacks. It only notes: a metric has a lock, and the collection may have begun
        while this very thread holds it."""
        if phase == "start":
            self._began = time.thread_time()
            return
        took = time.thread_time() - self._began
        self._pauses.append(took)
        if info["generation"] == 2 and took > FREEZES_AFTER:
            gc.freeze()

    def export(self) -> None:
        while self._pauses:
            PAUSES.observe(self._pauses.popleft())


COLLECTOR: Final = Collector()


def settle() -> None:
    """Everything is imported: these objects stay for good. From here on pauses are measured."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 1, 1)
    if COLLECTOR.on_collection not in gc.callbacks:
        gc.callbacks.append(COLLECTOR.on_collection)


async def keep_exporting(stop: asyncio.Event) -> None:
    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 1.0)
        COLLECTOR.export()
