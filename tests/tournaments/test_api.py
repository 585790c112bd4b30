"""Tournaments over the HTTP API, and the solo arena that is played over it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from games.models import Match
from lobby.dealing import pool
from lobby.dealing.dealer import TookTooLong
from lobby.errors import LobbyError
from lobby.tournaments import feed, making, sealing, solo
from lobby.tournaments.models import Attempt, SoloBoard, Tournament
from tests.lobby.flow import act, until
from tests.tournaments.making import entered, fresh, new_users, step

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = "/api/v1/tournaments"
OPTIONS = {"width": 9, "height": 9, "mines": 10, "no_guess": True}


async def bearer(user: User) -> dict[str, str]:
    _token, secret = await sync_to_async(tokens.issue)(user, "bot", ["play", "read"])
    return {"authorization": f"Bearer {secret}"}


async def test_a_program_creates_joins_pauses_and_leaves():
    bot = await User.objects.acreate(username="Robo", kind="bot")
    client, mine = AsyncClient(), await bearer(bot)

    async def post(path: str, **body):
        return await client.post(
            f"{ROOT}{path}", body, content_type="application/json", headers=mine
        )

    starts_at = (timezone.now() + timedelta(hours=1)).isoformat()
    made = await post("", name="Bots only", kind="arena", mode="race", starts_at=starts_at)
    assert made.status_code == 200, made.content
    cup = made.json()["id"]
    assert (await post(f"/{cup}/join")).json()["state"] == "active"
    assert (await post(f"/{cup}/pause")).json()["state"] == "paused"
    shown = (await client.get(f"{ROOT}/{cup}")).json()
    assert [row["name"] for row in shown["standings"]] == ["Robo"]
    assert [one["id"] for one in (await client.get(ROOT)).json()] == [cup]
    assert (await client.get(f"{ROOT}/{cup}/entry", headers=mine)).json()["match"] is None
    assert (await post(f"/{cup}/leave")).status_code == 204
    missing = await post("/nosuchcup000/join")
    assert (missing.status_code, missing.json()["code"]) == (404, "no_such_tournament")
    bad = await post("", name="Bots only", kind="arena", mode="race", starts_at="soon")
    assert bad.status_code == 422
    gone = await client.delete(f"{ROOT}/{cup}", headers=mine)
    assert gone.status_code == 204
    assert (await client.get(ROOT)).json() == []


async def test_a_solo_arena_counts_the_best_attempt_on_sealed_boards(monkeypatch):
    """One board that opens with one click, and another one that is lost with it."""

    async def dealt(spec, number, visitor=""):
        raise AssertionError("the boards are there")

    monkeypatch.setattr("lobby.tournaments.solo.pool.take", dealt)
    cup, (ann, ben) = await entered(2, "solo", mode="classic", options=OPTIONS)
    for number, deal in enumerate(await deals(2), 1):
        seal = solo.seal_of("00" * 32, deal)
        await SoloBoard.objects.acreate(
            tournament=cup, number=number, deal=deal, salt="00" * 32, seal=seal
        )
    await step()
    client = AsyncClient()
    matches = []
    for user in (ann, ben):
        asked = await client.post(f"{ROOT}/{cup.pk}/boards/1", headers=await bearer(user))
        assert asked.status_code == 200, asked.content
        matches.append(asked.json()["match"])
    again = await client.post(f"{ROOT}/{cup.pk}/boards/1", headers=await bearer(ann))
    assert again.json()["match"] == matches[0], "one attempt each"
    rows = [await Match.objects.aget(pk=match) for match in matches]
    assert {row.source for row in rows} == {"sealed"}
    await act(matches[0], 0, {"type": "surrender"})

    async def stored() -> bool:
        from games.live.archive import archive

        await archive(matches[0])
        return await Attempt.objects.filter(match=matches[0], is_over=True).aexists()

    await until(stored)
    row = await Match.objects.aget(pk=matches[0])
    assert row.is_withheld, "others may still play this board"
    assert (await client.get(f"/match/{row.pk}/log.ndjson")).status_code == 403
    shown = (await client.get(f"/api/v1/matches/{row.pk}")).json()
    assert shown["seed"] == ""
    # Two that cleared it: the quicker one is first.
    await Attempt.objects.filter(match=matches[0]).aupdate(
        cleared=True, time_ms=5_000, speed=900, ended_at=timezone.now()
    )
    await Attempt.objects.filter(match=matches[1]).aupdate(
        is_over=True, cleared=True, time_ms=4_000, speed=800, ended_at=timezone.now()
    )
    by_time = await sync_to_async(feed.picture_of)(cup.pk)
    assert [line["name"] for line in by_time["rows"]] == [ben.username, ann.username]
    await Tournament.objects.filter(pk=cup.pk).aupdate(metric="speed")
    by_speed = await sync_to_async(feed.picture_of)(cup.pk)
    assert [line["name"] for line in by_speed["rows"]] == [ann.username, ben.username]
    assert (await fresh(cup)).status == "running"
    await step(later=timedelta(hours=2))
    late = await client.post(f"{ROOT}/{cup.pk}/boards/2", headers=await bearer(ann))
    assert late.json()["code"] == "tournament_over"


async def deals(count: int) -> list[str]:
    from lobby.dealing.dealer import Spec
    from lobby.dealing.desk import close, desk

    made = [await desk().make(Spec(9, 9, 10), "", bytes([n]) * 32, 20.0) for n in range(count)]
    await close()
    return [one.hex() for one in made]


async def test_a_solo_arena_is_played_on_boards_that_can_be_made(monkeypatch):
    (ann,) = await sync_to_async(new_users)(1)
    starts_at = timezone.now() + timedelta(minutes=5)
    asked = {"name": "Sprint", "kind": "solo", "mode": "classic", "starts_at": starts_at}
    made = await making.create_when_dealt(ann, asked)
    assert made.options["no_guess"] is True
    assert pool.spec_for(made.mode, made.options) is not None
    crowded = {"width": 40, "height": 40, "mines": 1200}
    with pytest.raises(LobbyError) as refused:
        await making.create_when_dealt(ann, asked | {"options": crowded})
    assert refused.value.code == "no_guess_failed"


async def test_an_arena_without_boards_waits_and_is_cancelled(monkeypatch):
    asked = []

    async def no_board(spec, number, visitor=""):
        asked.append(number)
        raise TookTooLong

    monkeypatch.setattr("lobby.tournaments.solo.pool.take", no_board)
    cup, _users = await entered(1, "solo", mode="classic", options=OPTIONS)
    now = timezone.now()
    for later in (0, 1, 2, 10, 33):
        await step(now, timedelta(seconds=later))
        await sealing.finished()
    assert asked == [2, 2], "at once, and half a minute later"
    assert (await fresh(cup)).status == "running"
    await step(now, timedelta(minutes=6))
    await sealing.finished()
    assert ((await fresh(cup)).status, (await fresh(cup)).reason) == ("cancelled", "no_boards")
