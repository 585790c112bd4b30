"""Players who don't get ready are named, and wait if they often don't; others keep their place."""

from __future__ import annotations

import msgspec
import pytest

from games.live.seat_client import SeatClient
from games.redis import redis
from lobby import creation, endings, matchmaker, notices, presence, queue
from lobby.errors import LobbyError
from lobby.players import player_of, text_guest
from lobby.store import named, now_ms
from lobby.tickets import Wish
from tests.lobby.flow import DUEL, act, matched, surrender, until
from tests.lobby.sockets import new_user

pytestmark = pytest.mark.django_db(transaction=True)

WAITED = (0, 30, 120, 600, 600)


async def pair_of_users():
    return [player_of(await new_user(name)) for name in ("Ann", "Bob")]


async def sweep() -> None:
    await endings.catch_up()


async def test_the_others_go_back_to_the_front_of_the_queue() -> None:
    ann, bob = await pair_of_users()
    plan, tickets = await matched(ann, bob)
    newcomer = await queue.join(text_guest("Late"), [DUEL])
    async with notices.listening(notices.ticket_group(tickets[0].id)) as inbox:
        await surrender(plan, 1, ready=False)
        await sweep()
        told = await inbox.next(5)
    assert (told["type"], told["absent"]) == ("requeued", ["Bob"])
    back = await queue.ticket_of(ann.identity)
    assert (back.id, back.queued_at) == (tickets[0].id, tickets[0].queued_at)
    assert await queue.ticket_of(bob.identity) is None
    # And the next match is theirs, with the first seat.
    await matchmaker.make_matches(await queue.waiting(), await now_ms(), matchmaker.config())
    again = await queue.wait(back.id)
    assert (again.seat, again.opponents) == (0, ["Late"])
    assert (await queue.result(newcomer.id)).match == again.match


async def test_a_player_who_is_gone_is_not_requeued() -> None:
    ann, bob = await pair_of_users()
    plan, _ = await matched(ann, bob)
    await presence.gone(ann, now=await now_ms() - presence.CLOSED_MS)
    await surrender(plan, 1, ready=False)
    await sweep()
    assert await queue.waiting() == []
    assert await redis().hlen(named("playing")) == 0


async def test_a_player_who_is_in_the_match_alone_is_requeued_too() -> None:
    """A program plays without a page of the lobby."""
    ann, bob = await pair_of_users()
    plan, tickets = await matched(ann, bob)
    await presence.gone(ann, now=await now_ms() - presence.CLOSED_MS)
    async with await SeatClient.open(plan.match, 0) as there:
        assert (await there.act({"type": "ready"})).stored
        await surrender(plan, 1, ready=False)
        await sweep()
    assert [ticket.id for ticket in await queue.waiting()] == [tickets[0].id]


async def test_text_players_are_not_put_back_by_themselves() -> None:
    plan, _ = await matched(text_guest("Ann"), text_guest("Bob"), requeue=False)
    await surrender(plan, 1, ready=False)
    await sweep()
    assert await queue.waiting() == []


async def test_sweeping_twice_counts_once() -> None:
    ann, bob = await pair_of_users()
    plan, _ = await matched(ann, bob)
    outcome = await surrender(plan, 1, ready=False)
    await sweep()
    await sweep()
    await endings.settle(plan, outcome, await now_ms())
    assert await redis().get(named(f"misses:{bob.identity}")) == b"1"
    assert len(await queue.waiting()) == 1


async def test_leaving_a_house_bot_before_the_start_is_no_no_show() -> None:
    ann, bob = await pair_of_users()
    plan, _ = await matched(ann, bob)
    outcome = await surrender(plan, 1, ready=False)
    assert outcome.absent == (1,)
    house = msgspec.structs.replace(plan.seats[0], kind="house")
    await endings.settle(
        msgspec.structs.replace(plan, seats=(house, plan.seats[1])), outcome, await now_ms()
    )
    assert await redis().get(named(f"misses:{bob.identity}")) is None


async def test_repeated_no_shows_wait_longer() -> None:
    ann, bob = await pair_of_users()
    waits = []
    for _ in range(5):
        plan, _tickets = await matched(ann, bob)
        await surrender(plan, 1, ready=False)
        await sweep()
        ticket = await queue.ticket_of(ann.identity)
        await queue.leave(ticket.id)
        waits.append(round(max(0, await redis().pttl(named(f"barred:{bob.identity}"))) / 1000))
        if waits[-1]:
            with pytest.raises(LobbyError, match="wait_before_queueing"):
                await queue.join(bob, [DUEL])
            await redis().delete(named(f"barred:{bob.identity}"))
    # Some of it may have passed already.
    assert all(0 <= whole - left < 15 for whole, left in zip(WAITED, waits, strict=True))


async def test_a_lost_match_frees_its_players() -> None:
    plan, _ = await matched(text_guest("Ann"), text_guest("Bob"))
    log = [raw async for raw in redis().scan_iter(f"*m:{{{plan.match}}}*")]
    await redis().delete(*log)
    await endings.settle_lost(await now_ms())
    assert await redis().hlen(named("playing")) == 0
    assert await creation.plan_of(plan.match) is None


async def test_a_match_that_is_not_created_yet_is_not_lost() -> None:
    wish = Wish(mode="claim", size=2)
    ann, bob = text_guest("Ann"), text_guest("Bob")
    tickets = [await queue.join(p, [wish]) for p in (ann, bob)]
    now = await now_ms()
    from lobby.pairing import pair
    from lobby.plans import plan_for

    (group,) = pair(tickets, now, matchmaker.config())
    plan = plan_for(group)
    assert await matchmaker.claim_all([plan], now)
    await sweep()
    assert await creation.plan_of(plan.match) == plan
    with pytest.raises(LobbyError, match="already_in_match"):
        await queue.join(ann, [wish])
    await creation.recover(now + creation.LEFT_BEHIND_MS)
    for seat in (0, 1):
        await act(plan.match, seat, {"type": "ready"})
    await act(plan.match, 0, {"type": "surrender"})

    async def free() -> bool:
        await sweep()
        return await redis().hlen(named("playing")) == 0

    await until(free)
