"""The live figures behind the first page of the admin."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse

from games import storage
from games.admin.door import staff
from games.live.heartbeat import alive
from games.live.host import DUE
from games.moderation.models import Report
from games.redis import key, redis
from lobby import maintenance, presence, queue, stats, watch
from lobby.store import now_ms

MOST_MATCHES = 30


def index_context(request: HttpRequest) -> dict[str, Any]:
    """The context of the page itself; the figures come every second."""
    may = {
        name: request.user.has_perm(f"moderation.{name}") for name in ("look", "announce", "queues")
    }
    return {
        "may": may,
        "page_data": {
            "live": reverse("admin:live"),
            "series": {span: reverse("admin:series", args=[span]) for span in stats.SPANS},
            "match": reverse("admin:match-watch", args=["0"]).replace("/0/", "/{id}/"),
        }
        if may["look"]
        else None,
    }


def database_bytes() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    path = Path(str(settings.DATABASES["default"]["NAME"]))
    files = [path, path.with_name(path.name + "-wal")]
    return sum(file.stat().st_size for file in files if file.exists())


async def figures() -> dict[str, Any]:
    now = time.time()
    memory = await redis().info("memory")
    plans = await watch.running()
    tickets = await queue.waiting()
    spectators = await watch.spectators([plan.match for plan in plans[-MOST_MATCHES:]])
    return {
        "now": now,
        "online": await presence.counts(int(now * 1000)),
        "queues": queue.summary(tickets, await now_ms()),
        "waiting": len(tickets),
        "queues_open": not await maintenance.queues_closed(),
        "matches": int(await redis().zcard(key(DUE))),
        "running": [
            {
                "match": plan.match,
                "mode": plan.mode,
                "rated": plan.rated,
                "source": plan.source,
                "players": [seat.name for seat in plan.seats],
                "spectators": spectators[plan.match],
            }
            for plan in reversed(plans[-MOST_MATCHES:])
        ],
        "processes": [
            {
                "id": one.id,
                "kind": one.kind,
                "pid": one.pid,
                "host": one.host,
                "up": now - one.started,
                "heard": max(0.0, now - one.at),
            }
            for one in await alive(redis())
        ],
        "redis_bytes": memory["used_memory"],
        "redis_peak_bytes": memory["used_memory_peak"],
        "database_bytes": await sync_to_async(database_bytes)(),
        "disk_free_bytes": storage.disk().free,
        "disk_is_low": storage.disk().state is not storage.State.ROOM,
        "open_reports": await Report.objects.filter(status=Report.Status.OPEN).acount(),
        **await stats.recent(now),
    }


@staff("moderation.look")
async def live(request: HttpRequest) -> HttpResponse:
    return JsonResponse(await figures())


@staff("moderation.look")
async def series(request: HttpRequest, span: str) -> HttpResponse:
    if span not in stats.SPANS:
        raise Http404
    return JsonResponse(await stats.series(span, time.time()))
