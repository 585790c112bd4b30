"""From the decision to the match, exactly once.

The script that decides (a claim, the last seat of an invitation, an accepted challenge, the last
yes to a rematch) writes the plan, with the id the match will have, in the same step. `create`
carries it out: creating a match of an id that exists does nothing, so anybody may repeat it, and
the worker does for every plan that a process left behind when it died.
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from django.urls import reverse

from games.live.redis import redis
from games.live.setup import SeatInfo
from games.live.start import create_match
from lobby import notices
from lobby.dealing.deals import deal_for
from lobby.errors import LobbyError
from lobby.plans import Plan, decoded
from lobby.store import SETTLE, named, now_ms, run
from lobby.tickets import Matched

RESULT_SECONDS = 120
LEFT_BEHIND_MS = 2_000
MOST_TRIES = 5

logger = logging.getLogger(__name__)


def url_of(match_id: str) -> str:
    return reverse("games:match", args=[match_id])


async def plan_of(match_id: str) -> Plan | None:
    """The plan of a match that was decided and is not settled yet."""
    raw = await redis().hget(named("made"), match_id)
    return None if raw is None else decoded(raw)


async def is_pending(match_id: str) -> bool:
    """Decided, and not known to be created."""
    return await redis().zscore(named("pending"), match_id) is not None


async def pending() -> list[Plan]:
    """Plans that are decided and not known to be created."""
    ids = await redis().zrange(named("pending"), 0, -1)
    if not ids:
        return []
    raw = await redis().hmget(named("made"), ids)
    return [decoded(value) for value in raw if value is not None]


async def begin(plan: Plan, deal: bytes) -> str:
    """Create a match that nobody else could decide on (solo); survives a crash from here on."""
    async with redis().pipeline(transaction=True) as pipe:
        pipe.hset(named("made"), plan.match, plan.encoded())
        pipe.zadd(named("pending"), {plan.match: await now_ms()})
        await pipe.execute()
    await create(plan, deal)
    return plan.match


async def create(plan: Plan, deal: bytes | None = None) -> None:
    """Create the planned match, unless it is there already, and tell its players. Raises
    LobbyError when its board can't be made."""
    await start_match(plan, deal)
    async with redis().pipeline(transaction=True) as pipe:
        for number, seat in enumerate(plan.seats):
            if seat.ticket:
                value = msgspec.json.encode(_matched(plan, number))
                pipe.set(named(f"result:{seat.ticket}"), value, ex=RESULT_SECONDS)
        pipe.zrem(named("pending"), plan.match)
        pipe.hdel(named("tries"), plan.match)
        await pipe.execute()
    await _tell(plan)


async def start_match(plan: Plan, deal: bytes | None = None) -> None:
    """Write the match's log. Doing it again changes nothing."""
    if deal is None:
        deal = await deal_for(plan.mode, plan.options)
    await create_match(
        plan.mode,
        [SeatInfo(user_id=s.user_id, name=s.name, kind=s.kind) for s in plan.seats],
        plan.options,
        rated=plan.rated,
        source=plan.source,
        previous=plan.previous,
        deal=deal,
        match_id=plan.match,
    )


async def _tell(plan: Plan) -> None:
    if plan.source in ("solo", "daily"):
        return  # only who asked for it should go there
    for number, seat in enumerate(plan.seats):
        message = matched_message(_matched(plan, number))
        if seat.ticket:
            await notices.tell(notices.ticket_group(seat.ticket), message)
        # Who plays over a text connection is not called to a page: it would take the seat.
        if seat.user_id is not None and seat.identity and not seat.text:
            await notices.tell(notices.user_group(seat.user_id), message)


def _matched(plan: Plan, number: int) -> Matched:
    return Matched(
        ticket=plan.seats[number].ticket,
        match=plan.match,
        seat=number,
        mode=plan.mode,
        players=tuple({"name": s.name, "kind": s.kind} for s in plan.seats),
        source=plan.source,
    )


def matched_message(matched: Matched) -> dict[str, Any]:
    """What a player is told who got a seat."""
    return {
        "type": "matched",
        "match": matched.match,
        "url": url_of(matched.match),
        "seat": matched.seat,
        "mode": matched.mode,
        "players": list(matched.players),
        "source": matched.source,
    }


async def recover(now: int) -> int:
    """Carry out the plans that were left behind; returns how many there were."""
    old = await redis().zrangebyscore(named("pending"), "-inf", now - LEFT_BEHIND_MS)
    for raw in old:
        match_id = raw.decode()
        plan = await plan_of(match_id)
        if plan is None:
            await redis().zrem(named("pending"), raw)
            continue
        tries = await redis().hincrby(named("tries"), match_id, 1)
        try:
            await create(plan)
        except Exception:
            logger.exception("match %s could not be created, try %d", match_id, tries)
            if tries >= MOST_TRIES:
                await _give_up(plan, now)
    return len(old)


async def _give_up(plan: Plan, now: int) -> None:
    """The match can't be: everybody is free again and told so."""
    given = {
        "identities": plan.identities,
        "tickets": [],
        "missed": [],
        "waits": [0],
        "remember": 1,
    }
    if await run(SETTLE, plan.match, now, msgspec.json.encode(given)) is None:
        return
    await redis().hdel(named("tries"), plan.match)
    message = {"type": "error", **LobbyError("match_failed").as_json()}
    for seat in plan.seats:
        if seat.ticket:
            value = msgspec.json.encode(Matched(ticket=seat.ticket, failed="match_failed"))
            await redis().set(named(f"result:{seat.ticket}"), value, ex=RESULT_SECONDS)
            await notices.tell(notices.ticket_group(seat.ticket), message)
        if seat.user_id is not None and seat.identity:
            await notices.tell(notices.user_group(seat.user_id), message)
