"""The chat room of a tournament: everybody who finds its page may talk there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from django.utils import timezone

from lobby.chat.rooms import Rights, open_to_all
from lobby.errors import LobbyError
from lobby.players import Player
from lobby.tournaments.models import Tournament

OPEN_AFTER: Final = timedelta(hours=1)
"""How long people talk after its end."""
CLOSED: Final = Rights(why="chat_closed")


async def rule(player: Player, tournament_id: str) -> Rights:
    found = await Tournament.objects.filter(pk=tournament_id).afirst()
    if found is None:
        raise LobbyError("no_such_room")
    if found.status == Tournament.Status.CANCELLED:
        return CLOSED
    if found.ended_at is not None and found.ended_at + OPEN_AFTER < timezone.now():
        return CLOSED
    rights = open_to_all(player)
    # Words could tell of boards that others still have to play.
    if found.kind == Tournament.Kind.SOLO and found.status != Tournament.Status.OVER:
        return replace(rights, text=False, why="chat_phrases")
    return rights
