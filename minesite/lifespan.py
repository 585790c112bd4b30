"""The background work of a web process: it hosts matches, sends heartbeats, and counts.

uvicorn speaks ASGI's lifespan protocol; daphne does not, so there the first request starts it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary

from games import redis
from games.analyser import desk as analyser
from games.live import host
from lobby import hub, visitors
from lobby.dealing import desk
from lobby.people import watching
from lobby.stats import keep_counting
from minesite.collector import keep_exporting, settle
from minesite.loop_lag import keep_measuring

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

_beating: WeakKeyDictionary[
    asyncio.AbstractEventLoop, tuple[asyncio.Event, list[asyncio.Task[None]]]
]
_beating = WeakKeyDictionary()


def start() -> None:
    """Begin to beat in this event loop, unless it does already."""
    loop = asyncio.get_running_loop()
    if loop not in _beating:
        stop = asyncio.Event()
        host.host(serving=True)
        jobs = (keep_counting(stop), keep_exporting(stop), keep_measuring(stop, "web"))
        _beating[loop] = stop, [loop.create_task(job) for job in jobs]


async def finish() -> None:
    stop, tasks = _beating.pop(asyncio.get_running_loop())
    stop.set()
    await asyncio.gather(*tasks)
    await visitors.close()
    await watching.close()
    await desk.close()
    await analyser.close()
    await host.close()
    await hub.close()
    await redis.close()


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            start()
            settle()
            await send({"type": "lifespan.startup.complete"})
        else:
            await finish()
            await send({"type": "lifespan.shutdown.complete"})
            return


def beating(application: Application) -> Application:
    """For servers without lifespan: the first request starts the heartbeat."""

    async def serve(scope: dict[str, Any], receive: Any, send: Any) -> None:
        start()
        await application(scope, receive, send)

    return serve
