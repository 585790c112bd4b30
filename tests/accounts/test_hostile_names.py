"""Text players choose their own names, and old rows may hold anything: every page escapes them, and
every answer in JSON is JSON to the browser, too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from accounts import ratings, tokens
from accounts.models import User
from games import meetings
from games.live.host import host
from games.live.setup import new_id
from games.models import Match, Seat
from games.moderation.models import Report, StaffAct
from lobby import board, creation
from lobby.plans import Plan, Seated

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]
HOSTILE = "<img src=x>'\"&\u202e{{7}}"  # as long as a name may be
OVER = "a" * 12


def plant() -> tuple[User, User]:
    """Anna, a superuser, and somebody whose name got into the database by no form of ours."""
    anna = User.objects.create_user("anna", is_staff=True, is_superuser=True)
    evil = User.objects.create_user("evil")
    User.objects.filter(pk=evil.pk).update(username=HOSTILE)
    match = Match.objects.create(
        id=OVER, mode="race", rules_version=1, rated=True, source="queue",
        status=Match.Status.OVER, commitment="0", ended_at=timezone.now(), duration_ms=1,
    )  # fmt: skip
    for number, (user, name) in enumerate([(anna, "anna"), (evil, HOSTILE)]):
        Seat.objects.create(
            match=match, number=number, user=user, name=name, kind="registered", rank=number + 1,
            mode="race", result="win" if number == 0 else "loss", ended_at=match.ended_at,
        )  # fmt: skip
    meetings.note([match.seats.all()])
    ratings.apply_all(
        [ratings.Result("race", OVER, [anna.pk, evil.pk], [1, 2], match.ended_at, [1.0, 1.0])]
    )
    Report.objects.create(reporter=evil, player=evil, reason="other", text=HOSTILE)
    StaffAct.objects.create(by=evil, by_name=HOSTILE, act="kick", target=HOSTILE, why=HOSTILE)
    tokens.issue(evil, HOSTILE, ["read"])
    return anna, evil


async def live_match(anna: User, evil: User) -> str:
    """A running match that the lobby lists."""
    seats = tuple(
        Seated(identity=f"u{user.pk}", name=user.username, kind=user.kind, user_id=user.pk)
        for user in (anna, evil)
    )
    plan = Plan(
        match=new_id(), mode="battleship", seats=seats, options={}, rated=False, source="queue"
    )
    await host().opened()
    await creation.begin(plan, b"")
    await board.publish(0)  # as the worker does
    return plan.match


def pages(live: str, evil: User) -> list[str]:
    admin = ["accounts/user", "accounts/rating", "accounts/ratingchange", "accounts/token",
             "games/match", "games/seat", "moderation/report", "moderation/staffact"]  # fmt: skip
    return [
        *("/", "/watch/", f"/match/{OVER}/", f"/match/{live}/", "/@anna/", "/history/"),
        *("/history/?opponent=%3Cimg%20src=x%3E", "/leaderboard/race/", "/play/race/"),
        *("/lobby/now.json", f"/match/{live}/result.json", f"/match/{OVER}/result.json"),
        *("/api/v1/leaderboards/race", f"/api/v1/matches/{OVER}", "/api/v1/players/anna/matches"),
        *(
            "/admin/",
            "/admin/live.json",
            f"/admin/player/{evil.pk}/",
            f"/admin/match/{OVER}/watch/",
        ),
        f"/admin/accounts/user/{evil.pk}/change/",
        *(f"/admin/{name}/" for name in admin),
    ]


MUST_SHOW = ("/match/", "/watch/", "/leaderboard/", "/history/", "/@anna/", "/admin/player/")


async def test_hostile_names_are_escaped_on_every_page(settings):
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    anna, evil = await sync_to_async(plant)()
    await evil.arefresh_from_db()
    live = await live_match(anna, evil)
    client = AsyncClient()
    await client.aforce_login(anna)
    for path in pages(live, evil):
        answer = await client.get(path)
        assert answer.status_code == 200, path
        assert answer["X-Content-Type-Options"] == "nosniff", path
        text = answer.content.decode()
        if answer["Content-Type"].startswith("text/html"):
            assert "<img src=x" not in text, path
            assert "&\u202e" not in text, path  # the & before it is escaped, too
            if path.startswith(MUST_SHOW) and "?" not in path:
                assert "&lt;img src=x&gt;&#x27;&quot;&amp;\u202e{{7}}" in text, path
        else:
            assert answer["Content-Type"].startswith("application/json"), path
            json.loads(text)


async def test_hostile_names_come_whole_in_json():
    anna, _evil = await sync_to_async(plant)()
    client = AsyncClient()
    await client.aforce_login(anna)
    found: Any = (await client.get(f"/match/{OVER}/result.json")).json()
    assert found["seats"][1]["name"] == HOSTILE
    board = (await client.get("/api/v1/leaderboards/race")).json()
    assert {row["name"] for row in board} == {"anna", HOSTILE}


async def test_an_account_with_such_a_name_can_use_the_site():
    _anna, evil = await sync_to_async(plant)()
    client = AsyncClient()
    await client.aforce_login(await User.objects.aget(pk=evil.pk))
    for path in ("/", "/history/", "/accounts/settings/", "/accounts/settings/access/"):
        answer = await client.get(path)
        assert answer.status_code == 200, path
        assert "<img src=x" not in answer.content.decode(), path
    export = await client.post("/accounts/settings/data/export/")
    assert export.status_code == 200
    assert "\n" not in export["Content-Disposition"]
    assert export.json()["account"]["name"] == HOSTILE


@pytest.mark.parametrize("path", ["/@%3Cscript%3E/", "/@%00/", "/@%E2%80%AEanna/"])
async def test_nobody_has_a_hostile_profile(path):
    page = await AsyncClient().get(path)
    assert page.status_code == 404
    assert "<script>" not in page.content.decode().replace('<script type="', "")
