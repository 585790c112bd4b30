"""Starts and ends tournaments, round by round. Every step is one conditional change of a row, so
any number of workers may take it, and any may die between two steps."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Q

from games.live.host import NoSuchMatch, UnknownRules, host
from lobby import maintenance
from lobby.tournaments import reminders, results, sealing, waves
from lobby.tournaments.database import in_thread
from lobby.tournaments.models import Entrant, Pairing, Tournament

Status, Kind = Tournament.Status, Tournament.Kind
LATEST: Final = timedelta(hours=1)
"""A start missed by more, because the site was down, is called off."""
BREAK: Final = timedelta(seconds=15)
"""Between two rounds."""
CATCH_UP: Final = timedelta(seconds=10)


@in_thread
def due(now: datetime) -> list[Tournament]:
    """The tournaments that run or should start now."""
    wanted = Q(status=Status.RUNNING) | Q(status=Status.PLANNED, starts_at__lte=now)
    return list(Tournament.objects.filter(wanted).order_by("starts_at", "pk"))


async def step(tournament: Tournament, now: datetime) -> None:
    """Everything that is to be done for this tournament now."""
    if tournament.status == Status.PLANNED:
        if await start(tournament, now):
            await reminders.started(tournament)
        return
    await in_thread(results.catch_up)(tournament.pk)
    if tournament.kind == Kind.SOLO:
        if tournament.ends_at is not None and now >= tournament.ends_at:
            await finish(tournament, now)
        else:
            await sealing.step(tournament, now)
        return
    if tournament.kind == Kind.SWISS:
        await _swiss(tournament, now)
    elif tournament.ends_at is not None and now >= tournament.ends_at:
        await finish(tournament, now)
        return
    elif not await maintenance.queues_closed():
        await waves.pair_arena(tournament, now)
    await waves.begin(tournament)


@in_thread
def start(tournament: Tournament, now: datetime) -> bool:
    """Start it, or call it off: too late, or too few players for a round. True: it runs now."""
    planned = Tournament.objects.filter(pk=tournament.pk, status=Status.PLANNED)
    reason = ""
    if now - tournament.starts_at > LATEST:
        reason = "missed"
    elif tournament.kind == Kind.SWISS:
        active = tournament.entrants.filter(state=Entrant.State.ACTIVE)
        reason = "" if active.count() >= 2 else "too_few"
    if reason:
        planned.update(
            status=Status.CANCELLED, reason=reason, ended_at=now, version=F("version") + 1
        )
        return False
    # After a start that was missed by minutes the window is as long as it was meant to be.
    return bool(planned.update(status=Status.RUNNING, started_at=now, version=F("version") + 1))


@in_thread
def finish(tournament: Tournament, now: datetime) -> bool:
    """The window or the last round is over: the standings hold. Matches still running don't
    count, and pairings that haven't begun won't."""
    with transaction.atomic():
        running = Tournament.objects.filter(pk=tournament.pk, status=Status.RUNNING)
        end = tournament.ends_at
        if not running.update(status=Status.OVER, ended_at=end or now, version=F("version") + 1):
            return False
        for row in tournament.pairings.filter(state=Pairing.State.PLANNED):
            results.cancel(row)
    return True


async def _swiss(tournament: Tournament, now: datetime) -> None:
    """The next round once all matches of this one are over."""
    left, ended = await _round(tournament)
    if left:
        limit = timedelta(minutes=tournament.round_minutes)
        if tournament.round_at is not None and now - tournament.round_at > limit:
            await _end_round(left)
        return
    if tournament.number >= tournament.rounds:
        await finish(tournament, now)
        return
    if tournament.number and ended is not None and now < ended + BREAK:
        return
    if await maintenance.queues_closed():
        return
    if not await waves.pair_swiss(tournament):
        await finish(tournament, now)


@in_thread
def _round(tournament: Tournament) -> tuple[list[Pairing], datetime | None]:
    """The pairings of this round that go on, and the end of those that are over."""
    rows = list(tournament.pairings.filter(number=tournament.number))
    going = (Pairing.State.PLANNED, Pairing.State.OPEN)
    ends = [row.ended_at for row in rows if row.ended_at is not None]
    return [row for row in rows if row.state in going], max(ends, default=None)


async def _end_round(rows: list[Pairing]) -> None:
    """A round has its limit: matches that still run are ended by the site, and count as draws."""
    await _no_more_tries([row.pk for row in rows])
    here = host()
    for row in rows:
        if row.state != Pairing.State.OPEN or not row.match:
            continue
        try:
            replica = await here.join(row.match)
        except (NoSuchMatch, UnknownRules):
            continue
        try:
            if replica.over is None:
                await replica.abort("!tournament", b'{"reason":"tournament"}')
        finally:
            here.leave(replica)


@in_thread
def _no_more_tries(ids: list[int]) -> None:
    Pairing.objects.filter(pk__in=ids).update(tries=results.MOST_TRIES)
