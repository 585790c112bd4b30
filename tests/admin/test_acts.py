"""Acts of staff: who may, what they do, and that each is recorded."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.test import AsyncClient
from django.urls import reverse
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from games.live.archive import archive
from games.live.host import host
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.models import Match
from games.moderation import enforcement
from games.moderation.models import DeviceSeen, Report, Sanction, StaffAct
from lobby import challenges, invitations, maintenance, queue
from lobby.admin import acts
from lobby.admin.acts import ActRefused
from lobby.errors import LobbyError
from lobby.players import player_of
from lobby.tickets import Wish
from tests.lobby.sockets import visit

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

GROUPS = ("support", "moderator", "operator")


async def staff(group: str) -> User:
    user = await User.objects.acreate(username=f"the-{group}", is_staff=True)
    await user.groups.aadd(await Group.objects.aget(name=group))
    return user


async def match_of(*users: User) -> str:
    seats = [SeatInfo(user.pk, user.username, user.kind) for user in users]
    return await create_match("claim", seats, {}, rated=True, source="queue")


async def player(name: str = "someone") -> User:
    return await User.objects.acreate(username=name)


async def last_act() -> StaffAct:
    found = await StaffAct.objects.afirst()
    assert found is not None
    return found


MAY = {
    "kick": ("moderator", "operator"),
    "mute": ("moderator", "operator"),
    "ban": ("moderator", "operator"),
    "unban": ("moderator", "operator"),
    "abort": ("moderator", "operator"),
    "announce": ("operator",),
    "close-queues": ("operator",),
    "open-queues": ("operator",),
}


async def do(act: str, by: User, target: User, match_id: str) -> None:
    match act:
        case "kick":
            await acts.kick(by, target, "why")
        case "mute" | "ban":
            await acts.sanction(by, target, act, "why", None)
        case "unban":
            await acts.lift(by, target, "ban", "why")
        case "abort":
            await acts.abort(by, match_id, "why")
        case "announce":
            await acts.announce(by, "Hello", "why")
        case "close-queues":
            await acts.close_queues(by, "why")
        case "open-queues":
            await acts.open_queues(by, "why")


@pytest.mark.parametrize("act", MAY)
async def test_only_the_groups_listed_may_do_an_act(act: str):
    target, other = await player(), await player("other")
    match_id = await match_of(target, other)
    for group in GROUPS:
        by = await staff(group)
        if act == "unban":
            await sync_to_async(enforcement.impose)(target, "ban", "x", None, None)
        before = await StaffAct.objects.acount()
        if group in MAY[act]:
            try:
                await do(act, by, target, match_id)
            except ActRefused:
                assert (act, group) == ("abort", "operator")  # the moderator had done it
                continue
            done = await last_act()
            assert (done.by_name, done.act, done.why) == (by.username, act, "why")
        else:
            with pytest.raises(PermissionDenied):
                await do(act, by, target, match_id)
            assert await StaffAct.objects.acount() == before


async def test_nothing_is_done_without_a_reason_or_to_other_staff():
    moderator, target = await staff("moderator"), await player()
    with pytest.raises(ActRefused):
        await acts.sanction(moderator, target, "ban", "  ", None)
    with pytest.raises(ActRefused):
        await acts.sanction(moderator, await staff("support"), "ban", "why", None)
    with pytest.raises(ActRefused):
        await acts.kick(moderator, moderator, "why")
    assert not await StaffAct.objects.aexists()
    assert not await Sanction.objects.aexists()


async def test_somebody_of_the_group_who_is_not_staff_any_more_may_nothing():
    moderator, target = await staff("moderator"), await player()
    moderator.is_staff = False
    await moderator.asave()
    with pytest.raises(PermissionDenied):
        await acts.kick(moderator, target, "why")


async def test_a_ban_ends_sessions_tokens_queues_and_sockets_until_its_end():
    moderator, target = await staff("moderator"), await player()
    _token, secret = await sync_to_async(tokens.issue)(target, "bot", ["play"])
    client = AsyncClient()
    await client.aforce_login(target)
    await host().opened()
    ticket = await queue.join(player_of(target), [Wish(mode="claim", size=2)])
    async with visit(target) as there:
        await there.hear("hello")
        until = timezone.now() + timedelta(hours=1)
        await acts.sanction(moderator, target, "ban", "cheating", until)
        async with asyncio.timeout(10):
            while (await there.socket.receive_output())["type"] != "websocket.close":
                pass
    assert await queue.get(ticket.id) is None
    assert await sync_to_async(tokens.authenticate)(secret) is None
    assert (await client.get("/history/")).status_code == 302
    await target.arefresh_from_db()
    async with visit(target) as again:
        assert (await again.hear("error"))["code"] == "sign_in_first"

    # Not before its end, and then by itself.
    assert await sync_to_async(enforcement.let_in_whose_bans_ended)() == 0
    await Sanction.objects.aupdate(until=timezone.now() - timedelta(seconds=1))
    assert await sync_to_async(enforcement.let_in_whose_bans_ended)() == 1
    await target.arefresh_from_db()
    assert target.is_active
    assert await sync_to_async(tokens.authenticate)(secret) is not None


async def test_of_two_bans_the_longer_counts_and_other_closures_stay():
    target, soon = await player(), timezone.now() - timedelta(seconds=1)
    await sync_to_async(enforcement.impose)(target, "ban", "x", None, soon)
    await sync_to_async(enforcement.impose)(target, "ban", "y", None, None)
    assert await sync_to_async(enforcement.let_in_whose_bans_ended)() == 0
    assert await sync_to_async(enforcement.lift)(target.pk, "ban") == 1
    await target.arefresh_from_db()
    assert target.is_active

    closed = await User.objects.acreate(username="closed", is_active=False)
    await sync_to_async(enforcement.impose)(closed, "ban", "x", None, soon)
    assert await sync_to_async(enforcement.let_in_whose_bans_ended)() == 0
    await closed.arefresh_from_db()
    assert not closed.is_active


async def test_a_muted_player_may_queue_but_not_challenge_or_invite():
    moderator, target = await staff("moderator"), await player()
    await acts.sanction(moderator, target, "mute", "spam", None)
    for speak in (
        lambda: challenges.send(player_of(target), "other", "claim"),
        lambda: invitations.create(player_of(target), "claim"),
    ):
        with pytest.raises(LobbyError) as refused:
            await speak()
        assert refused.value.code == "muted"
    await queue.join(player_of(target), [Wish(mode="claim", size=2)])
    await acts.lift(moderator, target, "mute", "enough")
    assert await invitations.create(player_of(target), "claim")


async def test_a_kick_closes_the_connections_and_the_player_may_come_back():
    moderator, target = await staff("moderator"), await player()
    await host().opened()
    async with visit(target) as there:
        await there.hear("hello")
        await acts.kick(moderator, target, "asked for it")
        async with asyncio.timeout(10):
            while (await there.socket.receive_output())["type"] != "websocket.close":
                pass
    _token, secret = await sync_to_async(tokens.issue)(target, "bot", ["play"])
    async with visit(None, secret) as again:
        await again.hear("hello")
        await again.say(type="ping")
        await again.hear("pong")


async def test_an_aborted_match_is_over_without_result_and_rating():
    moderator = await staff("moderator")
    one, two = await player("one"), await player("two")
    match_id = await match_of(one, two)
    async with await SeatClient.open(match_id, 0) as seat:
        await acts.abort(moderator, match_id, "a stuck match")
        async with asyncio.timeout(10):
            async for event in seat:
                if event["type"] == "over":
                    break
    await archive(match_id)
    row = await Match.objects.aget(pk=match_id)
    assert (row.status, row.reason) == ("aborted", "staff")
    assert not await one.ratings.aexists()
    with pytest.raises(ActRefused):
        await acts.abort(moderator, match_id, "again")


async def test_announcements_and_closed_queues_reach_everybody():
    operator, target = await staff("operator"), await player()
    await host().opened()
    async with visit(target) as there:
        await there.hear("hello")
        await acts.announce(operator, " We restart at noon. ", "release")
        assert (await there.hear("announce"))["text"] == "We restart at noon."
        await acts.close_queues(operator, "release")
        await there.hear("queues", open=False)
        with pytest.raises(LobbyError):
            await queue.join(player_of(target), [Wish(mode="claim", size=2)])
        await acts.open_queues(operator, "released")
        assert not await maintenance.queues_closed()


# -- pages ---------------------------------------------------------------------------------------


async def test_the_full_view_shows_the_truth_to_staff_who_do_not_play():
    support, one, two = await staff("support"), await player("one"), await player("two")
    match_id = await match_of(one, two)
    own = await match_of(support, two)
    client = AsyncClient()
    await client.aforce_login(support)
    assert (await client.get(reverse("admin:match-watch", args=[match_id]))).status_code == 200
    done = await last_act()
    assert (done.act, done.target, done.by_name) == ("watch", match_id, "the-support")
    full = (await client.get(reverse("admin:match-full", args=[match_id]))).json()
    assert full["truth"] is not None
    assert len(full["views"]) == 2
    assert (await client.get(reverse("admin:match-full", args=[own]))).status_code == 403
    log = (await client.get(reverse("admin:match-log", args=[match_id]))).content.decode()
    assert "setup" in log
    assert "seed" not in (await client.get(reverse("admin:match-log", args=[own]))).content.decode()
    await client.aforce_login(one)
    for name in ("match-watch", "match-full", "match-log"):
        assert (await client.get(reverse(f"admin:{name}", args=[match_id]))).status_code == 403


async def test_every_mode_has_a_full_view_from_its_first_moment():
    from games.engine import registry

    support, users = await staff("support"), [await player(f"player{i}") for i in range(4)]
    client = AsyncClient()
    await client.aforce_login(support)
    for mode, game in registry.MODES.items():
        seats = [SeatInfo(u.pk, u.username, u.kind) for u in users[: max(1, game.spec.min_seats)]]
        match_id = await create_match(mode, seats, {}, rated=False, source="queue")
        answer = await client.get(reverse("admin:match-full", args=[match_id]))
        assert answer.status_code == 200, mode


async def test_the_page_of_a_player_bans_and_lifts():
    moderator, target = await staff("moderator"), await player()
    client = AsyncClient()
    await client.aforce_login(moderator)
    page = reverse("admin:player-acts", args=[target.pk])
    assert (await client.get(page)).status_code == 200

    async def act(name: str, **form: str) -> int:
        address = reverse("admin:act-player", args=[target.pk, name])
        return (await client.post(address, form)).status_code

    assert await act("ban", why="cheating", span="day") == 302
    sanction = await Sanction.objects.aget()
    assert sanction.in_force
    assert timedelta(hours=23) < sanction.until - timezone.now() < timedelta(hours=25)
    assert await act("ban", why="cheating", span="some day") == 302
    assert await Sanction.objects.acount() == 1
    assert await act("unban", why="a mistake") == 302
    await target.arefresh_from_db()
    assert target.is_active
    assert await act("promote", why="x") == 404


async def test_accounts_that_share_a_browser_are_shown_together():
    moderator, client = await staff("moderator"), AsyncClient()
    names = []
    for _ in range(2):
        answer = await client.post("/accounts/guest/", headers={"accept": "application/json"})
        names.append(answer.json()["name"])
        del client.cookies["sessionid"]
    mark = client.cookies["device"].value
    seen = [one async for one in DeviceSeen.objects.select_related("user")]
    assert {one.user.username for one in seen} == set(names)
    assert len({one.device_hash for one in seen}) == 1
    assert mark not in seen[0].device_hash

    stranger = await AsyncClient().post("/accounts/guest/")
    assert stranger.cookies["device"].value != mark
    await client.aforce_login(moderator)
    page = await client.get(reverse("admin:player-acts", args=[seen[0].user_id]))
    assert names[1] in page.content.decode()


async def test_players_report_players_a_few_times_an_hour():
    one, two = await player("one"), await player("two")
    client = AsyncClient()
    assert (await client.post("/report/", {"player": "two"})).status_code == 302
    await client.aforce_login(one)
    assert (await client.get("/report/?player=two")).status_code == 200
    form = {"player": "TWO", "reason": "cheating", "text": "<b>look</b>"}
    assert (await client.post("/report/", {**form, "player": "one"})).status_code == 400
    assert (await client.post("/report/", {**form, "match": "nosuchmatch0"})).status_code == 400
    answers = [(await client.post("/report/", form)).status_code for _ in range(6)]
    assert answers == [302] * 5 + [429]
    report = await Report.objects.afirst()
    assert (report.player_id, report.reporter_id) == (two.pk, one.pk)
