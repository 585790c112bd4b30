"""The TCP port: until the text protocol is here, it says so and hangs up."""

from __future__ import annotations

import asyncio
import time

import msgspec
from django.conf import settings

from games.live.redis import key, redis

EXPIRES = 10
EVERY = 2.0


async def _refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"ERRO not ready\n")
    try:
        await writer.drain()
    finally:
        writer.close()


async def announce(port: int) -> None:
    """Tell /healthz that the gateway listens."""
    value = msgspec.json.encode({"port": port, "at": time.time()})
    await redis().set(key("gateway"), value, ex=EXPIRES)


async def run(stop: asyncio.Event) -> None:
    server = await asyncio.start_server(_refuse, settings.HOST, settings.TCP_PORT)
    async with server:
        while not stop.is_set():
            await announce(settings.TCP_PORT)
            try:
                await asyncio.wait_for(stop.wait(), EVERY)
            except TimeoutError:
                continue
    await redis().delete(key("gateway"))
