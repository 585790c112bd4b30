"""The list of matches that run now and that anybody may watch."""

from __future__ import annotations

import asyncio
from typing import Any

from games.live.host import host
from games.redis import redis
from lobby import creation
from lobby.plans import Plan, decoded
from lobby.store import named

MOST = 50
PRIVATE = frozenset({"solo", "daily", "invite", "sealed"})


async def created() -> list[str]:
    """The ids of all matches that were created and are not settled."""
    # In this order: otherwise a match decided in between would count as created.
    made = await redis().hkeys(named("made"))
    pending = set(await redis().zrange(named("pending"), 0, -1))
    return [raw.decode() for raw in made if raw not in pending]


async def running() -> list[Plan]:
    """The plans of all matches that were created and are not settled."""
    made: dict[bytes, bytes] = await redis().hgetall(named("made"))
    pending = set(await redis().zrange(named("pending"), 0, -1))
    return [decoded(raw) for match_id, raw in made.items() if match_id not in pending]


def public(plans: list[Plan]) -> list[Plan]:
    """Those that anybody may watch: neither private nor for one player."""
    return [plan for plan in plans if plan.source not in PRIVATE and not plan.is_private]


async def listed(plans: list[Plan]) -> list[dict[str, Any]]:
    """The public ones, as people see them."""
    shown = public(plans)[-MOST:]
    counts = await spectators([plan.match for plan in shown])
    return [
        {
            "match": plan.match,
            "url": creation.url_of(plan.match),
            "mode": plan.mode,
            "rated": plan.rated,
            "players": [{"name": seat.name, "kind": seat.kind} for seat in plan.seats],
            "spectators": counts[plan.match],
        }
        for plan in reversed(shown)
    ]


async def spectators(match_ids: list[str]) -> dict[str, int]:
    """The number of spectators of each of these matches, over all processes."""
    here = host()
    await here.opened()
    numbers = await asyncio.gather(*(here.spectators.total(match_id) for match_id in match_ids))
    return dict(zip(match_ids, numbers, strict=True))
