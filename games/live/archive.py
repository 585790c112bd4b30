"""From the log in Redis to the database: once, whatever dies in between.

The order makes it safe to stop anywhere and to begin again in another process:
1. the match is marked as over, so that its log can't grow any more;
2. one transaction changes the row from live to over (only one can), stores result, seats,
   ratings, and the compressed log;
3. only then may the Redis keys expire.
"""

from __future__ import annotations

import logging
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Final

import msgspec
from channels.db import database_sync_to_async

from games.engine.game import Outcome
from games.live.course import Course, run
from games.live.entry import Entry
from games.live.host import host
from games.live.log import Log

LOST: Final = "lost"
"""The reason of the end of a match without a log."""

logger = logging.getLogger(__name__)


def pack_log(entries: list[Entry]) -> bytes:
    """Compressed lines of JSON: [seq, t, kind, seat, command id, data]."""
    lines = b"\n".join(
        msgspec.json.encode([e.seq, e.t, e.kind, e.seat, e.cid, e.data.decode()]) for e in entries
    )
    return zlib.compress(lines, 9)


def unpack_log(packed: bytes) -> list[Entry]:
    entries = []
    for line in zlib.decompress(packed).split(b"\n"):
        seq, t, kind, seat, cid, data = msgspec.json.decode(line)
        entries.append(Entry(seq, t, kind, seat, cid, data.encode()))
    return entries


async def archive(match_id: str, log: Log | None = None) -> bool:
    """Store a finished match. True when this call did it, False when it was stored already or
    there is nothing to store. Harmless to repeat."""
    if log is None:
        here = host()
        await here.opened()
        log = Log(here.store, match_id)
    entries = await log.read()
    if not entries:
        return False
    outcome = run(entries)[0].outcome()
    if outcome is None:
        return False
    await log.finish(msgspec.json.encode({"outcome": outcome.as_json()}))
    entries = await log.read()  # now complete
    course, _said = run(entries)
    stored = await _store(match_id, course, outcome, entries)
    await log.archived()
    if stored:
        logger.info("match %s: over, %s", match_id, outcome.reason)
    return stored


def store(match_id: str, course: Course, outcome: Outcome, entries: list[Entry]) -> bool:
    from django.db import transaction
    from django.db.models import Q

    from games.live.start import store_row
    from games.models import Match, result_of
    from games.signals import match_archived

    status = Match.Status.ABORTED if outcome.aborted else Match.Status.OVER
    with transaction.atomic():
        if not Match.objects.filter(pk=match_id).exists():
            store_row(match_id, course.setup)
        # The condition makes this row change once, on every database. A match that was given up as
        # lost is not, when its log turns up.
        waiting = Q(status=Match.Status.LIVE) | Q(status=Match.Status.ABORTED, reason=LOST)
        changed = Match.objects.filter(waiting, pk=match_id).update(
            status=status,
            reason=outcome.reason,
            started_at=_time(course.t0),
            ended_at=_time(entries[-1].t),
            duration_ms=course.state.now,
            seed=course.setup.seed,
            deal=course.setup.deal,
            log=pack_log(entries),
            log_entries=len(entries),
            aided=course.aided,
        )
        if not changed:
            return False
        match = Match.objects.prefetch_related("seats__user").get(pk=match_id)
        for seat in match.seats.all():
            seat.absent = seat.number in outcome.absent
            seat.ended_at = match.ended_at
            if not outcome.aborted:
                seat.rank = outcome.ranks[seat.number]
                seat.score = outcome.scores[seat.number] if outcome.scores else None
                seat.result = result_of(outcome.ranks, seat.number)
            seat.save(update_fields=["absent", "ended_at", "rank", "score", "result"])
        match_archived.send(sender=Match, match=match, outcome=outcome)
    return True


# A thread of its own: the transaction waits for the disk, and nobody's handshake waits for it.
_store = database_sync_to_async(
    store, thread_sensitive=False, executor=ThreadPoolExecutor(1, thread_name_prefix="archive")
)


def _time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
