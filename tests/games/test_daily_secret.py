"""Nothing of the board of the day is told before its day is over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser
from django.test import AsyncClient
from django.utils import timezone

from accounts.models import User
from games.analysing import worker as analysing
from games.live import host as live_host
from games.live import stored_log
from games.live.archive import archive
from games.live.host import host
from games.live.seat_client import SeatClient
from games.models import DailyBoard, Match
from games.routing import websocket_urlpatterns
from tests.communicator import PatientCommunicator
from tests.lobby.sockets import session_of
from tests.lobby.test_daily import begin, signed_in

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


def mines_of_today() -> list[int]:
    return json.loads(bytes.fromhex(DailyBoard.objects.get().deal))["mines"]


async def told_over_the_socket(match: str, user: User | None) -> list[dict[str, Any]]:
    socket = PatientCommunicator(URLRouter(websocket_urlpatterns), f"/ws/match/{match}/")
    socket.scope["user"] = user or AnonymousUser()
    socket.scope["session"] = await session_of(user)
    assert (await socket.connect())[0]
    await socket.send_json_to({"type": "hello", "version": 1})
    found: list[dict[str, Any]] = await socket.receive_json_from()
    await socket.disconnect()
    return found


@pytest.fixture
async def _archive_answers() -> AsyncIterator[None]:
    """A worker that computes what the archive is asked for."""
    stop = asyncio.Event()
    working = asyncio.create_task(analysing.run(stop))
    yield
    stop.set()
    await working


@pytest.mark.usefixtures("_archive_answers")
@pytest.mark.parametrize("stored_in", ["the log", "the archive"])
async def test_nothing_of_the_board_is_told_before_its_day_is_over(stored_in: str):
    ada, eve = await signed_in("Ada"), await signed_in("Eve")
    match = await begin(ada)
    users = [await User.objects.aget(username=name) for name in ("Ada", "Eve")]
    async with await SeatClient.open(match, 0) as seat:
        assert (await seat.act({"type": "surrender"})).stored
        over = [event async for event in seat][-1]
    assert (over["seed"], over["deal"], over["truth"].get("mines")) == (None, None, None)
    assert over["truth"]["won"] is False
    await archive(match)
    if stored_in == "the archive":
        await stored_log.delete(host().servers, match)
        await live_host.close()
    secrets = [(await Match.objects.aget(pk=match)).seed]
    secrets.append(json.dumps(await sync_to_async(mines_of_today)(), separators=(",", ":")))
    told = []
    for client, user in ((ada, users[0]), (eve, users[1]), (AsyncClient(), None)):
        for path in (
            "",
            "replay.json",
            "replay.json?view=0",
            "analysis.json",
            "log.ndjson",
            "result.json",
        ):
            told.append(await client.get(f"/match/{match}/{path}"))
        for path in ("", "/log"):
            told.append(await client.get(f"/api/v1/matches/{match}{path}"))
        heard = await told_over_the_socket(match, user)
        if user == users[0]:
            assert heard[-1]["view"]["truth"] == over["truth"]
        else:
            assert heard[0]["code"] == "withheld"
        assert not any(secret in json.dumps(heard, separators=(",", ":")) for secret in secrets)
    for answer in told:
        assert answer.status_code in (200, 403, 404, 409)
        text = answer.content.decode()
        assert not any(secret in text.replace(" ", "") for secret in secrets), answer.request
    assert b"still secret" in told[0].content

    # The next day all of it can be seen.
    yesterday = timezone.now() - timedelta(days=1)
    await Match.objects.filter(pk=match).aupdate(created_at=yesterday)
    assert (await eve.get(f"/match/{match}/replay.json")).status_code == 200
    assert (await eve.get(f"/api/v1/matches/{match}")).json()["seed"] == secrets[0]


async def test_a_running_attempt_is_its_players_alone():
    ada, eve = await signed_in("Ada"), await signed_in("Eve")
    match = await begin(ada)
    eve_user = await User.objects.aget(username="Eve")
    assert b"still secret" in (await eve.get(f"/match/{match}/")).content
    assert b"still secret" not in (await ada.get(f"/match/{match}/")).content
    for user in (eve_user, None):
        assert (await told_over_the_socket(match, user))[0]["code"] == "withheld"
