"""What follows when a match is over: its players are free, and asked whether they play again.

A set-up that somebody did not finish names who it was. The others go back to the front of the queue
(they keep the time at which they queued); who misses matches again and again waits longer before
the next one.
"""

from __future__ import annotations

from typing import Final

import msgspec

from games.engine.game import Outcome
from games.live.host import NoSuchMatch, UnknownRules, host
from games.live.redis import redis
from lobby import creation, notices, outcomes, presence, rematch, watch
from lobby.plans import Plan
from lobby.store import SETTLE, named, run

WAITS: Final = (0, 30, 120, 600)
"""Seconds before the next queue, after the first, second, third and every further no-show."""

REMEMBERED_SECONDS: Final = 3600
LOST_EVERY_SECONDS: Final = 20
"""How often to look for matches that are nowhere to be found."""


async def sweep(now: int) -> None:
    """Settle every match that ended since the last time."""
    made = await watch.created()
    over = await outcomes.ended(made)
    if await redis().set(named("looked"), "1", nx=True, ex=LOST_EVERY_SECONDS):
        over |= await outcomes.lost(made)
    for match_id, outcome in over.items():
        plan = await creation.plan_of(match_id)
        if plan is not None:
            await settle(plan, outcome, now)


async def settle(plan: Plan, outcome: Outcome, now: int) -> None:
    """Exactly once per match, whoever calls it how often."""
    if not outcome.aborted and len(plan.seats) > 1:
        await _ask_again(plan, outcome)
    absent = [plan.seats[seat] for seat in outcome.absent] if plan.source == "queue" else []
    missing = {seat.identity for seat in absent}
    present = await _present(plan, now) if absent else set()
    back = [
        ticket
        for ticket in plan.tickets
        if absent
        and ticket.requeue
        and ticket.player.identity in present
        and ticket.player.identity not in missing
    ]
    given = {
        "identities": plan.identities,
        "tickets": [msgspec.json.encode(ticket).decode() for ticket in back],
        "missed": sorted(missing - {""}),
        "waits": WAITS,
        "remember": REMEMBERED_SECONDS,
    }
    requeued = await run(SETTLE, plan.match, now, msgspec.json.encode(given))
    if requeued is None:
        return
    names = [seat.name for seat in absent]
    for raw in requeued:
        await _tell_requeued(plan, raw.decode(), names)


async def _present(plan: Plan, now: int) -> set[str]:
    """Who has a page of the site open, or is connected to the match itself: a program need not be
    in the lobby while it plays."""
    present = await presence.online(plan.identities, now)
    try:
        replica = await host().join(plan.match)
    except (NoSuchMatch, UnknownRules):
        return present
    try:
        controllers = replica.course.controllers
        return present | {s.identity for s, by in zip(plan.seats, controllers, strict=True) if by}
    finally:
        host().leave(replica)


async def _ask_again(plan: Plan, outcome: Outcome) -> None:
    """Open the offer. Who was out early and has gone on to something else has answered."""
    await rematch.open_offer(plan, outcome)
    for identity in plan.identities:
        match_id = await redis().hget(named("playing"), identity)
        if match_id is not None and match_id.decode() != plan.match:
            offer = await rematch.get(plan.match)
            if offer is not None and offer.plan.match != match_id.decode():
                await rematch.answer_as(plan.match, identity, False, "left")
        elif await redis().hexists(named("who"), identity):
            await rematch.answer_as(plan.match, identity, False, "queued")


async def _tell_requeued(plan: Plan, ticket_id: str, absent: list[str]) -> None:
    ticket = next(ticket for ticket in plan.tickets if ticket.id == ticket_id)
    message = {
        "type": "requeued",
        "match": plan.match,
        "ticket": ticket_id,
        "absent": absent,
        "queues": list(ticket.queues),
        "queued_at": ticket.queued_at,
    }
    await notices.tell(notices.ticket_group(ticket_id), message)
    if ticket.player.user_id is not None:
        await notices.tell(notices.user_group(ticket.player.user_id), message)
