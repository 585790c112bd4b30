"""Has the boards of solo arenas made beside the worker's steps: a search may take seconds."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F

from lobby.tournaments import solo
from lobby.tournaments.database import in_thread
from lobby.tournaments.models import Tournament

AGAIN_AFTER: Final = timedelta(seconds=30)
PATIENCE: Final = timedelta(minutes=5)
"""An arena that has no board for so long is cancelled."""

logger = logging.getLogger(__name__)
_tasks: dict[str, asyncio.Task[None]] = {}
_not_before: dict[str, datetime] = {}


async def step(tournament: Tournament, now: datetime) -> None:
    """Begin to make the boards that are missing, unless this process does or has just failed."""
    name = tournament.pk
    if name in _tasks or now < _not_before.get(name, now):
        return
    if not await in_thread(solo.missing)(tournament):
        _not_before.pop(name, None)
        return
    task = asyncio.get_running_loop().create_task(_deal(tournament, now))
    _tasks[name] = task
    task.add_done_callback(lambda _task: _tasks.pop(name, None))


async def finished() -> None:
    """Return when nothing is being made."""
    await asyncio.gather(*_tasks.values(), return_exceptions=True)


async def close() -> None:
    for task in list(_tasks.values()):
        task.cancel()
    await finished()


async def _deal(tournament: Tournament, now: datetime) -> None:
    try:
        if await solo.deal(tournament):
            return
    except Exception:
        logger.exception("no boards for tournament %s yet", tournament.pk)
    _not_before[tournament.pk] = now + AGAIN_AFTER
    if now - (tournament.started_at or tournament.starts_at) >= PATIENCE:
        await in_thread(_cancel)(tournament, now)


def _cancel(tournament: Tournament, now: datetime) -> None:
    """Call it off, unless it has a board to play."""
    running = Tournament.objects.filter(
        pk=tournament.pk, status=Tournament.Status.RUNNING, solo_boards=None
    )
    if Tournament.objects.filter(pk__in=list(running.values_list("pk", flat=True))).update(
        status=Tournament.Status.CANCELLED, reason="no_boards", ended_at=now,
        version=F("version") + 1,
    ):  # fmt: skip
        logger.error("tournament %s is cancelled: its boards can't be made", tournament.pk)
    _not_before.pop(tournament.pk, None)
