"""The list of matches that run now and that anybody may watch."""

from __future__ import annotations

from typing import Any

from games.live.redis import redis
from lobby import creation
from lobby.plans import Plan, decoded
from lobby.store import named, per_match

MOST = 50
PRIVATE = frozenset({"solo", "daily", "invite"})


async def created() -> list[str]:
    """The ids of all matches that were created and are not settled."""
    # In this order: what is decided in between is not taken for created.
    made = await redis().hkeys(named("made"))
    pending = set(await redis().zrange(named("pending"), 0, -1))
    return [raw.decode() for raw in made if raw not in pending]


async def running() -> list[Plan]:
    """The plans of all matches that were created and are not settled."""
    made: dict[bytes, bytes] = await redis().hgetall(named("made"))
    pending = set(await redis().zrange(named("pending"), 0, -1))
    return [decoded(raw) for match_id, raw in made.items() if match_id not in pending]


async def listed(plans: list[Plan]) -> list[dict[str, Any]]:
    """What people see of them; private matches and games for one are left out."""
    public = [plan for plan in plans if plan.source not in PRIVATE][-MOST:]
    counts = await spectators([plan.match for plan in public])
    return [
        {
            "match": plan.match,
            "url": creation.url_of(plan.match),
            "mode": plan.mode,
            "rated": plan.rated,
            "players": [{"name": seat.name, "kind": seat.kind} for seat in plan.seats],
            "spectators": counts[plan.match],
        }
        for plan in reversed(public)
    ]


async def spectators(match_ids: list[str]) -> dict[str, int]:
    """How many watch each of these matches, over all processes."""
    answers = await per_match(match_ids, lambda pipe, keys: pipe.hvals(f"{keys}hosts"))
    return {
        match_id: sum(int(value) for value in values)
        for match_id, values in zip(match_ids, answers, strict=True)
    }
