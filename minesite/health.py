"""`/healthz`: 200 when the whole site is up, 503 with what is missing."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpRequest, JsonResponse

from games import storage
from games.live.heartbeat import alive
from games.live.host import existing
from games.redis import key, redis
from lobby.text.protocols import tcp_mode

PATIENCE = 2.0
WRITES_WITHIN = 1.0
"""Seconds that a writer may keep others waiting."""


async def _database() -> bool:
    """Can it be read, and, for SQLite with its one writer, written?"""

    def ask() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return bool(cursor.fetchone() == (1,))

    if connection.vendor == "sqlite" and not await asyncio.to_thread(_can_write):
        return False
    return await sync_to_async(ask)()


def _can_write() -> bool:
    """On a connection of its own, so that nobody waits behind this one."""
    with contextlib.closing(
        sqlite3.connect(connection.settings_dict["NAME"], timeout=WRITES_WITHIN, uri=True)
    ) as probe:
        try:
            probe.execute("BEGIN IMMEDIATE")
            probe.rollback()
        except sqlite3.OperationalError:
            return False
    return True


async def _redis() -> bool:
    return bool(await redis().ping())


async def _logs() -> bool:
    """All servers that have match logs, as far as this process uses them."""
    here = existing()
    return here is None or here.heartbeats.are_logs_up


async def _worker() -> bool:
    return bool(await alive(redis(), "worker"))


async def _gateway() -> bool:
    """Without a mode for the TCP port there is nothing to wait for."""
    return tcp_mode() is None or bool(await redis().exists(key("gateway")))


CHECKS: dict[str, Callable[[], Awaitable[bool]]] = {
    "database": _database,
    "redis": _redis,
    "logs": _logs,
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
    disk = storage.disk().state if storage.matters() else storage.State.ROOM
    body = {name: "up" if good else "down" for name, good in up.items()} | {"disk": disk.value}
    status = 200 if all(answers) and disk is not storage.State.FULL else 503
    return JsonResponse(
        {"status": "up" if status == 200 else "down", **body},
        status=status,
        headers={"Cache-Control": "no-store"},
    )
