"""The worker's job: loads the stock, has puzzles made of finished matches, tidies up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from datetime import timedelta
from typing import Final

from channels.db import database_sync_to_async
from django.db import transaction
from django.utils import timezone

from games.compute import ComputeError, ComputeProcess
from games.engine import registry
from games.models import SEALED_FOR, Match
from games.puzzles import stock, storm
from games.puzzles.making import Made
from games.puzzles.minting import PEOPLE, decode
from games.puzzles.models import MintedMatch, Puzzle
from games.redis import key, redis

EVERY: float = 20.0
WITHIN: Final = 120.0
"""Seconds that a match may take."""
CLAIM_SECONDS: Final = 180
LATELY: Final = timedelta(days=3)
AT_ONCE: Final = 20
MOST_PUZZLES: Final = 50_000

logger = logging.getLogger(__name__)


async def run(stop: asyncio.Event) -> None:
    process = ComputeProcess()
    try:
        await database_sync_to_async(stock.ensure)()
        while not stop.is_set():
            for match_id in await database_sync_to_async(waiting)():
                if stop.is_set():
                    return
                await mint(match_id, process)
            await database_sync_to_async(storm.tidy)()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), EVERY)
    finally:
        await process.close()


def waiting() -> list[str]:
    """Finished matches that nobody has looked through, the latest first. Boards that others may
    still play wait: those of the day until it is over, those of a solo arena as long."""
    now = timezone.now()
    if Puzzle.objects.count() >= MOST_PUZZLES:
        return []
    judged = [mode.name for mode in registry.modes() if mode.judge is not None]
    rows = Match.objects.filter(
        status=Match.Status.OVER,
        mode__in=judged,
        ended_at__gte=now - LATELY,
        minted=None,
        log__isnull=False,
        seats__kind__in=PEOPLE,
    )
    rows = rows.exclude(source=Match.Source.DAILY, created_at__date__gte=now.date())
    rows = rows.exclude(source=Match.Source.SEALED, created_at__gte=now - SEALED_FOR)
    return list(rows.distinct().order_by("-ended_at").values_list("pk", flat=True)[:AT_ONCE])


async def mint(match_id: str, process: ComputeProcess) -> int:
    """Make and store the puzzles of this match, unless another worker is at it; returns how many
    were new."""
    if not await redis().set(key(f"puzzles:minting:{match_id}"), 1, nx=True, ex=CLAIM_SECONDS):
        return 0
    log = await database_sync_to_async(_log_of)(match_id)
    if log is None:
        return 0
    puzzles: list[Made] = []
    try:
        puzzles = decode(await process.call("games.puzzles.minting:compute", log, WITHIN))
    except ComputeError as error:
        logger.warning("match %s: no puzzles: %s", match_id, error)
    added: int = await database_sync_to_async(store)(match_id, puzzles)
    return added


def _log_of(match_id: str) -> bytes | None:
    log = Match.objects.filter(pk=match_id).values_list("log", flat=True).first()
    return None if log is None else bytes(log)


def store(match_id: str, puzzles: list[Made]) -> int:
    """Doing it again changes nothing."""
    with transaction.atomic():
        added = stock.store(puzzles, Puzzle.Source.MATCH)
        MintedMatch.objects.get_or_create(match_id=match_id, defaults={"made": added})
    return added
