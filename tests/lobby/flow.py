"""Matches made and ended through the real runtime, for tests of what comes before and after."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from games.engine.game import Outcome
from games.live.seat_client import SeatClient
from lobby import creation, matchmaker, outcomes, queue
from lobby.plans import Plan
from lobby.players import Player
from lobby.store import now_ms
from lobby.tickets import Ticket, Wish

DUEL = Wish(mode="claim", size=2)


async def until(condition: Callable[[], Awaitable[Any]], seconds: float = 30.0) -> Any:
    """Wait until it gives something true, and return that."""
    async with asyncio.timeout(seconds):
        while True:
            if found := await condition():
                return found
            await asyncio.sleep(0.01)


async def _is_past(at: int) -> bool:
    return await now_ms() > at


async def matched(*players: Player, wish: Wish = DUEL, **more: Any) -> tuple[Plan, list[Ticket]]:
    """These players queue, one after the other, and are matched with each other."""
    tickets = []
    for player in players:
        tickets.append(ticket := await queue.join(player, [wish], **more))
        # Of two who came in the same millisecond either may be the first.
        await until(partial(_is_past, ticket.queued_at))
    await matchmaker.make_matches(tickets, await now_ms(), matchmaker.config())
    result = await queue.result(tickets[0].id)
    assert result is not None
    plan = await creation.plan_of(result.match)
    assert plan is not None
    return plan, tickets


async def act(match_id: str, seat: int, *actions: dict[str, Any]) -> None:
    client = await SeatClient.open(match_id, seat)
    for action in actions:
        assert (await client.act(action)).stored
    client.close()


async def surrender(plan: Plan, seat: int, ready: bool = True) -> Outcome:
    """This seat gives up: a loss when everybody was ready, else an aborted set-up."""
    if ready:
        for number in range(len(plan.seats)):
            await act(plan.match, number, {"type": "ready"})
    await act(plan.match, seat, {"type": "surrender"})
    return await until(lambda: outcomes.outcome_of(plan.match))
