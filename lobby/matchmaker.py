"""The worker's job: a wave every half second, and pairing at once when a ticket asks for it.

A wave drops tickets without a holder, finishes what a dead process began, pairs the waiting
tickets, settles matches that ended, and tells everybody how many are here. It claims its matches;
they are created while the next waves go on. One worker at a time runs the waves; two at once do no
harm, because every step is claimed in Redis.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from django.conf import settings
from redis.exceptions import RedisError

from games.engine import registry
from games.live.host import host
from games.live.setup import new_id
from games.redis import pop, redis
from lobby import (
    blocks,
    board,
    creation,
    due,
    endings,
    first_steps,
    house_bots,
    maintenance,
    notices,
    queue,
)
from lobby.pairing import Config, Group, offers, pair
from lobby.plans import Plan, Seated, plan_for
from lobby.store import CLAIM, named, now_ms, run_each
from lobby.tickets import Ticket

WAVE_SECONDS = 0.5
LEAD_MS = 3_000

Create = Callable[[Sequence[Plan]], Awaitable[None]]
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
    """Run waves until `stop`."""
    # Players do not connect to a worker: it must not count as the site being up.
    host(serving=False)
    creation.url_of(new_id())  # the first one imports every view: not while players wait
    me = secrets.token_hex(8)
    creator = creation.Creator()
    while not stop.is_set():
        if await _leads(me):
            await wave(await now_ms(), config(), creator)
            await _pair_on_demand(WAVE_SECONDS, creator)
        else:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), WAVE_SECONDS)
    await creator.finished()
    await _step_down(me)


async def wake() -> None:
    """Ask the worker to pair now, for a player who takes whatever there is. If nobody hears it,
    the next wave does the same."""
    async with redis().pipeline(transaction=True) as pipe:
        pipe.lpush(named("wake"), "1")
        pipe.ltrim(named("wake"), 0, 0)
        await pipe.execute()


async def _pair_on_demand(seconds: float, creator: creation.Creator) -> None:
    """Until the next wave, pair whenever a ticket asks for it."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while (left := end - loop.time()) > 0:
        if await pop(named("wake"), left) is not None:
            step = partial(pair_waiting, numbers=config(), create=creator.add)
            await _step(step, await now_ms())


async def wave(now: int, numbers: Config, creator: creation.Creator) -> None:
    """Every step, though one may fail. Only a Redis that is away ends a wave early."""
    for step in (
        queue.drop_expired,
        partial(creation.recover, under_way=creator.under_way),
        partial(pair_waiting, numbers=numbers, create=creator.add),
        endings.settle_lost,
        due.sweep,
        board.publish,
    ):
        await _step(step, now)


async def _step(step: Callable[[int], Awaitable[object]], now: int) -> None:
    try:
        await step(now)
    except (RedisError, OSError):
        raise
    except Exception:
        logger.exception("a step of the wave failed")


async def pair_waiting(now: int, numbers: Config, create: Create = creation.create_all) -> None:
    """Make the matches that can be made, and offer bots to players who still wait."""
    if await maintenance.queues_closed():
        return
    tickets = await queue.waiting(now)
    taken = await make_matches(tickets, now, numbers, create)
    await _offer_bots([t for t in tickets if t.id not in taken], now, numbers)


async def make_matches(
    tickets: list[Ticket], now: int, numbers: Config, create: Create = creation.create_all
) -> set[str]:
    """Pair, claim and create; returns the tickets that are taken now."""
    began = time.monotonic()
    groups = pair(tickets, now, numbers)
    if not groups:
        return set()
    users = {t.player.user_id for t in tickets if t.player.user_id is not None}
    if apart := await blocks.pairs(users):
        groups = pair(tickets, now, numbers, apart)
    plans = [plan_for(group, await _bots_for(group)) for group in groups]
    # Claim all at once, so that players who leave while matches are created aren't matched.
    claimed = await claim_all(plans, now + int(1000 * (time.monotonic() - began)))
    try:
        await create(claimed)
    except Exception:
        logger.exception("%d matches are not created yet", len(claimed))
    return {ticket.id for plan in claimed for ticket in plan.tickets}


async def claim_all(plans: Sequence[Plan], now: int) -> list[Plan]:
    """Claim each plan: all its tickets leave all queues and the plan is kept, or nothing happens,
    because a player left or changed the wishes. Returns the plans that hold."""
    answers = await run_each(CLAIM, (_claim(plan, now) for plan in plans))
    return [plan for plan, holds in zip(plans, answers, strict=True) if holds]


def _claim(plan: Plan, now: int) -> list[str | bytes | int]:
    pairs = [part for ticket in plan.tickets for part in (ticket.id, ticket.rev)]
    return [now, queue.AWAY_MS, plan.match, plan.encoded(), *pairs]


async def _bots_for(group: Group) -> list[Seated]:
    if not group.bots:
        return []
    players = [ticket.player for ticket in group.tickets]
    strengths = [
        await first_steps.bot_strength(player.user_id, group.mode, player.rating(group.mode))
        for player in players
    ]
    return await house_bots.pick(group.bots, sum(strengths) / len(strengths))


async def _offer_bots(tickets: list[Ticket], now: int, numbers: Config) -> None:
    waiting = offers(tickets, now, numbers)
    if not waiting:
        return
    ids = [ticket.id for ticket in waiting]
    known = await redis().smismember(named("offered"), ids)
    new = [ticket for ticket, offered in zip(waiting, known, strict=True) if not offered]
    if not new:
        return
    await redis().sadd(named("offered"), *(ticket.id for ticket in new))
    await notices.tell_all(
        (notices.holders_of(ticket), {"type": "bot_offer", "ticket": ticket.id}) for ticket in new
    )


async def _leads(me: str) -> bool:
    """Does this worker run the waves? It does as long as it keeps asking."""
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
