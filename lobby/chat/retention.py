"""Deletes old lines, except those that a moderator has yet to read."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Final

from channels.db import database_sync_to_async
from django.conf import settings
from django.utils import timezone

from games.moderation.models import Report
from lobby.chat.models import Line

EVERY: Final = 3600.0
AT_ONCE: Final = 500

logger = logging.getLogger(__name__)


def delete_old(now: datetime) -> int:
    """Delete lines older than `CHAT_DAYS` days, in small steps; returns how many."""
    old = Line.objects.filter(at__lt=now - timedelta(days=settings.CHAT_DAYS))
    deletable = old.exclude(reported__report__status=Report.Status.OPEN).order_by("pk")
    number = 0
    while found := list(deletable.values_list("pk", flat=True)[:AT_ONCE]):
        Line.objects.filter(pk__in=found).delete()
        number += len(found)
    return number


async def run(stop: asyncio.Event) -> None:
    """The worker's job."""
    while not stop.is_set():
        number = await database_sync_to_async(delete_old)(timezone.now())
        if number:
            logger.info("%d old chat lines deleted", number)
        try:
            async with asyncio.timeout(EVERY):
                await stop.wait()
        except TimeoutError:
            continue
