"""The worker's job: a wave every half second.

A wave drops tickets without a holder, finishes what a dead process began, pairs who waits, settles
what ended, and tells everybody how many are here. One worker at a time takes the waves; two at once
would do no harm, for every step is claimed in Redis.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from functools import partial

from django.conf import settings
from django.db import DatabaseError
from redis.exceptions import RedisError

from games.engine import registry
from games.live.host import host
from games.live.redis import redis
from lobby import blocks, board, creation, due, endings, house_bots, maintenance, notices, queue
from lobby.pairing import Config, Group, offers, pair
from lobby.plans import Plan, Seated, plan_for
from lobby.store import CLAIM, named, now_ms
from lobby.store import run as run_script
from lobby.tickets import Ticket

WAVE_SECONDS = 0.5
LEAD_MS = 3_000
OFFERED_SECONDS = 600

logger = logging.getLogger(__name__)


def config() -> Config:
    """Pairing's numbers, with the modes as they are registered now."""
    modes = registry.modes()
    return Config(
        sizes={mode.name: (max(2, mode.seats[0]), mode.seats[1]) for mode in modes},
        bots_after_ms=settings.BOT_OFFER_SECONDS * 1000,
        without_bots={mode.name for mode in modes if mode.bot is None},
    )


async def run(stop: asyncio.Event) -> None:
    """Take waves until `stop`."""
    # Players do not connect to a worker: it must not count as the site being up.
    host(serving=False)
    me = secrets.token_hex(8)
    while not stop.is_set():
        if await _leads(me):
            await wave(await now_ms(), config())
        try:
            async with asyncio.timeout(WAVE_SECONDS):
                await stop.wait()
        except TimeoutError:
            continue
    await _step_down(me)


async def wave(now: int, numbers: Config) -> None:
    """Every step, though one may fail. Only a Redis that is away ends a wave early."""
    for step in (
        queue.drop_expired,
        creation.recover,
        partial(pair_waiting, numbers=numbers),
        endings.sweep,
        due.sweep,
        board.publish,
    ):
        try:
            await step(now)
        except (RedisError, OSError):
            raise
        except Exception:
            logger.exception("a step of the wave failed")


async def pair_waiting(now: int, numbers: Config) -> None:
    """Make the matches that can be made, and offer bots to who still waits."""
    if await maintenance.queues_closed():
        return
    tickets = await queue.waiting()
    taken = await make_matches(tickets, now, numbers)
    await _offer_bots([t for t in tickets if t.id not in taken], now, numbers)


async def pair_now() -> None:
    """In any process, for somebody who takes whatever there is: no need to wait for a wave. What
    goes wrong here is made up for by the next one."""
    try:
        await pair_waiting(await now_ms(), config())
    except DatabaseError:
        logger.exception("nobody is paired before the next wave")


async def make_matches(tickets: list[Ticket], now: int, numbers: Config) -> set[str]:
    """Pair, claim and create; returns the tickets that are taken now."""
    users = {t.player.user_id for t in tickets if t.player.user_id is not None}
    apart = await blocks.pairs(users)
    taken: set[str] = set()
    for group in pair(tickets, now, numbers, apart):
        plan = plan_for(group, await _bots_for(group))
        if not await claim(plan, now):
            continue  # somebody left or changed their wishes: the next wave looks again
        taken |= {ticket.id for ticket in group.tickets}
        try:
            await creation.create(plan)
        except Exception:
            logger.exception("match %s is not created yet", plan.match)
    return taken


async def claim(plan: Plan, now: int) -> bool:
    """All tickets of the plan leave all queues, and the plan is kept; or nothing happens."""
    pairs = [part for ticket in plan.tickets for part in (ticket.id, ticket.rev)]
    return bool(await run_script(CLAIM, now, plan.match, plan.encoded(), *pairs))


async def _bots_for(group: Group) -> list[Seated]:
    if not group.bots:
        return []
    ratings = [ticket.player.rating(group.mode) for ticket in group.tickets]
    return await house_bots.pick(group.bots, sum(ratings) / len(ratings))


async def _offer_bots(tickets: list[Ticket], now: int, numbers: Config) -> None:
    for ticket in offers(tickets, now, numbers):
        name = named(f"offered:{ticket.id}")
        if not await redis().set(name, "1", nx=True, ex=OFFERED_SECONDS):
            continue
        message = {"type": "bot_offer", "ticket": ticket.id}
        await notices.tell(notices.ticket_group(ticket.id), message)
        if ticket.player.user_id is not None:
            await notices.tell(notices.user_group(ticket.player.user_id), message)


async def _leads(me: str) -> bool:
    """Is it this worker that takes the waves? It is as long as it keeps asking."""
    name = named("lead")
    if await redis().set(name, me, nx=True, px=LEAD_MS):
        return True
    if await redis().get(name) != me.encode():
        return False
    await redis().pexpire(name, LEAD_MS)
    return True


async def _step_down(me: str) -> None:
    """Another worker need not wait for the claim to expire."""
    if await redis().get(named("lead")) == me.encode():
        await redis().delete(named("lead"))
