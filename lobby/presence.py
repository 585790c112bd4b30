"""Presence: players seen within the last half minute, by kind.

Counts for people to look at, not a truth to decide by. A holder says `seen` every few seconds.
"""

from __future__ import annotations

from collections.abc import Iterable

from redis.asyncio.client import Pipeline

from games.redis import redis
from lobby.players import Player
from lobby.store import named, now_ms

FADES_MS = 30_000
CLOSED_MS = 3_000
"""Milliseconds that a player still counts as present after the last connection closed."""
GROUPS = {"registered": "registered", "guest": "guests", "bot": "bots"}


async def seen(player: Player, now: int | None = None) -> None:
    """This player has a connection open."""
    at = await now_ms() if now is None else now
    await redis().zadd(named(f"online:{GROUPS[player.kind]}"), {player.identity: at})


def say_seen(pipe: Pipeline, player: Player, now: int) -> None:
    """The same as one of several commands."""
    pipe.zadd(named(f"online:{GROUPS[player.kind]}"), {player.identity: now})


async def seen_all(players: Iterable[tuple[str, str]], now: int) -> None:
    """Identity and kind of many at once."""
    groups: dict[str, dict[str, int]] = {}
    for identity, kind in players:
        groups.setdefault(GROUPS[kind], {})[identity] = now
    for group, members in groups.items():
        await redis().zadd(named(f"online:{group}"), members)


async def gone(player: Player, now: int | None = None) -> None:
    """A connection closed. The next page, or another one that is open, says `seen` in time."""
    at = await now_ms() if now is None else now
    fading = {player.identity: at - FADES_MS + CLOSED_MS}
    await redis().zadd(named(f"online:{GROUPS[player.kind]}"), fading, xx=True, lt=True)


async def counts(now: int) -> dict[str, int]:
    """The numbers of registered players, guests and bots that are here."""
    async with redis().pipeline(transaction=False) as pipe:
        for group in GROUPS.values():
            pipe.zremrangebyscore(named(f"online:{group}"), "-inf", now - FADES_MS)
            pipe.zcard(named(f"online:{group}"))
        answers = await pipe.execute()
    return dict(zip(GROUPS.values(), answers[1::2], strict=True))


async def online(identities: Iterable[str], now: int) -> set[str]:
    """Those of the identities that are here."""
    asked = list(identities)
    found: set[str] = set()
    if not asked:
        return found
    for group in GROUPS.values():
        scores = await redis().zmscore(named(f"online:{group}"), asked)
        found |= {
            identity
            for identity, at in zip(asked, scores, strict=True)
            if at is not None and at > now - FADES_MS
        }
    return found
