"""From the log in Redis to the database: once, whatever dies in between.

The order makes it safe to stop anywhere and to begin again in another process:
1. the log ends with its `over` row, so it can't grow any more;
2. one transaction changes the match from live to over (only one can), stores result, seats,
   ratings, and the compressed log; matches that end at the same time share a transaction;
3. only then may the Redis keys expire.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from channels.db import database_sync_to_async

from games.engine.game import Outcome
from games.engine.lifecycle import ACTIONS as LIFECYCLE
from games.live import ends, stored_log
from games.live.entry import ACTION, Entry, pack_log
from games.live.host import DUE, Host, host
from games.live.match_state import MatchState, run
from games.live.proposer import hosts_of
from games.live.row import entries_of
from games.redis import key, redis

if TYPE_CHECKING:
    from games.models import Match

LOST: Final = "lost"
"""The reason of the end of a match without a log."""
SEAT_FIELDS: Final = ("absent", "ended_at", "rank", "score", "result", "moves")

logger = logging.getLogger(__name__)


class Ended(NamedTuple):
    """A finished match, read from its log."""

    match_id: str
    state: MatchState
    outcome: Outcome
    entries: list[Entry]


async def archive(match_id: str) -> bool:
    """Store a finished match. True when this call did it, False when it was stored already or
    there is nothing to store. Harmless to repeat."""
    done = (await archive_all([match_id]))[match_id]
    if isinstance(done, Exception):
        raise done
    return done


async def archive_all(match_ids: Sequence[str]) -> dict[str, bool | Exception]:
    """Store finished matches, in this order and in one transaction where possible. Returns for
    each what `archive` would return or raise."""
    here = host()
    await here.opened()
    done: dict[str, bool | Exception] = dict.fromkeys(match_ids, False)
    found: dict[str, tuple[Ended, set[str]]] = {}
    read = await asyncio.gather(*(_read(here, i) for i in done), return_exceptions=True)
    for match_id, result in zip(list(done), read, strict=True):
        if isinstance(result, Exception):
            done[match_id] = result
        elif isinstance(result, BaseException):
            raise result
        elif result is not None:
            found[match_id] = result
    if not found:
        return done
    done |= await _store_all([ended for ended, _hosts in found.values()])
    stored = [i for i in found if not isinstance(done[i], Exception)]
    # A match whose keys could not be set to expire is not done: it is tried again.
    expired = await asyncio.gather(
        *(stored_log.expire(here.servers, match_id) for match_id in stored), return_exceptions=True
    )
    for match_id, failure in zip(stored, expired, strict=True):
        if isinstance(failure, Exception):
            done[match_id] = failure
            continue
        ended, hosts = found[match_id]
        await redis().zrem(key(DUE), match_id)
        here.archived(match_id, hosts)
        if done[match_id]:
            logger.info("match %s: over, %s", match_id, ended.outcome.reason)
    return done


async def _read(here: Host, match_id: str) -> tuple[Ended, set[str]] | None:
    """The match and the processes that hosted it; None when it isn't over, or gone."""
    rows = await stored_log.read_rows(here.servers, match_id)
    entries = list(entries_of(rows))
    if not entries:
        return None
    state, _events = await asyncio.to_thread(run, entries)
    outcome = state.outcome()
    if outcome is None:
        return None
    return Ended(match_id, state, outcome, entries), hosts_of(rows)


async def run_job(stop: asyncio.Event) -> None:
    """The worker's job: store matches as they end."""
    here = host(serving=False)
    await here.opened()

    async def handle(ended: Mapping[str, Outcome]) -> dict[str, Exception]:
        away = {i: ends.NotNow() for i in ended if not here.is_reachable(i)}
        done = await archive_all([i for i in ended if i not in away])
        return {**away, **{i: error for i, error in done.items() if isinstance(error, Exception)}}

    await ends.consume(ends.ARCHIVE, here.process, handle, stop)


def moves_of(entries: list[Entry]) -> Counter[int | None]:
    """The number of moves of each seat; actions of the lifecycle don't count."""
    counted: Counter[int | None] = Counter()
    for entry in entries:
        if entry.kind == ACTION:
            counted[entry.seat] += entry.body().get("type") not in LIFECYCLE
    return counted


def store(match_id: str, state: MatchState, outcome: Outcome, entries: list[Entry]) -> bool:
    """True when this call stored the match, False when it was stored already."""
    return _store_together([Ended(match_id, state, outcome, entries)])[match_id]


def store_all(ended: Sequence[Ended]) -> dict[str, bool | Exception]:
    """Store these matches in one transaction, because its way to the disk costs more than a match
    does. If that fails, each gets its own, so that one bad match can't hold up the others."""
    try:
        return {**_store_together(ended)}
    except Exception as error:
        if len(ended) == 1:
            return {ended[0].match_id: error}
        logger.warning("storing %d matches one by one: %r", len(ended), error)
    return {i: done for one in ended for i, done in store_all([one]).items()}


def _store_together(ended: Sequence[Ended]) -> dict[str, bool]:
    from django.db import transaction

    from games.models import Match, Seat
    from games.signals import matches_archived

    with transaction.atomic():
        rows = _locked(ended)
        done = {one.match_id: _store_match(rows[one.match_id], one) for one in ended}
        matches = [rows[match_id] for match_id, is_new in done.items() if is_new]
        if matches:
            seats = [seat for match in matches for seat in match.seats.all()]
            Seat.objects.bulk_update(seats, SEAT_FIELDS)
            logs = {one.match_id: (one.state, one.entries) for one in ended}
            matches_archived.send(sender=Match, matches=matches, logs=logs)
    return done


def _locked(ended: Sequence[Ended]) -> dict[str, Match]:
    """The rows of these matches with their seats. All matches are locked first, then all players,
    both in the order of their ids: two workers whose batches share players never wait in a ring,
    and count the ratings of a player one batch after the other."""
    from accounts.models import User
    from games.live.start import store_rows
    from games.models import Match

    ids = [one.match_id for one in ended]
    rows = Match.objects.filter(pk__in=ids)
    there = set(rows.values_list("pk", flat=True))
    missing = {one.match_id: one.state.setup for one in ended if one.match_id not in there}
    if missing:
        store_rows(missing)
    locked = rows.select_for_update().defer("log").order_by("pk").prefetch_related("seats__user")
    matches = {match.pk: match for match in locked}
    seats = [seat for match in matches.values() for seat in match.seats.all()]
    users = {seat.user_id for seat in seats if seat.user_id is not None}
    list(
        User.objects.select_for_update(no_key=True)
        .filter(pk__in=users)
        .order_by("pk")
        .values_list("pk")
    )
    return matches


def _store_match(match: Match, ended: Ended) -> bool:
    """Store the match itself, and note the results on its seats, which the caller stores. False
    when it was stored already."""
    from django.db.models import Q

    from games.models import Match, result_of

    _id, state, outcome, entries = ended
    fields: dict[str, Any] = {
        "status": Match.Status.ABORTED if outcome.aborted else Match.Status.OVER,
        "reason": outcome.reason,
        "started_at": _time(state.t0),
        "ended_at": _time(entries[-1].t),
        "duration_ms": state.state.now,
        "seed": state.setup.seed,
        "deal": state.setup.deal,
        "log": pack_log(entries),
        "log_entries": len(entries),
        "aided": state.aided,
    }
    # The condition makes this row change once, on every database. A match that was given up as
    # lost is not, when its log turns up.
    waiting = Q(status=Match.Status.LIVE) | Q(status=Match.Status.ABORTED, reason=LOST)
    if not Match.objects.filter(waiting, pk=match.pk).update(**fields):
        return False
    for name, value in fields.items():
        setattr(match, name, value)
    moves = moves_of(entries)
    for seat in match.seats.all():
        seat.moves = moves[seat.number]
        seat.absent = seat.number in outcome.absent
        seat.ended_at = match.ended_at
        if not outcome.aborted:
            seat.rank = outcome.ranks[seat.number]
            seat.score = outcome.scores[seat.number] if outcome.scores else None
            seat.result = result_of(outcome.ranks, seat.number)
    return True


# A thread of its own: the transaction waits for the disk, and nobody's handshake waits for it.
_store_all = database_sync_to_async(
    store_all, thread_sensitive=False, executor=ThreadPoolExecutor(1, thread_name_prefix="archive")
)


def _time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
