"""Tells the players of a tournament that it starts: on every page, and by notification."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext_noop

from accounts.notifications import kinds
from accounts.notifications.kinds import Kind
from accounts.notifications.notify import notify
from lobby import notices
from lobby.tournaments.database import in_thread
from lobby.tournaments.models import Entrant, Tournament

KIND: Final = "tournament"


def register() -> None:
    """Called when the app starts."""
    kinds.register(
        KIND,
        Kind(
            gettext_noop("Tournament {name} is starting"),
            "{mode}",
            seconds=600,
            icon="trophy",
            names_player=False,
        ),
    )


async def started(tournament: Tournament) -> None:
    """May be done again: the later notification replaces the earlier one."""
    players = await _notify(tournament)
    groups = [notices.user_group(user) for user in players]
    await notices.tell(groups, message_of(tournament))


def message_of(tournament: Tournament) -> dict[str, Any]:
    return {
        "type": "tournament_starts",
        "tournament": tournament.pk,
        "name": tournament.name,
        "mode": tournament.mode,
        "url": tournament.get_absolute_url(),
    }


@in_thread
def _notify(tournament: Tournament) -> list[int]:
    """The accounts that were told."""
    rows = tournament.entrants.filter(state=Entrant.State.ACTIVE, user__isnull=False)
    players = [user for user in rows.values_list("user_id", flat=True) if user]
    for user in players:
        notify(
            user,
            KIND,
            {"name": tournament.name, "mode": tournament.mode},
            url=tournament.get_absolute_url(),
            tag=str(tournament.pk),
        )
    return players
