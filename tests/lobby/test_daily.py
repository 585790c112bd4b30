"""The board of the day: the same for everybody, counted once, ranked by time."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from accounts.models import User
from games import daily
from games.live import replica
from games.live.archive import archive
from games.live.seat_client import SeatClient
from games.models import DailyBoard, DailyResult, Match, Seat
from lobby import daily as making

pytestmark = pytest.mark.django_db(transaction=True)


async def signed_in(name: str, kind: str = "registered") -> AsyncClient:
    user = await sync_to_async(User.objects.create_user)(name, password="x", kind=kind)
    client = AsyncClient()
    await sync_to_async(client.force_login)(user)
    return client


async def begin(client: AsyncClient) -> str:
    answer = await client.post("/daily/start/")
    assert answer.status_code == 302
    return answer["Location"].split("/")[2]


async def finish(match: str, clear: bool, hint: AsyncClient | None = None) -> None:
    """Play it to its end, knowing the board."""
    board = json.loads(bytes.fromhex((await DailyBoard.objects.aget(pk=daily.today())).deal))
    mines, start = set(board["mines"]), board["start"]
    async with await SeatClient.open(match, 0) as seat:
        assert (await seat.act({"type": "reveal", "cell": start})).stored
        if hint is not None:
            assert (await hint.post(f"/match/{match}/hint/")).status_code == 200
        cells = range(daily.board().width * daily.board().height)
        for cell in cells if clear else [min(mines)]:
            if cell in mines and clear:
                continue
            if seat.replica.view(0)["game"]["cells"][cell] == -1:
                assert (await seat.act({"type": "reveal", "cell": cell})).stored
        async for _ in seat:
            pass
    await archive(match)


@pytest.fixture
def tireless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clearing a board takes longer for people than for a test."""
    monkeypatch.setattr(replica, "SEAT_BURST", 10_000)


async def test_everybody_gets_the_same_board_and_another_one_tomorrow(settings):
    day = date(2026, 3, 1)
    first = await making.board_of(day)
    assert (await making.board_of(day)).deal == first.deal
    await DailyBoard.objects.all().adelete()
    assert (await making.board_of(day)).deal == first.deal  # from the secret and the date alone
    assert (await making.board_of(day + timedelta(days=1))).deal != first.deal
    before = making.seed_of(day)
    settings.SECRET_KEY = "another"
    assert making.seed_of(day) != before


async def test_the_first_finished_attempt_counts():
    ada = await signed_in("Ada")
    match = await begin(ada)
    assert await begin(ada) == match  # not finished: no other board to look at
    await finish(match, clear=False)
    again = await begin(ada)
    assert again != match
    await finish(again, clear=False)
    result = await DailyResult.objects.aget()
    assert (result.match_id, result.cleared) == (match, False)
    assert (await Match.objects.aget(pk=match)).source == "daily"
    page = await ada.get("/daily/")
    assert "You didn’t clear it" in page.content.decode()
    assert b"Practise on this board" in page.content


def stored(name: str, ms: int, kind: str = "registered", **more: Any) -> None:
    board, _ = DailyBoard.objects.get_or_create(day=daily.today(), defaults={"deal": "00"})
    user = User.objects.create_user(name, password="x", kind=kind)
    match = Match.objects.create(
        id=f"m{name.lower():0<11}", mode="classic", rules_version=1, rated=False, source="daily"
    )
    Seat.objects.create(match=match, number=0, user=user, name=name, kind=kind, mode="classic")
    DailyResult.objects.create(
        board=board,
        user=user,
        match=match,
        **{"cleared": True, "aided": False, "time_ms": ms, **more},
    )


def test_the_leaderboard_is_by_time_of_unaided_registered_players(client):
    stored("Slow", 90_000)
    stored("Quick", 61_250)
    stored("Aided", 30_000, aided=True)
    stored("Lost", 20_000, cleared=False)
    stored("Visitor", 10_000, kind="guest")
    assert [r.user.username for r in daily.best(daily.today())] == ["Quick", "Slow"]
    before = client.get("/daily/").content.decode()
    assert "Quick" not in before
    told = client.get("/daily/now.json").json()
    assert told["best"] == {"name": "Quick", "time_ms": 61_250, "new": True}
    assert (told["attempts"], told["you"], told["mines"]) == (5, None, 99)
    client.force_login(User.objects.get(username="Slow"))  # the others' results follow one's own
    page = client.get("/daily/").content.decode()
    assert page.index("Quick") < page.index("1:01.2") < page.index("Slow</a>")
    assert "Visitor" not in page
    assert "Attempts today: 5, cleared: 4." in page
    assert "Your rank: 2." in page
    client.force_login(User.objects.get(username="Lost"))
    assert "Your rank" not in client.get("/daily/").content.decode()


def test_old_links_lead_there(client):
    answer = client.get("/play/classic/?daily")
    assert (answer.status_code, answer["Location"]) == (302, "/daily/")


async def test_a_visitor_plays_as_a_guest():
    client = AsyncClient()
    match = await begin(client)
    seat = await (await Match.objects.aget(pk=match)).seats.aget()
    assert seat.kind == "guest"


async def test_a_player_who_clears_it_is_ranked_unless_aided(tireless):
    ada, bob = await signed_in("Ada"), await signed_in("Bob")
    await finish(await begin(ada), clear=True)
    await finish(await begin(bob), clear=True, hint=bob)
    assert [r.cleared async for r in DailyResult.objects.all()] == [True, True]
    assert [r.user.username async for r in daily.best(daily.today())] == ["Ada"]
    assert (await ada.get("/daily/now.json")).json()["you"]["cleared"]


def test_a_guest_who_signs_up_afterwards_does_not_rank():
    stored("Visitor", 10_000, kind="guest")
    User.objects.filter(username="Visitor").update(kind="registered")
    assert not daily.best(daily.today()).exists()


def test_accounts_younger_than_a_day_are_marked(client):
    stored("Fresh", 20_000)
    stored("Known", 30_000)
    day_ago = timezone.now() - timedelta(days=2)
    User.objects.filter(username="Known").update(date_joined=day_ago)
    assert [row.is_new for row in daily.best(daily.today())] == [True, False]
    client.force_login(User.objects.get(username="Known"))
    assert client.get("/daily/").content.decode().count('title="This account') == 1
