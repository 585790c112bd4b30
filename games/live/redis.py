"""The Redis clients of this process: one per event loop, and one for synchronous code.

Keys are bytes in and bytes out. Every key begins with `settings.REDIS_PREFIX`; `key()` adds it.
"""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from django.conf import settings
from redis import Redis as SyncRedis
from redis.asyncio import Redis

_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()
_sync_clients: dict[str, SyncRedis] = {}


def key(name: str) -> str:
    return f"{settings.REDIS_PREFIX}{name}"


def redis() -> Redis:
    """The client of the running event loop. Made at the first call; `close()` ends it."""
    loop = asyncio.get_running_loop()
    client = _clients.get(loop)
    if client is None:
        client = _clients[loop] = Redis.from_url(settings.REDIS_URL, health_check_interval=30)
    return client


def sync_redis() -> SyncRedis:
    """The client for code outside an event loop; safe to use from several threads."""
    client = _sync_clients.get(settings.REDIS_URL)
    if client is None:
        client = SyncRedis.from_url(settings.REDIS_URL, health_check_interval=30)
        _sync_clients[settings.REDIS_URL] = client
    return client


async def close() -> None:
    """Close the running loop's client, if there is one."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose()
