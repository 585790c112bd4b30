"""Returns a text client to its match after our outage: by a key that it chose itself, or as
the account that its token proves.

The stored place names the match and the seat. It is found by a hash of name and key, so Redis holds
no key, and two guests of one name have a place each.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

import msgspec

from games.access import Identity
from games.redis import key as redis_key
from games.redis import redis
from lobby.players import Player

KEPT_SECONDS: Final = 2 * 3600


class Place(msgspec.Struct, frozen=True):
    match: str
    seat: int
    player: Player


def _where(mode: str, name: str, key: str, user_id: int | None) -> str | None:
    """None: this client can't prove who it is, so it has no place to come back to."""
    if user_id is not None:
        return redis_key(f"text:back:{mode}:u{user_id}")
    if not key:
        return None
    digest = sha256(f"{name.lower()}\0{key}".encode()).hexdigest()
    return redis_key(f"text:back:{mode}:{digest}")


async def keep(mode: str, place: Place, key: str) -> None:
    player = place.player
    where = _where(mode, player.name, key, player.user_id)
    if where is not None:
        await redis().set(where, msgspec.json.encode(place), ex=KEPT_SECONDS)


async def find(mode: str, name: str, key: str, proven: Identity | None) -> Place | None:
    """The place of this client, if it proves that it is its own."""
    for user_id in (None if proven is None else proven.user_id, None):
        where = _where(mode, name, key, user_id)
        raw = None if where is None else await redis().get(where)
        if raw is not None:
            place = msgspec.json.decode(raw, type=Place)
            if place.player.name.lower() == name.lower():
                return place
    return None


async def forget(mode: str, player: Player, key: str) -> None:
    where = _where(mode, player.name, key, player.user_id)
    if where is not None:
        await redis().delete(where)
