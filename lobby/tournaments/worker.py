"""The worker's job: once a second, a step for every tournament that runs or should start.

One worker at a time takes the steps; two at once do no harm (see waves.py and clock.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone
from redis.exceptions import RedisError

from games.redis import redis
from lobby.store import named
from lobby.tournaments import clock, feed, schedule, sealing
from lobby.tournaments.database import in_thread
from lobby.tournaments.models import Tournament

EVERY: Final = 1.0
LEAD_MS: Final = 5_000
TOLD_AFTER_END: Final = timedelta(minutes=10)
"""Late results, of matches that ended in the last moment, are told for so long."""

logger = logging.getLogger(__name__)


async def run(stop: asyncio.Event) -> None:
    """Take steps until `stop`."""
    me = secrets.token_hex(8)
    while not stop.is_set():
        if await _leads(me):
            await step(timezone.now())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), EVERY)
    await sealing.close()
    if await redis().get(named("tournaments-lead")) == me.encode():
        await redis().delete(named("tournaments-lead"))


async def step(now: datetime) -> None:
    """One step of every tournament. A tournament that fails holds up no other one."""
    await schedule.plan(now)
    for tournament in await clock.due(now):
        try:
            await clock.step(tournament, now)
        except (RedisError, OSError):
            raise
        except Exception:
            logger.exception("a step of tournament %s failed", tournament.pk)
    await publish(now)


async def publish(now: datetime) -> None:
    """Tell the pages of every tournament whose rows have changed."""
    versions = await _versions(now)
    told = await feed.shown_version(list(versions))
    for tournament_id, version in versions.items():
        if told.get(tournament_id) != version:
            now_told = await feed.publish(tournament_id)
            await feed.note_version(tournament_id, version if now_told is None else now_told)
    if set(told) != set(versions) or not versions:
        await feed.forget_versions(list(versions))


@in_thread
def _versions(now: datetime) -> dict[str, int]:
    open_ones = (Tournament.Status.PLANNED, Tournament.Status.RUNNING)
    wanted = Q(status__in=open_ones) | Q(ended_at__gte=now - TOLD_AFTER_END)
    return dict(Tournament.objects.filter(wanted).values_list("pk", "version"))


async def _leads(me: str) -> bool:
    """Does this worker take the steps? It does as long as it keeps asking."""
    name = named("tournaments-lead")
    if await redis().set(name, me, nx=True, px=LEAD_MS):
        return True
    if await redis().get(name) != me.encode():
        return False
    await redis().pexpire(name, LEAD_MS)
    return True
