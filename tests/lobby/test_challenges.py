"""Challenges by name: accepted once, or over for a reason."""

from __future__ import annotations

import asyncio

import pytest

from accounts.models import User
from games.models import Match
from games.redis import redis
from lobby import blocks, challenges, due, house_bots, presence, queue
from lobby.errors import LobbyError
from lobby.people.limits import start_again
from lobby.players import player_of
from lobby.store import named
from tests.lobby.flow import DUEL, matched
from tests.lobby.sockets import new_user, visit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def two():
    players = [player_of(await new_user(name)) for name in ("Ann", "Bob")]
    for player in players:
        await presence.seen(player)
    return players


async def refused(awaitable) -> str:
    with pytest.raises(LobbyError) as caught:
        await awaitable
    return caught.value.code


async def test_an_accepted_challenge_is_a_match_and_leaves_the_queues(two) -> None:
    ann, bob = two
    await queue.join(bob, [DUEL])
    sent = await challenges.send(ann, "BOB", "claim", {"seconds": 60})
    assert [c.id for c in await challenges.open_for(bob.identity)] == [sent.id]
    stranger = player_of(await new_user("Cyd"))
    assert await refused(challenges.of(stranger, sent.id)) == "no_such_challenge"
    twice = await asyncio.gather(*(challenges.answer(bob, sent.id, True) for _ in range(2)))
    assert {c.status for c in twice} == {"accepted"}
    match = await Match.objects.aget()
    assert (match.pk, match.source) == (sent.plan.match, "challenge")
    assert match.options["seconds"] == 60
    assert await queue.waiting() == []
    assert not await redis().exists(named(f"often:challenge:{bob.identity}:{ann.identity}"))
    assert await challenges.open_for(bob.identity) == []
    assert (await challenges.of(ann, sent.id)).as_message()["match"] == match.pk


async def test_declined_cancelled_expired(two) -> None:
    ann, bob = two
    first = await challenges.send(ann, "Bob", "claim")
    assert (await challenges.answer(bob, first.id, False)).status == "declined"
    assert await refused(challenges.answer(bob, first.id, True)) == "challenge_over"
    second = await challenges.send(ann, "Bob", "claim")
    assert await refused(challenges.cancel(bob, second.id)) == "no_such_challenge"
    assert (await challenges.cancel(ann, second.id)).status == "cancelled"
    assert await refused(challenges.answer(bob, second.id, True)) == "challenge_over"
    third = await challenges.send(ann, "Bob", "claim")
    await due.sweep(third.deadline)
    assert (await challenges.get(third.id)).status == "expired"
    assert await Match.objects.acount() == 0


async def test_challenges_that_cannot_be_answered_are_refused(two) -> None:
    ann, bob = two
    await new_user("Away")
    assert await refused(challenges.send(ann, "Nobody", "claim")) == "no_such_player"
    assert await refused(challenges.send(ann, "Bob\x00", "claim")) == "no_such_player"
    assert await refused(challenges.send(ann, "ann", "claim")) == "not_yourself"
    assert await refused(challenges.send(ann, "Away", "claim")) == "player_offline"
    assert await refused(challenges.send(ann, "Bob", "classic")) == "solo_only"
    assert await refused(challenges.send(ann, "Bob", "claim", {"x": 1})) == "bad_options"
    options = {"seconds": 5}
    assert await refused(challenges.send(ann, "Bob", "claim", options, rated=True)) == "bad_options"
    await blocks.block(bob.user_id, "Ann")
    assert await refused(challenges.send(ann, "Bob", "claim")) == "blocked"
    await blocks.unblock(bob.user_id, "Ann")
    for _ in range(challenges.MOST_OPEN):
        await challenges.send(ann, "Bob", "claim")
    assert await refused(challenges.send(ann, "Bob", "claim")) == "too_many_challenges"


async def test_who_accepts_none_is_not_challenged_all_the_time(two) -> None:
    ann, bob = two
    for yes in [True, *[False] * challenges.MOST_OF_PAIR]:
        sent = await challenges.send(ann, "Bob", "claim")
        if yes:
            await start_again(f"challenge:{bob.identity}", ann.identity)  # as when it is accepted
        await challenges.cancel(ann, sent.id)
    assert await refused(challenges.send(ann, "Bob", "claim")) == "too_many_challenges"
    assert (await challenges.send(bob, "Ann", "claim")).status == "open"


async def test_rated_needs_two_accounts(two) -> None:
    guest = player_of(await new_user("Visitor", "guest"))
    await presence.seen(guest)
    assert (
        await refused(challenges.send(two[0], "Visitor", "claim", rated=True))
        == "rated_needs_account"
    )
    assert (await challenges.send(two[0], "Bob", "claim", rated=True)).plan.rated


async def test_nobody_is_in_two_matches(two) -> None:
    ann, bob = two
    sent = await challenges.send(ann, "Bob", "claim")
    other = player_of(await new_user("Cyd"))
    await matched(ann, other)
    await presence.seen(ann)
    assert await refused(challenges.answer(bob, sent.id, True)) == "player_busy"
    assert (await challenges.get(sent.id)).status == "open"
    assert await redis().hget(named("playing"), bob.identity) is None


async def test_a_house_bot_accepts_at_once(two) -> None:
    (bot,) = await house_bots.pick(1, 1000)
    sent = await challenges.send(two[0], bot.name, "claim")
    assert sent.status == "accepted"
    assert await Match.objects.filter(pk=sent.plan.match).aexists()


async def test_a_challenge_is_sent_and_answered_over_sockets() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    async with visit(ann) as one, visit(bob) as other:
        await other.hear("hello")
        await one.say(type="challenge", to="Bob", mode="claim")
        sent = await one.hear("challenge", status="open")
        got = await other.hear("challenge", status="open")
        assert (got["id"], got["from"], got["to"]) == (sent["id"], "Ann", "Bob")
        async with visit(bob) as second_page:
            assert (await second_page.hear("challenge"))["id"] == sent["id"]
        await other.say(type="challenge_answer", id=sent["id"], yes=True)
        assert (await one.hear("matched"))["match"] == (await other.hear("matched"))["match"]
        await one.hear("challenge", status="accepted")
        error = await other.ask("challenge_cancel", id=sent["id"])
        assert error["code"] == "no_such_challenge"


@pytest.mark.parametrize(
    ("wanted", "by_guest", "by_account"),
    [("everyone", "", ""), ("registered", "no_challenges", ""), ("nobody", *["no_challenges"] * 2)],
)
async def test_players_choose_who_may_challenge_them(two, wanted, by_guest, by_account) -> None:
    ann, bob = two
    guest = player_of(await new_user("Passer_by", kind="guest"))
    await User.objects.filter(pk=bob.user_id).aupdate(preferences={"challenges": wanted})
    for player, code in ((guest, by_guest), (ann, by_account)):
        if code:
            assert await refused(challenges.send(player, "Bob", "claim")) == code
        else:
            assert (await challenges.send(player, "Bob", "claim")).status == "open"
