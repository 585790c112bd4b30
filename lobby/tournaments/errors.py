"""Refusals about tournaments. docs/tournaments.md says more of each code."""

from __future__ import annotations

from typing import Any, Final

from lobby.errors import LobbyError

CODES: Final[dict[str, str]] = {
    "bad_tournament": "A tournament can’t be set up like that.",
    "no_such_tournament": "That tournament doesn’t exist.",
    "not_entered": "You’re not in this tournament.",
    "not_yours": "Only its organiser can do that.",
    "tournament_account": "Tournaments are for registered players. Create an account to join.",
    "tournament_age": "Your account is too young for this tournament.",
    "tournament_bots": "Bots can’t play in this tournament.",
    "tournament_closed": "This tournament no longer takes new players.",
    "tournament_full": "This tournament is full.",
    "tournament_over": "This tournament is over.",
    "tournament_rating": "Your rating doesn’t fit this tournament.",
    "too_many_tournaments": "You have too many open tournaments. Wait until one is over.",
    "too_many_entries": "You’ve joined too many tournaments. Withdraw from one first.",
}


class TournamentError(LobbyError):
    """A refusal: nothing was changed."""

    def __init__(self, code: str, text: str = "", **extra: Any) -> None:
        super().__init__(code, text or CODES[code], **extra)
