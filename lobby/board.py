"""The public state of the lobby: how many are here, wait and play, and what can be watched.

The worker works it out and tells it at most every two seconds, and only when it changed.
"""

from __future__ import annotations

from typing import Any

import msgspec
from redis.exceptions import RedisError

from games.redis import redis
from lobby import notices, presence, queue, watch
from lobby.plans import Plan
from lobby.store import named

EVERY_MS = 2_000
PRESENCE, MATCHES = "presence", "matches"
"""Keys of the last broadcast."""


async def publish(now: int) -> None:
    """Tell the pages that show it, unless it was told just now or is the same as before."""
    if not await redis().set(named("told"), "1", nx=True, px=EVERY_MS):
        return
    plans = await watch.running()
    tickets = await queue.waiting()
    await _text_players_are_here(plans, now)
    counts = await presence.counts(now)
    # A player whose connection is lost is not here, and so not counted twice differently.
    seated = {identity for plan in plans for identity in plan.identities}
    playing = await presence.online(seated, now)
    news = {
        "type": "presence",
        "online": sum(counts.values()),
        **counts,
        "queued": len(tickets),
        "playing": len(playing),
        "matches": len(plans),
        "public": len(watch.public(plans)),
        "queues": {
            name: entry["waiting"] for name, entry in sorted(queue.summary(tickets, now).items())
        },
    }
    matches = {"type": "matches", "live": await watch.listed(plans)}
    await _tell_if_new(PRESENCE, notices.COUNTS, news)
    await _tell_if_new(MATCHES, notices.WATCHERS, matches)


async def _text_players_are_here(plans: list[Plan], now: int) -> None:
    """A text connection has no socket in the lobby while it plays; a lost one ends its match."""
    seats = [seat for plan in plans for seat in plan.seats if seat.text]
    await presence.seen_all(((seat.identity, seat.kind) for seat in seats), now)


async def _tell_if_new(name: str, group: str, message: dict[str, Any]) -> None:
    raw = msgspec.json.encode(message)
    if await redis().getset(named(name), raw) != raw:
        await notices.tell(group, message)


async def last(name: str) -> dict[str, Any] | None:
    """The last `presence` or `matches` that was told, for a page that was opened just now."""
    raw = await redis().get(named(name))
    return None if raw is None else msgspec.json.decode(raw)


async def now() -> dict[str, Any]:
    """Both in one: the numbers, and under `live` the matches; empty while Redis does not answer."""
    try:
        numbers = await last(PRESENCE) or {}
        matches = await last(MATCHES) or {}
    except (RedisError, OSError):
        numbers = matches = {}
    facts = {key: value for key, value in numbers.items() if key != "type"}
    return {**facts, "live": matches.get("live", [])}
