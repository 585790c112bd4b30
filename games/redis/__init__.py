"""The site's Redis: one client per event loop, and one for synchronous code.

Keys are bytes in and bytes out. Every key begins with `settings.REDIS_PREFIX`; `key()` adds it.
"""

from __future__ import annotations

import asyncio
from typing import Final
from weakref import WeakKeyDictionary

from django.conf import settings
from redis import Redis as SyncRedis
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

MOST_CONNECTIONS: Final = 32
"""Of one event loop's client. Connections stay open once made, so a burst of visitors would
leave as many behind; beyond this number commands wait for their turn."""
PATIENCE: Final = 10.0
"""Seconds after which a command that found no free connection fails."""

SHORTEST_WAIT: Final = 0.01
"""Seconds. Redis before 7.0.8 takes less than a millisecond for 0, and waits without end."""

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()
_sync_clients: dict[str, SyncRedis] = {}


def key(name: str) -> str:
    return f"{settings.REDIS_PREFIX}{name}"


def redis() -> Redis:
    """The client of the running event loop. Made at the first call; `close()` ends it."""
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        pool = BlockingConnectionPool.from_url(
            settings.REDIS_URL,
            max_connections=MOST_CONNECTIONS,
            timeout=PATIENCE,
            health_check_interval=30,
            # A moment of absence goes unnoticed; after it people are told, within seconds.
            retry=Retry(ExponentialBackoff(cap=0.2, base=0.05), 2),
        )
        client = _clients[loop] = Redis.from_pool(pool)
    return client


async def pop(name: str, seconds: float) -> bytes | None:
    """The first item of a list; waits for one, but not much longer than so many seconds."""
    found = await redis().blpop([name], timeout=max(seconds, SHORTEST_WAIT))
    return None if found is None else found[1]


def sync_redis() -> SyncRedis:
    """The client for code outside an event loop; safe to use from several threads."""
    client = _sync_clients.get(settings.REDIS_URL)
    if client is None:
        client = SyncRedis.from_url(settings.REDIS_URL, health_check_interval=30)
        _sync_clients[settings.REDIS_URL] = client
    return client


def close_sync() -> None:
    """Close the clients for code outside an event loop."""
    while _sync_clients:
        _sync_clients.popitem()[1].close()


async def close() -> None:
    """Close the running loop's client, if there is one."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose()
