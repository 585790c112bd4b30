"""Figures of the whole site, over all processes, for the dashboard and `/metrics`.

Every process adds what it counted in the last second to hashes in Redis that expire: one per
second (kept two minutes), per ten seconds (an hour) and per minute (a day). One process a second,
whichever comes first, adds what is counted for the site as a whole: players, matches, queues.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter as Tally
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from prometheus_client import Counter
from redis.exceptions import RedisError

from games.live.counters import BUCKETS, COUNTERS, LAG, TOOK, percentile, upper_ms
from games.live.host import DUE
from games.redis import key, redis
from lobby import presence, queue

SLOTS: Final = {1: 120, 10: 3700, 60: 25 * 3600}
"""Seconds that a hash covers, and seconds that it is kept."""
SPANS: Final = {"hour": (10, 3600), "day": (60, 24 * 3600)}
"""Of the plots: seconds per point, and in all."""
GAUGES: Final = ("online", "matches", "waiting")
COUNTS: Final = ("moves", "refused", "slow", "limited", "resyncs")

MOVES = Counter("minesite_moves", "Commands stored in the logs of matches")
REFUSED = Counter("minesite_moves_refused", "Commands refused before they were stored")
CLOSED = Counter("minesite_sockets_over_capacity", "Sockets closed for it, by close code", ["code"])
RESYNCS = Counter("minesite_resyncs", "Clients that came back and needed a fresh view")
ACK_SECONDS = Counter(
    "minesite_move_ack_seconds_bucket", "Commands acknowledged within so many seconds", ["le"]
)

logger = logging.getLogger(__name__)


def slot(size: int, at: float) -> str:
    return key(f"stats:{size}:{int(at) // size * size}")


# -- writing -------------------------------------------------------------------------------------


async def flush(at: float, counted: Mapping[str, int]) -> None:
    """Add what this process counted, and once per second what the site as a whole has."""
    first = await redis().set(key(f"stats:first:{int(at)}"), 1, nx=True, ex=5)
    gauges = await measured() if first else {}
    if not counted and not gauges:
        return
    async with redis().pipeline(transaction=False) as pipe:
        for size, kept in SLOTS.items():
            name = slot(size, at)
            for field, number in counted.items():
                pipe.hincrby(name, field, number)
            if gauges:
                pipe.hset(name, mapping=gauges)
            pipe.expire(name, kept)
        await pipe.execute()


async def measured() -> dict[str, int]:
    now = int(time.time() * 1000)
    online = await presence.counts(now)
    return {
        "online": sum(online.values()),
        "matches": int(await redis().zcard(key(DUE))),
        "waiting": await queue.length(),
    }


def export(counted: Mapping[str, int]) -> None:
    """The same for Prometheus."""
    MOVES.inc(counted.get("moves", 0))
    REFUSED.inc(counted.get("refused", 0))
    CLOSED.labels("4008").inc(counted.get("slow", 0))
    CLOSED.labels("4009").inc(counted.get("limited", 0))
    RESYNCS.inc(counted.get("resyncs", 0))
    if "moves" not in counted:
        return
    reached = 0
    for index in range(BUCKETS):
        reached += counted.get(f"{TOOK}{index}", 0)
        if index % 4 == 3:
            ACK_SECONDS.labels(f"{upper_ms(index) / 1000:g}").inc(reached)
    ACK_SECONDS.labels("+Inf").inc(reached)


async def keep_counting(stop: asyncio.Event) -> None:
    """Store new counts once a second until `stop`. If that fails, they wait for the next time."""
    late: Tally[str] = Tally()
    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 1.0)
        counted = COUNTERS.take()
        export(counted)
        late.update(counted)
        try:
            await flush(time.time(), late)
            late.clear()
        except (RedisError, OSError):
            logger.debug("figures wait for Redis")


# -- reading -------------------------------------------------------------------------------------


async def slots(size: int, first: int, number: int) -> list[dict[str, int]]:
    """The hashes from `first` on; empty ones where nothing happened."""
    async with redis().pipeline(transaction=False) as pipe:
        for index in range(number):
            pipe.hgetall(slot(size, first + index * size))
        raw: list[dict[bytes, bytes]] = await pipe.execute()
    return [{name.decode(): int(value) for name, value in one.items()} for one in raw]


async def recent(now: float) -> dict[str, Any]:
    """Rates of the last five whole seconds, percentiles and counters of the last minute."""
    minute = await slots(1, int(now) - 60, 60)
    total: Tally[str] = Tally()
    for one in minute:
        total.update({name: n for name, n in one.items() if name not in GAUGES})
    return {
        "moves_per_second": sum(one.get("moves", 0) for one in minute[-5:]) / 5,
        "p50_ms": percentile(total, 0.5),
        "p99_ms": percentile(total, 0.99),
        "lag_p99_ms": percentile(total, 0.99, LAG),
        "lag_most_ms": percentile(total, 1.0, LAG),
        "last_minute": {name: total[name] for name in COUNTS},
    }


async def series(span: str, now: float) -> dict[str, Any]:
    """Points of a plot, oldest first; None where nothing is known."""
    size, seconds = SPANS[span]
    number = seconds // size
    first = int(now) // size * size - number * size  # up to the last slot that is complete
    found = await slots(size, first, number)
    lines: dict[str, list[float | None]] = {
        name: [one.get(name) for one in found] for name in GAUGES
    }
    # A slot in which anybody told anything is a slot in which no move means none.
    lines["moves"] = [one.get("moves", 0) / size if one else None for one in found]
    lines["p50"] = [percentile(one, 0.5) for one in found]
    lines["p99"] = [percentile(one, 0.99) for one in found]
    lines["lag"] = [percentile(one, 0.99, LAG) for one in found]
    for name in ("slow", "limited", "resyncs"):
        lines[name] = [one.get(name, 0) if one else None for one in found]
    return {"span": span, "first": first, "step": size, "lines": lines}
