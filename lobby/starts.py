"""Limits how many solo games a player starts: each costs a row in the database and a log."""

from __future__ import annotations

from typing import Final

from django.conf import settings

from games.redis import redis
from lobby.errors import LobbyError
from lobby.players import Player
from lobby.store import named

WINDOW_SECONDS: Final = 60


async def count(player: Player, address: str) -> None:
    """Count one more; raises LobbyError `too_many_games`. Guests are counted by their address too,
    because anybody can be another guest in a moment."""
    limits = {named(f"starts:{player.identity}"): settings.SOLO_PER_MINUTE}
    if player.kind == "guest" and address:
        limits[named(f"starts-from:{address}")] = settings.SOLO_PER_ADDRESS
    async with redis().pipeline(transaction=True) as pipe:
        for name in limits:
            pipe.set(name, 0, ex=WINDOW_SECONDS, nx=True)
            pipe.incr(name)
            pipe.ttl(name)
        answers = await pipe.execute()
    for limit, number, seconds in zip(limits.values(), answers[1::3], answers[2::3], strict=True):
        if number > limit:
            raise LobbyError("too_many_games", seconds=max(1, int(seconds)))
