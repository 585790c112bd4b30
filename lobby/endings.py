"""Handles the end of a match: its players are free, and asked whether they play again.

Ends are pushed (games/live/ends.py). A set-up that a player did not finish names that player. The
others go back to the front of the queue (they keep the time at which they queued); a player who
misses matches again and again waits longer before the next one.
"""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from games.engine.game import Outcome
from games.live import ends
from games.live.host import NoSuchMatch, UnknownRules, host
from games.redis import redis
from lobby import creation, notices, outcomes, presence, rematch, watch
from lobby.plans import Plan
from lobby.store import SETTLE, named, now_ms
from lobby.store import run as run_script

WAITS: Final = (0, 30, 120, 600)
"""Seconds before the next queue, after the first, second, third and every further no-show."""

REMEMBERED_SECONDS: Final = 3600
LOST_EVERY_SECONDS: Final = 20
"""Seconds between two looks for lost matches."""
GROUP: Final = "lobby"


async def run(stop: asyncio.Event) -> None:
    """The worker's job: settle matches as they end."""
    here = host(serving=False)
    await ends.consume(GROUP, here.process, ends.one_by_one(_ended), stop)


async def catch_up() -> None:
    """Settle the matches whose end has been announced, and return."""
    await ends.consume_new(GROUP, "catch-up", ends.one_by_one(_ended))


async def _ended(match_id: str, outcome: Outcome) -> None:
    plan = await creation.plan_of(match_id)
    if plan is not None:
        await settle(plan, outcome, await now_ms())


async def settle_lost(now: int) -> None:
    """Settle matches that ended without a word, because Redis lost them."""
    if not await redis().set(named("looked"), "1", nx=True, ex=LOST_EVERY_SECONDS):
        return
    made = await watch.created()
    for match_id, outcome in ((await outcomes.ended(made)) | (await outcomes.lost(made))).items():
        plan = await creation.plan_of(match_id)
        if plan is not None:
            await settle(plan, outcome, now)


async def settle(plan: Plan, outcome: Outcome, now: int) -> None:
    """Settle a match exactly once, however often this is called."""
    if not outcome.aborted and plan.has_rematch:
        await _ask_again(plan, outcome)
    absent = [plan.seats[seat] for seat in outcome.absent] if plan.source == "queue" else []
    missing = {seat.identity for seat in absent}
    # Against house bots alone nobody's time is lost: leaving before the start costs nothing.
    has_others = sum(seat.kind != "house" for seat in plan.seats) > 1
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
        "missed": sorted(missing - {""}) if has_others else [],
        "waits": WAITS,
        "remember": REMEMBERED_SECONDS,
    }
    requeued = await run_script(SETTLE, plan.match, now, msgspec.json.encode(given))
    if requeued is None:
        return
    names = [seat.name for seat in absent]
    for raw in requeued:
        await _tell_requeued(plan, raw.decode(), names)


async def _present(plan: Plan, now: int) -> set[str]:
    """The players who have a page of the site open, or are connected to the match itself: a program
    need not be in the lobby while it plays."""
    present = await presence.online(plan.identities, now)
    try:
        replica = await host().join(plan.match)
    except (NoSuchMatch, UnknownRules):
        return present
    try:
        controllers = replica.state.controllers
        return present | {s.identity for s, by in zip(plan.seats, controllers, strict=True) if by}
    finally:
        host().leave(replica)


async def _ask_again(plan: Plan, outcome: Outcome) -> None:
    """Open the offer. A player who was out early and has gone on to something else has answered."""
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
