"""Measures the lag of the event loop: whatever holds it up holds up every match here.

A timer is set again and again, and how much later than asked it fires is noted. That is what a move
that arrives at a random moment waits before anybody looks at it, too.
"""

from __future__ import annotations

import asyncio
from typing import Final

from prometheus_client import Histogram

from games.live.counters import COUNTERS

EVERY: Final = 0.05
LAG = Histogram(
    "minesite_loop_lag_seconds",
    "How late the event loop ran a timer",
    ["process"],
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0),
)


async def keep_measuring(stop: asyncio.Event, process: str) -> None:
    """Until `stop`. `process` is web or worker; the dashboard shows the web processes, which have
    the players' sockets."""
    loop = asyncio.get_running_loop()
    lag, shown = LAG.labels(process), process == "web"
    while not stop.is_set():
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        late = max(0.0, loop.time() - due)
        lag.observe(late)
        if shown:
            COUNTERS.late(late)
