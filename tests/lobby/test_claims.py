"""However tickets come and go, workers race and die: no ticket is in two matches, none is lost."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter

import msgspec
import pytest
from django.conf import settings as django_settings
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from games import redis as site_redis
from games.live import host as live_host
from games.live.entry import SETUP
from games.live.stored_log import read_entries
from games.redis import redis
from lobby import creation, hub, matchmaker, playing, queue
from lobby.pairing import pair
from lobby.plans import decoded, plan_for
from lobby.players import Player
from lobby.store import named, now_ms
from lobby.tickets import Wish

WISHES = (
    (Wish(mode="claim", size=2),),
    (Wish(mode="claim", size=3), Wish(mode="claim", size=2)),
    (Wish(mode="claim"),),
    (Wish(mode="claim", size=4), Wish(mode="claim")),
)

joins = st.tuples(st.just("join"), st.integers(0, 9), st.sampled_from(WISHES))
happenings = st.tuples(
    st.sampled_from(
        [
            "leave",
            "wave",
            "two waves",
            "dies after claim",
            "dies after create",
            "leave during wave",
        ]
    ),
    st.integers(0, 9),
    st.none(),
)
# Some come, something happens, and so on: most scripts have somebody to pair.
events = st.lists(
    st.tuples(st.lists(joins, min_size=1, max_size=5), happenings), min_size=1, max_size=8
).map(lambda rounds: [step for come, then in rounds for step in (*come, then)])


def anonymous(number: int) -> Player:
    return Player(identity=f"t{number}", name=f"Guest{number}", kind="guest")


class World:
    """Does what is told and notes what every ticket should have become."""

    def __init__(self) -> None:
        self.joined: dict[str, str] = {}
        self.left: set[str] = set()
        self.now = 0

    async def play(self, script) -> None:
        self.now = await now_ms()
        for what, number, wishes in script:
            self.now += 1_000
            await getattr(self, what.replace(" ", "_"))(number, wishes)

    async def join(self, number, wishes) -> None:
        if await playing.match_of(f"t{number}") is not None:
            return
        # A place for an hour: expiry is tested elsewhere.
        ticket = await queue.join(anonymous(number), wishes, ttl_ms=3_600_000, now=self.now)
        self.joined[ticket.id] = ticket.player.identity

    async def leave(self, number, _) -> None:
        ticket = await queue.ticket_of(f"t{number}")
        if ticket is not None and await queue.leave(ticket.id):
            self.left.add(ticket.id)

    async def wave(self, *_) -> None:
        await creation.recover(self.now)
        await matchmaker.make_matches(await queue.waiting(), self.now, matchmaker.config())

    async def two_waves(self, *_) -> None:
        await asyncio.gather(self.wave(), self.wave())

    async def leave_during_wave(self, number, _) -> None:
        await asyncio.gather(self.wave(), self.leave(number, None))

    async def _claim_one(self):
        tickets = await queue.waiting()
        groups = pair(tickets, self.now, matchmaker.config())
        if not groups:
            return None
        plan = plan_for(groups[0])
        assert await matchmaker.claim_all([plan], self.now)
        return plan

    async def dies_after_claim(self, *_) -> None:
        await self._claim_one()

    async def dies_after_create(self, *_) -> None:
        plan = await self._claim_one()
        if plan is not None:
            await creation.start_match(plan)

    async def check(self) -> None:
        self.now += 60_000
        await self.two_waves()
        await self.two_waves()
        plans = [decoded(raw) for raw in await redis().hvals(named("made"))]
        seats = Counter(ticket.id for plan in plans for ticket in plan.tickets)
        waiting = {ticket.id for ticket in await queue.waiting()}
        assert all(count == 1 for count in seats.values()), "a ticket is in two matches"
        assert waiting.isdisjoint(seats)
        assert self.left.isdisjoint(seats)
        assert waiting | set(seats) | self.left == set(self.joined), "a ticket is lost"
        assert await redis().zcard(named("pending")) == 0
        for plan in plans:
            assert len({seat.identity for seat in plan.seats}) == len(plan.seats)
            entries = await read_entries(live_host.host().servers, plan.match)
            kinds = [entry.kind for entry in entries]
            assert kinds == [SETUP], "a match was created twice, or not at all"
            for ticket in plan.tickets:
                matched = await queue.result(ticket.id)
                assert matched is not None
                assert matched.match == plan.match
        # Nobody is in a queue, or in the way of one, who is not waiting.
        assert {raw.decode() for raw in await redis().hvals(named("who"))} == waiting


@pytest.mark.django_db(transaction=True)
@settings(
    max_examples=40,
    deadline=None,
    # Shrinking would take minutes; the scripts are short enough to read.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(events)
def test_no_ticket_is_in_two_matches_or_lost(script) -> None:
    async def scenario() -> None:
        world = World()
        try:
            await world.play(script)
            await world.check()
        finally:
            await live_host.close()
            await hub.close()
            await site_redis.close()

    django_settings.REDIS_PREFIX = f"t{secrets.token_hex(6)}:"
    asyncio.run(scenario())


async def test_a_claim_holds_for_the_wishes_that_were_paired() -> None:
    wish = Wish(mode="claim", size=2)
    one, _two = [await queue.join(anonymous(n), [wish]) for n in range(2)]
    now = await now_ms()
    (group,) = pair(await queue.waiting(), now, matchmaker.config())
    changed = await queue.join(anonymous(0), [Wish(mode="claim", size=3)])
    assert changed.id == one.id
    assert not await matchmaker.claim_all([plan_for(group)], now)
    assert len(await queue.waiting()) == 2


async def test_a_ticket_without_a_holder_is_not_claimed() -> None:
    wish = Wish(mode="claim", size=2)
    tickets = [await queue.join(anonymous(n), [wish]) for n in range(2)]
    (group,) = pair(tickets, await now_ms(), matchmaker.config())
    await queue.fade(tickets[1].player.identity)
    now = await now_ms()
    assert not await matchmaker.claim_all([plan_for(group)], now)
    await queue.refresh(tickets[1].id)
    assert await matchmaker.claim_all([plan_for(group)], now)


async def test_a_match_that_cannot_be_is_given_up_and_its_players_told() -> None:
    wish = Wish(mode="claim", size=2)
    tickets = [await queue.join(anonymous(n), [wish]) for n in range(2)]
    now = await now_ms()
    (group,) = pair(tickets, now, matchmaker.config())
    broken = msgspec.structs.replace(plan_for(group), mode="no-such-mode")
    assert await matchmaker.claim_all([broken], now)
    for _ in range(creation.MOST_TRIES):
        now += creation.LEFT_BEHIND_MS
        await creation.recover(now)
    assert [(await queue.wait(ticket.id)).failed for ticket in tickets] == ["match_failed"] * 2
    assert await redis().hlen(named("made")) == 0
    await queue.join(anonymous(0), [wish])
