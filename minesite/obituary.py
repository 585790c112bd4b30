"""A process that died without a word is struck off at once: until its keys expire, /healthz would
tell what was true ten seconds ago."""

from __future__ import annotations

import contextlib
import socket

import msgspec
from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from games.live import heartbeat
from games.redis import key


async def strike_off(pid: int | None = None) -> None:
    """Remove the heartbeats of this process of this machine; without an id, those of all its
    processes. One that is alive after all sends another within two seconds."""
    ours = socket.gethostname()
    with contextlib.suppress(RedisError, OSError):  # then /healthz is not 200 anyway
        async with Redis.from_url(settings.REDIS_URL, socket_timeout=1, retry=None) as client:
            for process in await heartbeat.alive(client):
                if pid is None or (process.pid, process.host) == (pid, ours):
                    await heartbeat.leave(client, process.id)
            gateway = msgspec.json.decode(await client.get(key("gateway")) or b"{}")
            if pid is None or (gateway.get("pid"), gateway.get("host")) == (pid, ours):
                await client.delete(key("gateway"))
