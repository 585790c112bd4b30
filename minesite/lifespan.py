"""What a web process does beside answering: it tells that it is alive, and hosts matches.

uvicorn speaks ASGI's lifespan protocol; daphne does not, so there the first request starts it.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary

from games.live import host, redis
from games.live.heartbeat import keep_beating
from lobby.stats import keep_counting

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

_beating: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[asyncio.Event, asyncio.Task[None]]]
_beating = WeakKeyDictionary()


def start() -> None:
    """Begin to beat in this event loop, unless it does already."""
    loop = asyncio.get_running_loop()
    if loop not in _beating:
        stop = asyncio.Event()
        host.host(serving=True)
        _beating[loop] = stop, loop.create_task(_tell(stop))


async def _tell(stop: asyncio.Event) -> None:
    await asyncio.gather(keep_beating("web", stop), keep_counting(stop))


async def finish() -> None:
    stop, task = _beating.pop(asyncio.get_running_loop())
    stop.set()
    await task
    await host.close()
    await redis.close()


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            start()
            # All modules are here for good. Without them a full collection is short, and comes
            # soon after a burst of handshakes has left its garbage.
            gc.collect()
            gc.freeze()
            # Most of what a move makes is gone within its turn: looked at less often, the young
            # are fewer. Full collections come about as often as by default (every 100,000).
            gc.set_threshold(25_000, 1, 1)
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
