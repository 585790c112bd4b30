"""Who of some players is here, and where they play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from games.redis import redis
from lobby import creation, presence
from lobby.plans import decoded
from lobby.players import user_identity
from lobby.store import named
from lobby.watch import public


class Whereabouts(msgspec.Struct, frozen=True):
    online: bool = False
    playing: bool = False
    mode: str = ""
    url: str = ""
    """Of the match, if anybody may watch it."""

    def as_json(self) -> dict[str, Any]:
        return {
            "online": self.online,
            "playing": self.playing,
            "mode": self.mode or None,
            "url": self.url or None,
        }


AWAY = Whereabouts()


async def whereabouts(user_ids: Sequence[int], now: int) -> dict[int, Whereabouts]:
    """Of each of these users, in three round trips however many they are."""
    identities = {user_identity(user_id): user_id for user_id in user_ids}
    found = dict.fromkeys(user_ids, AWAY)
    here = await presence.online(identities, now)
    if not here:
        return found
    listed = sorted(here)
    matches: list[bytes | None] = await redis().hmget(named("playing"), listed)
    playing = {one: raw for one, raw in zip(listed, matches, strict=True) if raw is not None}
    made: list[bytes | None] = []
    if playing:
        made = await redis().hmget(named("made"), list(playing.values()))
    plans = {one: raw for one, raw in zip(playing, made, strict=True) if raw is not None}
    for identity in listed:
        where = Whereabouts(online=True)
        if identity in plans:
            plan = decoded(plans[identity])
            url = creation.url_of(plan.match) if public([plan]) else ""
            where = Whereabouts(online=True, playing=True, mode=plan.mode, url=url)
        found[identities[identity]] = where
    return found
