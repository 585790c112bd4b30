"""Tournaments, players and finished matches for the tests."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from channels.db import database_sync_to_async
from django.utils import timezone

from accounts.models import User
from games.live.archive import archive
from lobby import endings, presence
from lobby.players import player_of
from lobby.tournaments import entry, waves, worker
from lobby.tournaments.models import Entrant, Pairing, Tournament
from tests.lobby.flow import act, until


def new_tournament(kind: str = "arena", **more: Any) -> Tournament:
    """Of the smallest mode, starting now."""
    own = {
        "arena": {"minutes": 60},
        "swiss": {"rounds": 3, "round_minutes": 20},
        "solo": {"minutes": 60, "boards": 2},
    }
    fields: dict[str, Any] = {
        "name": "Test cup",
        "kind": kind,
        "mode": "claim",
        "starts_at": timezone.now(),
        **own[kind],
        **more,
    }
    return Tournament.objects.create(**fields)


def new_users(count: int) -> list[User]:
    return [
        User.objects.create(username=f"Player{number}", email=f"p{number}@example.org")
        for number in range(count)
    ]


@database_sync_to_async
def entered(count: int, kind: str = "arena", **more: Any) -> tuple[Tournament, list[User]]:
    """A tournament that so many players have joined."""
    tournament, users = new_tournament(kind, **more), new_users(count)
    for user in users:
        entry.join(tournament.pk, user)
    return tournament, users


async def all_here(users: list[User]) -> None:
    for user in users:
        await presence.seen(player_of(user))


async def step(now: datetime | None = None, later: timedelta = timedelta(0)) -> None:
    await worker.step((now or timezone.now()) + later)


@database_sync_to_async
def fresh(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


@database_sync_to_async
def pairings(tournament: Tournament, *states: str) -> list[Pairing]:
    rows = tournament.pairings.select_related("one", "two").order_by("number", "pk")
    return list(rows.filter(state__in=states) if states else rows)


@database_sync_to_async
def entrants(tournament: Tournament) -> dict[str, Entrant]:
    return {one.name: one for one in tournament.entrants.order_by("pk")}


@database_sync_to_async
def scores(tournament: Tournament) -> dict[str, int]:
    rows = list(tournament.entrants.order_by("pk"))
    names = {one.pk: one.name for one in rows}
    lines = waves.table(tournament, rows, waves.games_of(tournament))
    return {names[line.entrant]: line.score for line in lines}


async def play(match: str, loser: int | None, absent: int | None = None) -> None:
    """Play this match: `loser` gives up, or the seat `absent` leaves the set-up."""
    if absent is None:
        for seat in (0, 1):
            await act(match, seat, {"type": "ready"})
        await act(match, loser or 0, {"type": "claim", "cell": 0}, {"type": "surrender"})
    else:
        await act(match, absent, {"type": "surrender"})
    await settled(match)


async def settled(match: str) -> None:
    async def stored() -> bool:
        await archive(match)
        return await Pairing.objects.filter(match=match, state__in=("over", "void")).aexists()

    await until(stored)
    await endings.catch_up()
