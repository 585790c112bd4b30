"""From the decision to the match, exactly once.

The script that decides (a claim, the last seat of an invitation, an accepted challenge, the last
yes to a rematch) writes the plan, with the id the match will have, in the same step. `create`
carries it out: creating a match of an id that exists does nothing, so anybody may repeat it, and
the worker does for every plan that a process left behind when it died.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec
from django.urls import reverse

from games.engine import registry
from games.live.host import host
from games.live.setup import MatchSetup, SeatInfo
from games.live.start import create_matches, new_setup
from games.live.stored_log import match_key
from games.push import jobs as push
from games.redis import redis
from games.storage import NoRoom
from lobby import events, notices
from lobby.dealing.deals import deal_for, deals_for
from lobby.errors import LobbyError
from lobby.plans import Plan, Seated, decoded
from lobby.store import SETTLE, named, now_ms, run
from lobby.tickets import Matched

RESULT_SECONDS = 120
LEFT_BEHIND_MS = 2_000
MOST_TRIES = 5
COUNTDOWN_MS: Final = 3_000
PROGRAMS: Final = ("house", "bot")
DEALT_BEFORE: Final = ("daily", "sealed")
"""Sources of matches for one on a board that others play too. Whoever began it begins again."""
AT_ONCE: Final = 64
"""Matches of one transaction: more would keep the event loop from other work."""

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


async def plans_of(match_ids: Sequence[str | bytes]) -> list[Plan]:
    """The plans of those of these matches that are not settled yet."""
    if not match_ids:
        return []
    raw = await redis().hmget(named("made"), match_ids)
    return [decoded(value) for value in raw if value is not None]


async def begin(plan: Plan, deal: bytes) -> str:
    """Create a match that nobody else could decide on (solo); survives a crash from here on."""
    async with redis().pipeline(transaction=True) as pipe:
        pipe.hset(named("made"), plan.match, plan.encoded())
        pipe.zadd(named("pending"), {plan.match: await now_ms()})
        await pipe.execute()
    try:
        await create(plan, deal)
    except LobbyError:
        async with redis().pipeline(transaction=True) as pipe:
            pipe.zrem(named("pending"), plan.match)
            pipe.hdel(named("made"), plan.match)
            await pipe.execute()
        raise
    return plan.match


async def create(plan: Plan, deal: bytes | None = None) -> None:
    """Create the planned match, unless it is there already, and tell its players. Raises
    LobbyError when its board can't be made or there is no room to store it."""
    await start_match(plan, deal)
    await _created([plan])


async def create_all(plans: Sequence[Plan]) -> None:
    """The same for many, some at a time, in few writes. A match that can't be created now is tried
    again by `recover`."""
    for first in range(0, len(plans), AT_ONCE):
        some = plans[first : first + AT_ONCE]
        try:
            setups = await _setups(some)
            await create_matches(setups)
        except NoRoom:
            logger.warning("no room on the disk for %d matches", len(some))
            continue
        except Exception:
            logger.exception("of %d matches one can't be created; trying each alone", len(some))
            setups = {}
        for plan in some:
            if plan.match not in setups:
                await _try_to_create(plan)
        if setups:
            await _created([plan for plan in some if plan.match in setups])


async def _setups(plans: Sequence[Plan]) -> dict[str, MatchSetup]:
    """By match; without those that need a board which can't be made."""
    deals = await deals_for([(plan.mode, plan.options) for plan in plans])
    return {
        plan.match: _setup(plan, deal)
        for plan, deal in zip(plans, deals, strict=True)
        if deal is not None
    }


async def _try_to_create(plan: Plan) -> None:
    try:
        await create(plan)
    except Exception:
        logger.exception("match %s is not created yet", plan.match)


async def _created(plans: Sequence[Plan]) -> None:
    """Note that these matches are there, and tell their players."""
    async with redis().pipeline(transaction=True) as pipe:
        for plan in plans:
            for number, seat in enumerate(plan.seats):
                if seat.ticket:
                    value = msgspec.json.encode(_matched(plan, number))
                    pipe.set(named(f"result:{seat.ticket}"), value, ex=RESULT_SECONDS)
            pipe.zrem(named("pending"), plan.match)
            pipe.hdel(named("tries"), plan.match)
            if any(seat.kind == "house" for seat in plan.seats):
                pipe.rpush(named("bots"), plan.match)
        await pipe.execute()
    # Only the page that asked for a solo game opens it.
    shared = [plan for plan in plans if plan.source not in ("solo", "daily", "sealed")]
    await events.record(
        (seat.user_id, "match", matched_message(_matched(plan, number)))
        for plan in shared
        for number, seat in enumerate(plan.seats)
        if seat.user_id is not None and seat.identity and not seat.text
    )
    await notices.tell_all(
        (_pages_of(seat), matched_message(_matched(plan, number)))
        for plan in shared
        for number, seat in enumerate(plan.seats)
    )
    await push.add(
        push.about_match("matched", seat.user_id, plan.match, plan.mode)
        for plan in shared
        for seat in plan.seats
        if seat.kind == "registered" and seat.user_id is not None and not seat.text
    )


async def start_match(plan: Plan, deal: bytes | None = None) -> None:
    """Write the match's log. Doing it again changes nothing. Raises LobbyError as `create` does."""
    dealt = await deal_for(plan.mode, plan.options) if deal is None else deal
    try:
        await create_matches({plan.match: _setup(plan, dealt)})
    except NoRoom:
        raise LobbyError("no_room") from None


def _setup(plan: Plan, deal: bytes) -> MatchSetup:
    return new_setup(
        plan.mode,
        [SeatInfo(user_id=s.user_id, name=s.name, kind=s.kind) for s in plan.seats],
        plan.options,
        rated=plan.rated,
        source=plan.source,
        previous=plan.previous,
        deal=deal,
        countdown=_countdown(plan),
    )


def _countdown(plan: Plan) -> int:
    """People who play each other in real time start together; a program needs no warning, and a
    text protocol has no message for one."""
    people = sum(seat.kind not in PROGRAMS for seat in plan.seats)
    realtime = registry.game(plan.mode).spec.realtime
    return COUNTDOWN_MS if realtime and people > 1 and not any(s.text for s in plan.seats) else 0


def _pages_of(seat: Seated) -> list[str]:
    """The addresses at which the player of this seat hears of the match."""
    addresses = [notices.ticket_group(seat.ticket)] if seat.ticket else []
    # A player of a text protocol isn't called to a page: it would take the seat.
    if seat.user_id is not None and seat.identity and not seat.text:
        addresses.append(notices.user_group(seat.user_id))
    return addresses


def _matched(plan: Plan, number: int) -> Matched:
    return Matched(
        ticket=plan.seats[number].ticket,
        identity=plan.seats[number].identity,
        match=plan.match,
        seat=number,
        mode=plan.mode,
        players=tuple({"name": s.name, "kind": s.kind} for s in plan.seats),
        source=plan.source,
    )


def matched_message(matched: Matched) -> dict[str, Any]:
    """The message to a player who got a seat."""
    return {
        "type": "matched",
        "match": matched.match,
        "url": url_of(matched.match),
        "seat": matched.seat,
        "mode": matched.mode,
        "players": list(matched.players),
        "source": matched.source,
    }


class Creator:
    """Creates the matches of waves while the next waves go on, in the order in which they were
    decided."""

    def __init__(self) -> None:
        self._plans: deque[Plan] = deque()
        self._task: asyncio.Task[None] | None = None
        self.under_way: set[str] = set()
        """Matches that this worker will create: `recover` leaves them alone."""

    async def add(self, plans: Sequence[Plan]) -> None:
        self._plans.extend(plans)
        self.under_way.update(plan.match for plan in plans)
        if self._task is None and plans:
            self._task = asyncio.get_running_loop().create_task(self._create())

    async def finished(self) -> None:
        """Return when all matches are created, or are left to `recover`."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _create(self) -> None:
        while self._plans:
            some = [self._plans.popleft() for _ in range(min(AT_ONCE, len(self._plans)))]
            try:
                await create_all(some)
            except Exception:
                logger.exception("%d matches are not created yet", len(some))
            self.under_way.difference_update(plan.match for plan in some)
        self._task = None


async def recover(now: int, under_way: Collection[str] = ()) -> int:
    """Carry out the plans that were left behind; returns how many there were."""
    old = await redis().zrangebyscore(named("pending"), "-inf", now - LEFT_BEHIND_MS)
    for raw in old:
        match_id = raw.decode()
        if match_id in under_way:
            continue
        plan = await plan_of(match_id)
        if plan is None:
            await redis().zrem(named("pending"), raw)
            continue
        if plan.source in DEALT_BEFORE:
            # Its board isn't in the plan, and on another board it wouldn't be the same match.
            await (_created([plan]) if await has_log(match_id) else _forget(plan, now))
            continue
        tries = await redis().hincrby(named("tries"), match_id, 1)
        try:
            await create(plan)
        except Exception as error:
            # Refusals, such as for a full disk, need no traceback.
            why = None if isinstance(error, LobbyError) else error
            message = "match %s could not be created, try %d: %s"
            logger.error(message, match_id, tries, error, exc_info=why)
            if tries >= MOST_TRIES:
                await _give_up(plan, now)
    return len(old)


async def has_log(match_id: str) -> bool:
    """Whether the match has begun, and isn't over for so long that its log is put away."""
    return bool(await host().servers.call("EXISTS", match_key(match_id, "log")))


async def _forget(plan: Plan, now: int) -> bool:
    """Take back the decision for a match, and free its players; False: somebody else did."""
    given = {
        "identities": plan.identities,
        "tickets": [],
        "missed": [],
        "waits": [0],
        "remember": 1,
    }
    if await run(SETTLE, plan.match, now, msgspec.json.encode(given)) is None:
        return False
    await redis().hdel(named("tries"), plan.match)
    return True


async def _give_up(plan: Plan, now: int) -> None:
    """Cancel a match that can't be created: free its players, and tell them."""
    if not await _forget(plan, now):
        return
    message = {"type": "error", **LobbyError("match_failed").as_json()}
    for seat in plan.seats:
        if seat.ticket:
            failed = Matched(ticket=seat.ticket, identity=seat.identity, failed="match_failed")
            value = msgspec.json.encode(failed)
            await redis().set(named(f"result:{seat.ticket}"), value, ex=RESULT_SECONDS)
    await notices.tell_all((_pages_of(seat), message) for seat in plan.seats)
