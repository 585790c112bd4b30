"""`/healthz`: 200 when the whole site is up, 503 with what is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpRequest, JsonResponse

from games.live.heartbeat import alive
from games.live.redis import key, redis
from lobby.text.protocols import tcp_mode

PATIENCE = 2.0


async def _database() -> bool:
    def ask() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone() == (1,)

    return await sync_to_async(ask)()


async def _redis() -> bool:
    return bool(await redis().ping())


async def _worker() -> bool:
    return bool(await alive(redis(), "worker"))


async def _gateway() -> bool:
    """Without a mode for the TCP port there is nothing to wait for."""
    return tcp_mode() is None or bool(await redis().exists(key("gateway")))


CHECKS: dict[str, Callable[[], Awaitable[bool]]] = {
    "database": _database,
    "redis": _redis,
    "worker": _worker,
    "gateway": _gateway,
}


async def _ask(check: Callable[[], Awaitable[bool]]) -> bool:
    try:
        return await asyncio.wait_for(check(), PATIENCE)
    except Exception:
        # Whatever is wrong with a part, the answer is the same: it is not up.
        return False


async def healthz(request: HttpRequest) -> JsonResponse:
    answers = await asyncio.gather(*(_ask(check) for check in CHECKS.values()))
    up = dict(zip(CHECKS, answers, strict=True))
    body = {name: "up" if good else "down" for name, good in up.items()}
    status = 200 if all(answers) else 503
    return JsonResponse(
        {"status": "up" if status == 200 else "down", **body},
        status=status,
        headers={"Cache-Control": "no-store"},
    )
