"""The pages and the API: what is shown, to whom, and in how many queries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import tokens
from accounts.models import User
from games.models import Match
from games.statistics import bests
from games.statistics.models import (
    Awaiting,
    Best,
    ModeAccuracy,
    SeatAccuracy,
    SoloGame,
    Tally,
)
from games.statistics.templatetags.figures import exact_time

from .games import BEGINNER, lost, won

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def anna() -> User:
    user = User.objects.create_user("anna", password="x")
    now = timezone.now()
    for number in range(6):
        won(user, every=1500 - 150 * number, at=now - timedelta(minutes=40 - number))
    lost(user, at=now)
    ModeAccuracy.objects.create(
        user=user, mode="race", matches=7, analysed=300, given_up=6.0, luck=-1.25, rated=3
    )
    return user


def queries(client, path: str) -> int:
    client.get(path)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return len(asked)


def test_ones_own_page_shows_the_board_played_most(client, anna):
    client.force_login(anna)
    page = client.get("/stats/").content.decode()
    assert "6 of 7" in page
    assert "85.7" in page
    assert "0 now, 6 at most" in page
    assert exact_time(Best.objects.get(by="time", period="all").value) in page
    assert page.count("<figure") == 4
    assert "98.0" in page  # accuracy in Race: 6 of 300 given up
    assert "−1.2" in page or "−1.3" in page


def test_another_board_is_empty_and_an_unknown_one_not_there(client, anna):
    client.force_login(anna)
    assert "No finished games" in client.get("/stats/?board=expert").content.decode()
    assert "No finished games" in client.get("/stats/?board=beginner&no_guess=1").content.decode()
    for query in ("board=vast", "mode=race", "mode=chess", "no_guess=2", "board=expert&no_guess="):
        assert client.get(f"/stats/?{query}").status_code == 404
    assert client.get("/stats/?board=").status_code == 200


def test_it_is_for_those_who_are_signed_in(client):
    assert client.get("/stats/").status_code == 302
    assert client.get("/stats/leaderboard/").status_code == 200


def test_the_tab_of_a_profile_is_as_private_as_the_history(client, anna):
    assert "6 of 7" in client.get("/@Anna/stats/").content.decode()
    anna.preferences["private"] = True
    anna.save()
    assert "6 of 7" not in client.get("/@anna/stats/").content.decode()
    client.force_login(anna)
    assert "6 of 7" in client.get("/@anna/stats/").content.decode()
    assert client.get("/@nobody/stats/").status_code == 404


def test_leaderboards_are_of_registered_players_by_period(client, anna):
    quick = User.objects.create_user("quick", password="x")
    won(quick, every=300, at=timezone.now() - timedelta(days=40))
    guest = User.objects.create_user("visitor", password="x", kind="guest")
    won(guest, every=200, at=timezone.now())
    week = client.get("/stats/leaderboard/?board=beginner&period=day").content.decode()
    assert "/@anna/" in week
    assert "/@quick/" not in week
    ever = client.get("/stats/leaderboard/?board=beginner&period=all&by=speed").content.decode()
    assert ever.index("/@quick/") < ever.index("/@anna/")
    assert "visitor" not in ever
    assert (
        "/@quick/"
        not in client.get(
            "/stats/leaderboard/?board=beginner&no_guess=1&period=all"
        ).content.decode()
    )
    for query in ("period=year", "by=luck", "board="):
        assert client.get(f"/stats/leaderboard/?{query}").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/stats/", "/stats/?board=expert", "/@anna/stats/", "/stats/leaderboard/?period=all",
     "/stats/leaderboard/?board=beginner&period=all&by=ioe"],
)  # fmt: skip
def test_a_page_takes_at_most_eight_queries_however_much_there_is(client, anna, path):
    client.force_login(User.objects.create_user("visitor", password="x"))
    if path.startswith("/stats/?") or path == "/stats/":
        client.force_login(anna)
    few = queries(client, path)
    for number in range(5):
        other = User.objects.create_user(f"other{number}", password="x")
        won(other, at=timezone.now())
        won(anna, at=timezone.now(), options={**BEGINNER, "no_guess": True})
    assert queries(client, path) == few <= 8


def test_every_query_walks_along_an_index(client, anna):
    if connection.vendor != "sqlite":
        pytest.skip("reads SQLite's plans")
    client.force_login(anna)
    with CaptureQueriesContext(connection) as asked:
        client.get("/stats/")
        client.get("/stats/leaderboard/?board=beginner&period=all")
    with connection.cursor() as cursor:
        for query in [q["sql"] for q in asked if "statistics_" in q["sql"]]:
            cursor.execute(f"EXPLAIN QUERY PLAN {query}")
            plan = [row[3] for row in cursor.fetchall()]
            assert not [line for line in plan if line.startswith("SCAN")], query


def test_the_result_of_a_match_tells_of_a_best_and_of_accuracy(client, anna):
    best = SoloGame.objects.filter(is_best=True).order_by("-ended_at").first()
    told = client.get(f"/match/{best.match_id}/result.json").json()
    assert told["figures"]["best"] is True
    assert told["figures"]["before_ms"] == best.best_before_ms > best.time_ms
    assert (told["accuracy"], told["waiting"]) == ({}, True)
    Awaiting.objects.all().delete()
    SeatAccuracy.objects.create(
        match_id=best.match_id, number=0, user=anna, moves=4, analysed=4, given_up=0.5, luck=0
    )
    told = client.get(f"/match/{best.match_id}/result.json").json()
    assert (told["accuracy"], told["waiting"]) == ({"0": 87.5}, False)
    client.force_login(anna)
    assert "accuracy 87.5 %" in client.get("/history/").content.decode()


def bearer(user: User, *scopes: str) -> dict[str, str]:
    return {"authorization": f"Bearer {tokens.issue(user, 'test', scopes)[1]}"}


def test_the_api_tells_ones_own_statistics(client, anna):
    told = client.get("/api/v1/statistics", headers=bearer(anna, "read")).json()
    (board,) = told["boards"]
    assert (board["board"], board["no_guess"], board["played"], board["won"]) == (
        "beginner", False, 7, 6,
    )  # fmt: skip
    assert set(board["bests"]) == set(bests.MEASURES)
    (race,) = told["accuracies"]
    assert (race["mode"], race["accuracy"], race["luck"]) == ("race", 98, -1.25)
    assert client.get("/api/v1/statistics").status_code == 401


def test_the_api_tells_leaderboards(client, anna):
    path = "/api/v1/leaderboards/classic/records"
    (row,) = client.get(path, {"board": "beginner", "period": "day"}).json()
    assert (row["place"], row["name"]) == (1, "anna")
    assert row["game"]["time_ms"] == Best.objects.get(by="time", period="day").value
    assert client.get(path, {"board": "beginner", "period": "year"}).status_code == 422
    assert client.get(path, {"board": "vast"}).status_code == 404
    assert client.get("/api/v1/leaderboards/race/records?board=x").status_code == 404


def test_a_moderator_decides_about_a_held_result(client, anna):
    game = SoloGame.objects.filter(won=True).first()
    SoloGame.objects.filter(pk=game.pk).update(state="held", why="too_regular")
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "x"))
    listed = client.get("/admin/statistics/sologame/?state__exact=held").content.decode()
    assert "clicks as regular as a clock" in listed
    address = f"/admin/statistics/sologame/{game.pk}/change/"
    assert client.post(address, {"state": "refused"}).status_code == 302
    assert SoloGame.objects.get(pk=game.pk).state == "refused"
    assert Tally.objects.get().won == 5


def test_backfilling_comes_to_the_same_as_counting_along(anna, capsys):
    def standing():
        return (
            list(Tally.objects.values("played", "won", "streak", "best_streak", "all_ms")),
            list(Best.objects.order_by("by", "period").values("by", "period", "value")),
            list(Awaiting.objects.order_by("pk").values_list("pk", flat=True)),
        )

    before = standing()
    for model in (Tally, Best, SoloGame, Awaiting):
        model.objects.all().delete()
    call_command("backfill_statistics")
    assert standing() == before
    assert capsys.readouterr().out.splitlines() == [
        "7 games stored.",
        "1 players' boards counted.",
        "7 matches will be analysed by the worker.",
    ]
    call_command("backfill_statistics", no_analysis=True)
    assert standing() == before
    assert capsys.readouterr().out.splitlines()[0] == "0 games stored."


def test_a_match_that_cannot_be_played_again_is_left_out(anna):
    SoloGame.objects.all().delete()
    Match.objects.update(log=b"broken")
    call_command("backfill_statistics", no_analysis=True)
    assert not SoloGame.objects.exists()


def test_old_periods_are_forgotten(anna):
    ever = Best.objects.filter(period="all").count()
    bests.forget_old(timezone.now() + timedelta(days=365))
    assert Best.objects.count() == ever > 0
