"""The rooms of a match: the players' own, and the spectators'.

The players' room is for the seats alone. The spectators' room is for everybody else: players read
it after the end, so that no advice reaches them, and spectators as late as they see the match.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.utils import timezone

from games.engine.registry import MODES, REGISTRY
from games.models import Match
from lobby.chat.rooms import REGISTERED, Rights, open_to_all
from lobby.chat.talking import may_talk
from lobby.errors import LobbyError
from lobby.players import Player

OPEN_AFTER: Final = timedelta(hours=1)
"""How long people talk in the rooms of a match after its end."""
MOST_REMATCHES: Final = 20
"""A rematch of a private match is private; we look back no further than this."""
SOLO: Final = frozenset({Match.Source.SOLO, Match.Source.DAILY, Match.Source.SEALED})
CLOSED: Final = Rights(why="chat_closed")


def _found(match_id: str) -> tuple[Match, list[int | None]]:
    """The match and the accounts of its seats; raises LobbyError."""
    match = Match.objects.defer("log", "deal").filter(pk=match_id).first()
    if match is None or match.source in SOLO:
        raise LobbyError("no_such_room")
    return match, list(match.seats.values_list("user_id", flat=True))


def _is_quiet(match: Match) -> bool:
    return match.ended_at is not None and match.ended_at + OPEN_AFTER < timezone.now()


def _is_private(match: Match) -> bool:
    """Was it begun by an invitation, or is it a rematch of one that was?"""
    for _ in range(MOST_REMATCHES):
        if match.source != Match.Source.REMATCH or match.previous_id is None:
            break
        match = Match.objects.only("source", "previous_id").get(pk=match.previous_id)
    return match.source == Match.Source.INVITE


@sync_to_async
def players_room(player: Player, match_id: str) -> Rights:
    """Quick phrases always; text in private matches, and between players who follow each other."""
    match, seats = _found(match_id)
    if player.user_id is None or player.user_id not in seats:
        raise LobbyError("no_such_room")
    if _is_quiet(match):
        return CLOSED
    others = [user_id for user_id in seats if user_id not in (None, player.user_id)]
    text = player.kind in REGISTERED and (
        _is_private(match)
        or (
            len(others) == len(seats) - 1
            and all(may_talk(player.user_id, other) for other in others if other)
        )
    )
    return Rights(phrases=True, text=text, why="" if text else "chat_phrases")


@sync_to_async
def spectators_room(player: Player, match_id: str) -> Rights:
    match, seats = _found(match_id)
    if match.status == Match.Status.LIVE and player.user_id in seats:
        raise LobbyError("chat_after_end")
    if _is_quiet(match):
        return CLOSED
    rights = open_to_all(player)
    if match.status == Match.Status.LIVE:
        delay = delay_of(match.mode, match.options)
        return Rights(rights.phrases, rights.text, rights.why, delay)
    return rights


def delay_of(mode: str, options: dict[str, Any]) -> int:
    """Milliseconds by which spectators see a match of this mode later; 0 for nearly every mode."""
    found = REGISTRY[mode].spectator_delay if mode in REGISTRY else None
    return found(asdict(MODES[mode].parse_options(options))) if found else 0
