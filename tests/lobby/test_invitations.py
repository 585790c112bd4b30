"""Private matches by link: every seat once, a start when all are there."""

from __future__ import annotations

import asyncio

import pytest

from games.models import Match
from lobby import blocks, due, invitations, presence, queue
from lobby.errors import LobbyError
from lobby.players import player_of
from lobby.store import now_ms
from tests.lobby.flow import DUEL, matched
from tests.lobby.sockets import new_user, visit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def people():
    players = [player_of(await new_user(n, "guest")) for n in ("Ann", "Bob", "Cyd", "Dan")]
    for player in players:
        await presence.seen(player)
    return players


async def refused(awaitable) -> str:
    with pytest.raises(LobbyError) as caught:
        await awaitable
    return caught.value.code


async def test_the_last_seat_starts_the_match(people) -> None:
    ann, bob, cyd, _ = people
    made = await invitations.create(ann, "claim", {"seconds": 77}, size=3)
    assert made.url == f"/invite/{made.token}/"
    await invitations.take(bob, made.token)
    await queue.join(cyd, [DUEL])
    done = await invitations.take(cyd, made.token)
    assert done.status == "started"
    match = await Match.objects.aget()
    assert (match.pk, match.source, match.rated) == (made.match, "invite", False)
    assert match.options["seconds"] == 77
    seats = [s.name async for s in match.seats.order_by("number")]
    assert seats == ["Ann", "Bob", "Cyd"]
    assert await queue.waiting() == []


async def test_one_seat_is_taken_once(people) -> None:
    ann, bob, cyd, dan = people
    made = await invitations.create(ann, "claim", size=2)
    results = await asyncio.gather(
        *(invitations.take(p, made.token) for p in (bob, cyd, dan, bob)), return_exceptions=True
    )
    seats = (await invitations.get(made.token)).seats
    assert len(seats) == 2
    refusals = [r.code for r in results if isinstance(r, LobbyError)]
    assert refusals
    assert set(refusals) <= {"invite_full", "invite_over"}
    assert await Match.objects.acount() == 1


async def test_taking_a_seat_again_changes_nothing(people) -> None:
    ann, bob, *_ = people
    made = await invitations.create(ann, "claim", size=3)
    assert (await invitations.take(ann, made.token)).seats == made.seats
    first = await invitations.take(bob, made.token)
    assert await invitations.take(bob, made.token) == first


async def test_it_waits_for_who_is_away(people) -> None:
    ann, bob, *_ = people
    made = await invitations.create(ann, "claim", size=2)
    await presence.gone(ann, now=await now_ms() - presence.CLOSED_MS)
    waiting = await invitations.take(bob, made.token)
    assert (waiting.status, len(waiting.seats)) == ("open", 2)
    await presence.seen(ann)
    assert (await invitations.look(made.token)).status == "started"


async def test_leaving_withdrawing_expiring(people) -> None:
    ann, bob, cyd, _ = people
    made = await invitations.create(ann, "claim", size=3)
    await invitations.take(bob, made.token)
    left = await invitations.leave(bob, made.token)
    assert [seat.name for seat in left.seats] == ["Ann"]
    assert await invitations.open_for(bob.identity) == []
    assert (await invitations.leave(ann, made.token)).status == "withdrawn"
    assert await refused(invitations.take(cyd, made.token)) == "invite_over"
    other = await invitations.create(ann, "claim")
    await due.sweep(other.deadline)
    assert (await invitations.get(other.token)).status == "expired"
    assert await refused(invitations.take(cyd, other.token)) == "invite_over"
    assert await refused(invitations.take(cyd, "nothing")) == "no_such_invite"


async def test_invitations_that_make_no_match_are_refused(people) -> None:
    ann = people[0]
    assert await refused(invitations.create(ann, "claim", {"x": 1})) == "bad_options"
    assert await refused(invitations.create(ann, "claim", size=9)) == "bad_size"
    assert await refused(invitations.create(ann, "classic")) == "solo_only"
    assert await refused(invitations.create(ann, "go")) == "no_such_mode"
    for _ in range(invitations.MOST_OPEN):
        await invitations.create(ann, "claim")
    assert await refused(invitations.create(ann, "claim")) == "too_many_invites"


async def test_a_busy_player_does_not_start_it(people) -> None:
    ann, bob, cyd, _ = people
    made = await invitations.create(ann, "claim", size=2)
    await matched(ann, cyd)
    await presence.seen(ann)
    assert await refused(invitations.take(bob, made.token)) == "player_busy"
    assert (await invitations.get(made.token)).status == "open"


async def test_a_player_who_was_away_when_it_began_is_told() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob", "guest")
    async with visit(ann) as one:
        await one.say(type="invite", mode="claim", size=2)
        token = (await one.hear("invitation"))["token"]
        await invitations.take(player_of(bob), token)
    async with visit(ann) as one:
        assert (await one.hear("invitation"))["status"] == "started"


async def test_over_sockets() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob", "guest")
    async with visit(ann) as one, visit(bob) as other:
        await one.say(type="invite", mode="claim", options={}, size=2)
        made = await one.hear("invitation", status="open")
        await other.say(type="invite_take", token=made["token"])
        assert (await other.hear("matched"))["match"] == (await one.hear("matched"))["match"]
        assert (await one.hear("invitation", status="started"))["match"]
        assert (await other.ask("invite_leave", token=made["token"]))["code"] == "invite_over"


@pytest.mark.parametrize("blocker", [0, 1])
async def test_a_link_does_not_bring_players_together_who_blocked_each_other(people, blocker):
    ann, bob, cyd, _ = people
    pair = (ann, bob)
    await blocks.block(pair[blocker].user_id, pair[1 - blocker].name)
    made = await invitations.create(ann, "claim", size=3)
    assert await refused(invitations.take(bob, made.token)) == "blocked"
    await invitations.take(cyd, made.token)
    assert [s.name for s in (await invitations.get(made.token)).seats] == ["Ann", "Cyd"]
