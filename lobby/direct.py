"""A match of players who found each other elsewhere: the rooms of a text protocol, a contest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.live.setup import new_id
from lobby import creation, maintenance, rematch, states
from lobby.plans import Plan, checked_options, fitted, seat_for
from lobby.players import Player

KEEP_MS = 60_000


async def start(
    players: Sequence[Player],
    mode: str,
    options: dict[str, Any] | None = None,
    *,
    source: str,
    match_id: str | None = None,
) -> str:
    """Create an unrated match of these players, in this order of seats, and return its id. With a
    `match_id` that all of them know, each may call it: there is one match of that id.

    They leave their queues; raises `states.Busy` when one of them is in another match. From then on
    it is a match like any other: listed, settled, with a rematch.
    """
    await maintenance.refuse_when_closed()
    seats = tuple(seat_for(player) for player in players)
    plan = Plan(
        match=match_id or new_id(),
        mode=mode,
        seats=seats,
        options=fitted(mode, checked_options(mode, options or {}), seats),
        rated=False,
        source=source,
    )
    for player in players:
        await rematch.withdraw(player.identity, "left")
    name = f"direct:{plan.match}"
    decided = await states.change(
        name, Plan, lambda old: (old, None) if old else (plan, plan), ttl_ms=KEEP_MS
    )
    # Another one may have decided a moment ago and not have come to this yet.
    await creation.start_match(decided)
    return plan.match
