"""Tells the players of a tournament that it starts: on every page, and by notification."""

from __future__ import annotations

from typing import Any

from games.push import jobs as push
from lobby import notices
from lobby.tournaments.database import in_thread
from lobby.tournaments.models import Entrant, Tournament


async def started(tournament: Tournament) -> None:
    """May be lost, as every notice."""
    players = await _players(tournament)
    message = message_of(tournament)
    await notices.tell([notices.user_group(user) for user, _kind in players], message)
    await push.add(
        push.Job(
            kind="tournament",
            user=user,
            url=tournament.get_absolute_url(),
            tag=f"tournament-{tournament.pk}",
            fields={"name": tournament.name, "mode": tournament.mode},
        )
        for user, kind in players
        if kind == "registered"
    )


def message_of(tournament: Tournament) -> dict[str, Any]:
    return {
        "type": "tournament_starts",
        "tournament": tournament.pk,
        "name": tournament.name,
        "mode": tournament.mode,
        "url": tournament.get_absolute_url(),
    }


@in_thread
def _players(tournament: Tournament) -> list[tuple[int, str]]:
    rows = tournament.entrants.filter(state=Entrant.State.ACTIVE, user__isnull=False)
    return [(user, kind) for user, kind in rows.values_list("user_id", "kind") if user]
