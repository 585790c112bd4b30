"""Which processes are alive: each writes a key that expires, and tells it again and again.

`<prefix>proc:<id>` holds JSON with id, kind, pid, host, started and at; `<prefix>procs` lists the
ids by the time they were last heard of, so that nobody has to scan the keyspace.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import time
from typing import Any

import msgspec
from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from games.live.redis import key, redis

EVERY = 2.0
EXPIRES = 10

logger = logging.getLogger(__name__)


class Process(msgspec.Struct, frozen=True):
    id: str
    kind: str
    pid: int
    host: str
    started: float
    at: float


def this_process(kind: str, now: float) -> Process:
    host = socket.gethostname()
    return Process(
        id=f"{kind}-{host}-{os.getpid()}-{secrets.token_hex(4)}",
        kind=kind,
        pid=os.getpid(),
        host=host,
        started=now,
        at=now,
    )


async def beat(client: Redis, process: Process) -> None:
    """Say once that `process` is alive at `process.at`."""
    async with client.pipeline(transaction=False) as pipe:
        pipe.set(key(f"proc:{process.id}"), msgspec.json.encode(process), ex=EXPIRES)
        pipe.zadd(key("procs"), {process.id: process.at})
        pipe.zremrangebyscore(key("procs"), "-inf", process.at - 60)
        await pipe.execute()


async def alive(client: Redis, kind: str | None = None) -> list[Process]:
    """The processes heard of within the last seconds, oldest first; of one kind or of all."""
    ids: list[bytes] = await client.zrange(key("procs"), 0, -1)
    if not ids:
        return []
    values: list[Any] = await client.mget([key(f"proc:{id.decode()}") for id in ids])
    found = [msgspec.json.decode(value, type=Process) for value in values if value is not None]
    return sorted((p for p in found if kind in (None, p.kind)), key=lambda p: p.started)


async def leave(client: Redis, process: Process) -> None:
    """Say that `process` ends now, so that nobody waits for its key to expire."""
    await client.delete(key(f"proc:{process.id}"))
    await client.zrem(key("procs"), process.id)


async def keep_beating(kind: str, stop: asyncio.Event) -> None:
    """Tell of this process every two seconds until `stop`. A Redis that is away is waited for."""
    process = this_process(kind, time.time())
    silent = False
    while not stop.is_set():
        try:
            await beat(redis(), msgspec.structs.replace(process, at=time.time()))
            if silent:
                logger.info("Redis is back")
            silent = False
        except (RedisError, OSError) as error:
            if not silent:
                logger.warning("Redis does not answer: %s", error)
            silent = True
        try:
            await asyncio.wait_for(stop.wait(), 0.5 if silent else EVERY)
        except TimeoutError:
            continue
    try:
        await leave(redis(), process)
    except (RedisError, OSError):
        logger.debug("Redis left first: %s", settings.REDIS_URL)
