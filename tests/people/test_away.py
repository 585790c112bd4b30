"""Challenges to players who are away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.notifications.models import Notification
from games.models import Match
from lobby import blocks, presence
from lobby.errors import LobbyError
from lobby.people import away, invites
from lobby.people.models import KeptChallenge
from lobby.players import Player, player_of
from tests.lobby.flow import until
from tests.lobby.sockets import new_user, visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def refused(awaitable: Any) -> str:
    with pytest.raises(LobbyError) as caught:
        await awaitable
    return caught.value.code


async def _nothing_waits() -> bool:
    return not await KeptChallenge.objects.aexists()


@pytest.fixture
async def two() -> list[Player]:
    """Ann is here, Bob is away."""
    players = [player_of(await new_user(name)) for name in ("Ann", "Bob")]
    await presence.seen(players[0])
    return players


async def send(player: Player, name: str, keep: bool = True, **more: Any) -> dict[str, Any]:
    return await away.send(player, name, "claim", more.get("options", {}), False, keep)


async def test_it_waits_and_is_shown_when_the_player_comes(two) -> None:
    ann, bob = two
    sent = await send(ann, "Bob")
    assert (sent["status"], sent["kept"]) == ("open", True)
    told = await Notification.objects.aget(user_id=bob.user_id)
    assert (told.kind, told.tag) == ("challenge_kept", sent["id"])
    user = await sync_to_async(lambda: Notification.objects.get().user)()
    async with visit(user) as there:
        heard = await there.hear("challenge")
        assert (heard["id"], heard["from"], heard["kept"]) == (sent["id"], "Ann", True)
        await there.say(type="challenge_answer", id=sent["id"], yes=True)
        assert (await there.hear("matched"))["source"] == "challenge"
        assert await Match.objects.acount() == 1
        await until(_nothing_waits)
    assert await Notification.objects.acount() == 0
    # Once more, from another page that did not know: the same match.
    assert await refused(away.answer(ann, sent["id"], True)) == "no_such_challenge"
    assert (await away.of(bob, sent["id"]))["status"] == "accepted"


async def test_it_turns_round_when_the_challenger_is_away(two) -> None:
    ann, bob = two
    sent = await send(ann, "Bob", options={"seconds": 60})
    await presence.gone(ann, 0)
    turned = await away.answer(bob, sent["id"], True)
    assert (turned["from"], turned["to"], turned["status"]) == ("Bob", "Ann", "open")
    told = [one async for one in Notification.objects.all()]
    assert [(one.kind, one.user_id) for one in told] == [("challenge_returned", ann.user_id)]
    await presence.seen(bob)
    begun = await away.answer(ann, turned["id"], True)
    assert begun["status"] == "accepted"
    assert (await Match.objects.aget()).options["seconds"] == 60


async def test_decline_cancel_expire(two) -> None:
    ann, bob = two
    sent = await send(ann, "Bob")
    assert (await away.answer(bob, sent["id"], False))["status"] == "declined"
    assert (await Notification.objects.aget()).kind == "challenge_declined"
    sent = await send(ann, "Bob")
    assert await refused(away.cancel(bob, sent["id"])) == "no_such_challenge"
    assert (await away.cancel(ann, sent["id"]))["status"] == "cancelled"
    sent = await send(ann, "Bob")
    await KeptChallenge.objects.aupdate(until=timezone.now() - timedelta(seconds=1))
    assert await refused(away.answer(bob, sent["id"], True)) == "no_such_challenge"
    assert await away.open_for(bob) == []
    for _worker in range(2):
        await sync_to_async(away.sweep)()
    assert await KeptChallenge.objects.acount() == 0
    assert not await Notification.objects.filter(kind="challenge_kept").aexists()


async def test_who_can_not_leave_one(two, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = two
    guest = player_of(await new_user("Visitor", "guest"))
    await presence.seen(guest)
    assert await refused(send(ann, "Bob", keep=False)) == "player_offline"
    assert await refused(send(guest, "Bob")) == "account_needed"
    assert await refused(send(ann, "Bob", options={"x": 1})) == "bad_options"
    gone = await new_user("Gone", "guest")
    assert await refused(send(ann, gone.username)) == "player_offline"
    await blocks.block(bob.user_id or 0, "Ann")
    assert await refused(send(ann, "Bob")) == "blocked"
    await blocks.unblock(bob.user_id or 0, "Ann")
    first = await send(ann, "Bob")
    second = await send(ann, "Bob")
    assert await refused(away.of(ann, first["id"])) == "no_such_challenge"
    assert (await away.of(ann, second["id"]))["status"] == "open"
    monkeypatch.setattr(away, "MOST_SENT", 1)
    await new_user("Cyd")
    assert await refused(send(ann, "Cyd")) == "too_many_challenges"
    await blocks.block(bob.user_id or 0, "Ann")
    assert await KeptChallenge.objects.acount() == 0


async def test_players_are_called_to_an_invitation_by_name(two, monkeypatch) -> None:
    from lobby import invitations

    ann, bob = two
    made = await invitations.create(ann, "claim")
    assert await refused(invites.call(bob, made.token, "Ann")) == "no_such_invite"
    assert await refused(invites.call(ann, made.token, "ann")) == "not_yourself"
    assert await refused(invites.call(ann, "nosuchtoken", "Bob")) == "no_such_invite"
    for _again in range(2):
        assert await invites.call(ann, made.token, "bob") == "Bob"
    told = await Notification.objects.aget()
    assert (told.kind, told.url, told.user_id) == ("invitation", made.url, bob.user_id)
    for _again in range(invites.MOST_OF_PAIR - 2):
        await invites.call(ann, made.token, "Bob")
    assert await refused(invites.call(ann, made.token, "Bob")) == "too_many_invites"
    monkeypatch.setattr(invites, "MOST", 1)
    await new_user("Cyd")
    assert await refused(invites.call(ann, made.token, "Cyd")) == "too_many_invites"
    await blocks.block(bob.user_id or 0, "Ann")
    assert await refused(invites.call(ann, made.token, "Bob")) == "blocked"
