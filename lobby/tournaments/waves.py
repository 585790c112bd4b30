"""Decides who plays whom, and makes the matches: nothing is lost, nothing is made twice.

A wave raises the tournament's number in the transaction that stores its pairings, so of two workers
one makes it. Each pairing has the id of its match from the start. `begin` then claims both players
in Redis and creates the match; every worker repeats it until the match is there, and repeating it
changes nothing. A pairing that can't be claimed in time is void, and a mark in Redis keeps anybody
from claiming it later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.live.setup import new_id
from games.models import Match
from games.redis import redis
from lobby import blocks, creation, playing, presence, rematch
from lobby.plans import Plan, Seated
from lobby.players import user_identity
from lobby.store import CHANGE, named, now_ms, run_each
from lobby.tournaments import arena, results, standings, swiss
from lobby.tournaments.database import in_thread
from lobby.tournaments.games import Entrant as Player
from lobby.tournaments.games import Game, Result
from lobby.tournaments.models import Entrant, Pairing, Tournament

SOURCE: Final = "tournament"
BREATHER: Final = timedelta(seconds=5)
"""Between a player's match and the next one of an arena."""
WAIT_MS: Final = 20_000
"""A pairing of an arena is void if it can't be claimed for so long; of a Swiss round, lost by the
player who is busy elsewhere."""
SWISS_WAIT_MS: Final = 60_000
NO_MORE: Final = timedelta(seconds=30)
"""Before the end of its window an arena pairs nobody any more."""
CLAIMED: Final = b"claimed"
VOID: Final = b"void"
KEEP_MS: Final = 24 * 3600 * 1000
GIVEN_UP_MS: Final = 30_000


# -- reading -------------------------------------------------------------------------------------


def players_of(rows: Iterable[Entrant]) -> list[Player]:
    return [Player(row.pk, row.rating, row.user_id or 0) for row in rows]


def game_of(row: Pairing) -> Game:
    ended = 0 if row.ended_at is None else int(row.ended_at.timestamp() * 1000)
    result = Result(row.result) if row.state == Pairing.State.OVER else Result.NONE
    return Game(row.one_id, row.two_id, row.number, result, ended)


def games_of(tournament: Tournament) -> list[Game]:
    """All pairings, without those that are void."""
    rows = tournament.pairings.exclude(state=Pairing.State.VOID).order_by("number", "pk")
    fields = ("one_id", "two_id", "number", "result", "state", "ended_at")
    return [game_of(row) for row in rows.only(*fields)]


def table(
    tournament: Tournament, entrants: Sequence[Entrant], games: Sequence[Game]
) -> list[standings.Line]:
    players = players_of(entrants)
    if tournament.kind == Tournament.Kind.SWISS:
        return standings.of_swiss(players, games)
    return standings.of_arena(players, games)


# -- deciding ------------------------------------------------------------------------------------


async def pair_arena(tournament: Tournament, now: datetime) -> int:
    """A wave of an arena: players who are here and free. Returns the number of new pairings."""
    end = tournament.ends_at
    if end is not None and now > end - NO_MORE:
        return 0
    if await _count_free(tournament, now) < 2:
        return 0
    entrants, games, met = await arena_rows(tournament)
    active = [one for one in entrants if one.state == Entrant.State.ACTIVE and one.user_id]
    free = [one for one in active if not one.match and one.free_at + BREATHER <= now]
    if len(free) < 2:
        return 0
    identities = [user_identity(one.user_id or 0) for one in free]
    here = await presence.online(identities, await now_ms())
    busy = await redis().hmget(named("playing"), identities)
    waiting = [
        one
        for one, identity, match in zip(free, identities, busy, strict=True)
        if identity in here and match is None
    ]
    if len(waiting) < 2:
        return 0
    apart = await blocks.pairs({one.user_id or 0 for one in waiting})
    # Computed in a thread: the worker's event loop has other jobs.
    lines = await asyncio.to_thread(table, tournament, entrants, games)
    ranks = {line.entrant: place for place, line in enumerate(lines)}
    last = arena.last_opponents(met)
    # Ranks among those who wait: in a large arena with few free players everybody is near.
    waiting.sort(key=lambda one: ranks[one.pk])
    pairs = arena.pair(
        [
            arena.Waiting(one.pk, place, _ms(one.free_at), last.get(one.pk), one.user_id or 0)
            for place, one in enumerate(waiting)
        ],
        _ms(now),
        apart=apart,
        may_repeat=len(active) == 2,
    )
    return await _store(tournament, pairs) if pairs else 0


@in_thread
def _count_free(tournament: Tournament, now: datetime) -> int:
    """How many might be paired: most steps find nobody, and need not read all the rows."""
    free = tournament.entrants.filter(
        state=Entrant.State.ACTIVE, user__isnull=False, match="", free_at__lte=now - BREATHER
    )
    return free.count()


@in_thread
def arena_rows(tournament: Tournament) -> tuple[list[Entrant], list[Game], list[Game]]:
    """Its players, the games that count, and all that were begun."""
    rows = list(tournament.pairings.order_by("number", "pk"))
    begun = [game_of(row) for row in rows if row.state != Pairing.State.VOID or row.result]
    return list(tournament.entrants.order_by("pk")), [game_of(row) for row in rows], begun


async def pair_swiss(tournament: Tournament) -> bool:
    """The next round; False when no round is possible any more."""
    entrants, games = await _swiss_rows(tournament)
    apart = await blocks.pairs({one.user_id for one in entrants if one.user_id})
    found = await asyncio.to_thread(swiss.pair, players_of(entrants), games, apart)
    if found is None:
        return False
    await _store(tournament, found.pairs, found.bye)
    return True


@in_thread
def _swiss_rows(tournament: Tournament) -> tuple[list[Entrant], list[Game]]:
    active = tournament.entrants.filter(state=Entrant.State.ACTIVE, user__isnull=False)
    return list(active.order_by("pk")), games_of(tournament)


def store(
    tournament: Tournament, pairs: Sequence[tuple[int, int]], bye: int | None = None
) -> list[Pairing]:
    """Store a wave, unless another worker has stored one since this tournament was read, and
    without players who have left or found a match meanwhile."""
    now = timezone.now()
    with transaction.atomic():
        raised = Tournament.objects.filter(
            pk=tournament.pk, number=tournament.number, status=Tournament.Status.RUNNING
        ).update(number=F("number") + 1, version=F("version") + 1, round_at=now)
        if not raised:
            return []
        ids = {one for pair in pairs for one in pair} | ({bye} if bye is not None else set())
        is_swiss = tournament.kind == Tournament.Kind.SWISS
        rows = tournament.entrants.select_for_update().filter(pk__in=ids, match="")
        if not is_swiss:
            rows = rows.filter(state=Entrant.State.ACTIVE)
        free = {row.pk: row for row in rows}
        firsts = _firsts(tournament, ids)
        new, taken = [], []
        for one, two in pairs:
            if one not in free or two not in free:
                continue
            # Whoever sat in the first seat less often gets it.
            one, two = (two, one) if firsts.get(two, 0) < firsts.get(one, 0) else (one, two)
            match = new_id()
            new.append(_pairing(tournament, one, two, match, now))
            for side in (one, two):
                free[side].match = match
                taken.append(free[side])
        if bye is not None and bye in free:
            row = _pairing(tournament, bye, None, None, now)
            row.state, row.result, row.ended_at = Pairing.State.OVER, Result.BYE, now
            new.append(row)
        Pairing.objects.bulk_create(new)
        Entrant.objects.bulk_update(taken, ["match"])
    return new


def _pairing(
    tournament: Tournament, one: int, two: int | None, match: str | None, now: datetime
) -> Pairing:
    return Pairing(
        tournament=tournament,
        number=tournament.number + 1,
        match=match,
        one_id=one,
        two_id=two,
        created_at=now,
    )


def _firsts(tournament: Tournament, ids: Collection[int]) -> dict[int, int]:
    count: dict[int, int] = {}
    for one in tournament.pairings.filter(one_id__in=ids).values_list("one_id", flat=True):
        count[one] = count.get(one, 0) + 1
    return count


async def _store(
    tournament: Tournament, pairs: Sequence[tuple[int, int]], bye: int | None = None
) -> int:
    return len(await in_thread(store)(tournament, pairs, bye))


# -- carrying out --------------------------------------------------------------------------------


async def begin(tournament: Tournament) -> int:
    """Carry out the pairings that are decided and not begun; returns how many matches are new."""
    rows = await _planned(tournament)
    if not rows:
        return 0
    there = await _marked_open(rows)
    rows = [row for row in rows if row.match not in there]
    now = await now_ms()
    rows = [row for row in rows if not await _is_without_player(tournament, row)]
    await _refuse_stale(tournament, rows, now)
    plans = {row.match or "": _plan(tournament, row) for row in rows}
    claims = await run_each(CHANGE, (_claim(plan, now) for plan in plans.values()))
    create: list[Plan] = []
    for row, plan, answer in zip(rows, plans.values(), claims, strict=True):
        if answer[0] == b"ok" or (
            answer[0] == b"changed" and await _is_decided(tournament, row, now)
        ):
            create.append(plan)
        elif answer[0] == b"busy":
            await _wait_for(tournament, row, answer[1].decode(), answer[2].decode(), now)
    if create:
        await asyncio.gather(
            *(rematch.withdraw(one, "left") for plan in create for one in plan.identities)
        )
        await creation.create_all(create)
        await _marked_open([row for row in rows if row.match in {plan.match for plan in create}])
    return len(create)


@in_thread
def _planned(tournament: Tournament) -> list[Pairing]:
    waiting = tournament.pairings.filter(state=Pairing.State.PLANNED)
    return list(waiting.select_related("one__user", "two__user").order_by("pk"))


@in_thread
def _marked_open(rows: Sequence[Pairing]) -> set[str]:
    """Mark those whose match is there; returns their matches."""
    ids = [row.match for row in rows if row.match]
    there = set(Match.objects.filter(pk__in=ids).values_list("pk", flat=True))
    waiting = Pairing.objects.filter(match__in=there, state=Pairing.State.PLANNED)
    with transaction.atomic():
        results.lock([rows[0].tournament_id])
        if waiting.update(state=Pairing.State.OPEN):
            results.touch(rows[0].tournament_id)
    return there


async def _is_without_player(tournament: Tournament, row: Pairing) -> bool:
    """Settle a pairing of a player whose account was deleted meanwhile."""
    gone = frozenset(
        seat
        for seat, side in enumerate((row.one, row.two))
        if side is not None and side.user_id is None
    )
    if gone:
        await redis().set(named(_state_name(row.match or "")), VOID, nx=True, px=KEEP_MS)
        await _settle_without_match(tournament, row.pk, gone)
    return bool(gone)


async def _refuse_stale(tournament: Tournament, rows: Sequence[Pairing], now: int) -> None:
    """Nobody waits for a match that was decided before the worker was away for a while."""
    if tournament.kind == Tournament.Kind.SWISS:
        return
    for row in rows:
        if now - _ms(row.created_at) > WAIT_MS:
            await redis().set(named(_state_name(row.match or "")), VOID, nx=True, px=KEEP_MS)


def _plan(tournament: Tournament, row: Pairing) -> Plan:
    sides = [side for side in (row.one, row.two) if side is not None]
    return Plan(
        match=row.match or "",
        mode=tournament.mode,
        seats=tuple(
            Seated(
                identity=user_identity(side.user_id or 0),
                name=side.name,
                kind=side.kind,
                user_id=side.user_id,
            )
            for side in sides
        ),
        options=dict(tournament.options),
        rated=tournament.rated and all(side.user_id for side in sides),
        source=SOURCE,
        is_private=tournament.is_private,
    )


def _state_name(match: str) -> str:
    return f"pairing:{match}"


def _claim(plan: Plan, now: int) -> list[str | bytes | int]:
    name = _state_name(plan.match)
    return [name, "", CLAIMED, KEEP_MS, now, plan.match, plan.encoded(), "", *plan.identities]


async def _is_decided(tournament: Tournament, row: Pairing, now: int) -> bool:
    """Whether this claimed pairing may still become a match. One that was given up is settled."""
    raw = await redis().get(named(_state_name(row.match or "")))
    if raw == CLAIMED and (
        await creation.is_pending(row.match or "") or now - _ms(row.created_at) < GIVEN_UP_MS
    ):
        return await creation.is_pending(row.match or "")
    await _settle_without_match(tournament, row.pk, frozenset())
    return False


async def _wait_for(
    tournament: Tournament, row: Pairing, identity: str, match: str, now: int
) -> None:
    """One of the two sits in another match: wait a little for its end."""
    if await playing.release_if_out(identity, match):
        return
    is_swiss = tournament.kind == Tournament.Kind.SWISS
    if now - _ms(row.created_at) < (SWISS_WAIT_MS if is_swiss else WAIT_MS):
        return
    if not await redis().set(named(_state_name(row.match or "")), VOID, nx=True, px=KEEP_MS):
        return  # another worker has just claimed it
    sides = (row.one, row.two)
    late = frozenset(
        seat
        for seat, side in enumerate(sides)
        if side is not None and user_identity(side.user_id or 0) == identity
    )
    await _settle_without_match(tournament, row.pk, late)


@in_thread
def _settle_without_match(tournament: Tournament, pairing_id: int, late: frozenset[int]) -> None:
    """No match of this pairing will be: void in an arena, a forfeit or draw in a Swiss round."""
    with transaction.atomic():
        results.lock([tournament.pk])
        waiting = Pairing.objects.filter(pk=pairing_id, state=Pairing.State.PLANNED)
        row = waiting.select_related("one", "two").first()
        # Another worker may have created the match just now.
        if row is None or Match.objects.filter(pk=row.match).exists():
            return
        if tournament.kind != Tournament.Kind.SWISS:
            results.cancel(row)
            return
        forfeits = {
            frozenset({0}): Result.FORFEIT_TWO,
            frozenset({1}): Result.FORFEIT_ONE,
        }
        row.state, row.result = Pairing.State.OVER, forfeits.get(late, Result.DRAW)
        row.ended_at = timezone.now()
        row.save(update_fields=["state", "result", "ended_at"])
        for seat, side in enumerate((row.one, row.two)):
            if side is not None:
                results.release(side, row.match or "", seat in late, row.ended_at)
        results.touch(tournament.pk)


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
