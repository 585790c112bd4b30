"""Notifications: stored, bounded, sent on commit, read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.test import AsyncClient
from django.utils.translation import gettext, override

from accounts import leaving
from accounts.notifications import kinds, notify
from accounts.notifications.models import Notification
from games.push import jobs
from tests.lobby.sockets import new_user, visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
DOC = (Path(__file__).parents[2] / "docs" / "accounts.md").read_text()


async def test_pages_and_devices_are_told_on_commit() -> None:
    ann = await new_user("Ann")
    data = {"name": "Bob", "mode": "race"}
    async with visit(ann) as there:
        await there.hear("hello")

        def tell() -> None:
            with transaction.atomic():
                notify.notify(ann.pk, "invitation", data, "/invite/x/", "x")
                assert jobs.sync_redis().llen(jobs.key(jobs.JOBS)) == 0

        await sync_to_async(tell)()
        heard = await there.hear("notification")
    assert heard["unread"] == 1
    assert heard["url"] == "/invite/x/"
    assert heard["texts"]["en"][0] == "Bob invites you to a private match of Race."
    assert heard["texts"]["de"][0] != heard["texts"]["en"][0]
    [job] = await jobs.take(10, 1)
    assert (job.kind, job.user, job.fields) == ("invitation", ann.pk, data)


async def test_a_newer_one_about_the_same_replaces_the_older() -> None:
    ann = await new_user("Ann")
    for mode in ("race", "battleship"):
        await notify.anotify(ann.pk, "turn", {"mode": mode}, "/match/x/", "x")
        await sync_to_async(notify.mark_read)(ann.pk)
    await notify.anotify(ann.pk, "turn", {"mode": "race"}, "/match/x/", "x")
    row = await Notification.objects.aget()
    assert row.read_at is None
    await notify.atake_back(ann.pk, "turn", "x")
    assert await Notification.objects.acount() == 0


async def test_each_account_has_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notify, "MOST", 3)
    ann = await new_user("Ann")
    for number in range(5):
        await notify.anotify(ann.pk, "follower", {"name": "x" * 500}, tag=str(number))
    rows = [row async for row in Notification.objects.all()]
    assert [row.tag for row in rows] == ["4", "3", "2"]
    assert len(rows[0].data["name"]) == notify.LONGEST_VALUE


async def test_house_bots_and_missing_accounts_have_no_bell() -> None:
    house = await new_user("Hal", "house")
    await notify.anotify(house.pk, "follower", {"name": "x"})
    await notify.anotify(10**9, "follower", {"name": "x"})
    assert await Notification.objects.acount() == 0
    with pytest.raises(KeyError):
        await notify.anotify(house.pk, "no-such-kind")


async def test_kinds_are_a_closed_and_documented_list() -> None:
    section = DOC.split("### Kinds of notifications")[1].split("\n`/accounts/")[0]
    rows = [row for row in section.splitlines() if row.startswith("| `")]
    described = {
        name: row.rstrip("| ").endswith("yes")
        for row in rows
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert described == {name: kind.seconds > 0 for name, kind in kinds.KINDS.items()}
    with pytest.raises(ValueError, match="two kinds"):
        kinds.register("follower", kinds.Kind("other"))
    for kind in kinds.KINDS.values():
        with override("de"):
            assert gettext(kind.title) != kind.title


async def test_the_page_and_the_bell_are_ones_own() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    await notify.anotify(ann.pk, "follower", {"name": "<b>Cyd"}, "/@Cyd/", "1")
    await notify.anotify(ann.pk, "turn", {"mode": "race"}, "/match/x/", "2")
    for user, number in ((ann, 2), (bob, 0)):
        client = AsyncClient()
        await client.aforce_login(user)
        found = (await client.get("/notifications/now.json")).json()
        assert found["unread"] == len(found["notifications"]) == number
        page = (await client.get("/notifications/")).content.decode()
        assert ("&lt;b&gt;Cyd follows you." in page) == bool(number)
    client = AsyncClient()
    await client.aforce_login(ann)
    accept = {"accept": "application/json"}
    read = "/notifications/read/"
    about = await client.post(read, {"url": "/match/x/"}, headers=accept)
    assert about.json() == {"unread": 1}
    assert (await client.post(read, headers=accept)).json() == {"unread": 0}
    assert (await client.post("/notifications/clear/")).status_code == 302
    assert await Notification.objects.acount() == 0


async def test_a_deleted_account_takes_along_what_others_were_told_of_it() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    await notify.anotify(ann.pk, "follower", {"name": "Bob"}, "/@Bob/", "1")
    await notify.anotify(ann.pk, "tournament", {"name": "Bob", "mode": "race"}, "/x/", "2")
    await sync_to_async(leaving.delete)(bob)
    assert [row.kind async for row in Notification.objects.all()] == ["tournament"]
