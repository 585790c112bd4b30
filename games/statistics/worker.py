"""The worker's job: has every finished match analysed, a few at a time.

The queue of analyses is bounded and shared with people who ask for one. This job fills it only up
to ROOM, and what waits is in the database: nothing is lost when a process dies, however many
matches end at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from datetime import datetime, timedelta
from typing import Final

from channels.db import database_sync_to_async
from django.db.models import F
from django.utils import timezone

from games.analysing import results
from games.analysing.parts import ANALYSIS, lane_of
from games.analysing.queue import Queue
from games.statistics import accuracy, bests
from games.statistics.models import Awaiting

logger = logging.getLogger(__name__)

WAIT: float = 2.0
ROOM: Final = 10
"""Jobs on the queue beyond which none is added."""
RETRY: Final = timedelta(minutes=12)
"""After a job was put on the queue; one that failed is refused for ten minutes."""
MOST_TRIES: Final = 3
FORGET_SECONDS: Final = 3600.0


async def run(stop: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    forget_at = loop.time()
    while not stop.is_set():
        await offer(timezone.now())
        if loop.time() >= forget_at:
            await database_sync_to_async(bests.forget_old)(timezone.now())
            forget_at = loop.time() + FORGET_SECONDS
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), WAIT)


async def offer(now: datetime) -> int:
    """Put matches that wait on the queue, the oldest first; returns how many. Harmless to do at the
    same time as another worker: a job is on the queue once."""
    queue = Queue(lane_of(ANALYSIS).name)
    room = ROOM - await queue.length()
    if room <= 0:
        return 0
    added = 0
    for match_id in await database_sync_to_async(_next)(now, room):
        found = await results.find(match_id, ANALYSIS)
        if found is not None:  # somebody asked before
            await database_sync_to_async(accuracy.note)(match_id, lambda b=found: results.told(b))
        elif await queue.offer(f"{match_id}:{ANALYSIS}", ROOM):
            added += 1
        else:  # others were quicker to fill the queue
            await Awaiting.objects.filter(pk=match_id).aupdate(next_at=now, tries=F("tries") - 1)
    return added


def _next(now: datetime, number: int) -> list[str]:
    """The matches that are to be tried now; they are not due again for a while."""
    due = Awaiting.objects.filter(next_at__lte=now)
    if given_up := due.filter(tries__gte=MOST_TRIES).delete()[0]:
        logger.warning("%d matches could not be analysed", given_up)
    ids = list(due.order_by("next_at").values_list("pk", flat=True)[:number])
    if ids:
        Awaiting.objects.filter(pk__in=ids).update(next_at=now + RETRY, tries=F("tries") + 1)
    return ids
