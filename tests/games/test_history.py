"""Histories, profiles, leaderboards: what is shown, to whom, in how many queries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import ratings
from accounts.models import User
from accounts.ratings import NEWCOMER
from games import meetings
from games.models import Match, Seat
from games.selectors import (
    PAGE,
    HistoryFilter,
    history,
    leaderboard,
    placed_ratings_of,
    rating_histories,
    records,
)

pytestmark = [pytest.mark.django_db, pytest.mark.database]
START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password="x")


@pytest.fixture
def bert() -> User:
    return User.objects.create_user("bert", password="x")


def play(number: int, *players: tuple[User | None, str], mode="race", rated=True) -> Match:
    """A finished match; players with their results."""
    ended = START + timedelta(minutes=number)
    match = Match.objects.create(
        id=f"m{number:011d}", mode=mode, rules_version=1, rated=rated, source="queue",
        status="over", ended_at=ended, duration_ms=65_000, commitment="0" * 64,
    )  # fmt: skip
    for i, (user, result) in enumerate(players):
        Seat.objects.create(
            match=match, number=i, user=user, name=user.username if user else "<b>guest</b>",
            kind=user.kind if user else "guest", mode=mode, ended_at=ended, result=result,
            rank=1 if result == "win" else 2,
        )  # fmt: skip
    meetings.note([match.seats.all()])
    return match


def test_a_history_is_paged_newest_first_without_gaps(anna, bert):
    for number in range(PAGE * 2 + 3):
        play(number, (anna, "win"), (bert, "loss"))
    seen, before = [], None
    while True:
        page = history(anna.pk, HistoryFilter(), before)
        seen += [seat.match_id for seat in page.seats]
        before = page.older
        if before is None:
            break
    assert seen == [f"m{number:011d}" for number in reversed(range(PAGE * 2 + 3))]


def test_filters_by_mode_result_and_opponent(anna, bert):
    play(1, (anna, "win"), (bert, "loss"))
    play(2, (anna, "loss"), (None, "win"), mode="battleship")
    assert len(history(anna.pk, HistoryFilter(mode="race")).seats) == 1
    assert len(history(anna.pk, HistoryFilter(result="loss")).seats) == 1
    assert len(history(anna.pk, HistoryFilter(opponent="BERT")).seats) == 1
    assert history(anna.pk, HistoryFilter(opponent="anna")).seats == []


def test_an_opponent_s_matches_are_paged_without_gaps_under_every_filter(anna, bert):
    wanted = HistoryFilter(mode="race", result="win", opponent="Bert")
    expected = []
    for number in range(PAGE * 3):
        mode = "race" if number % 3 else "battleship"
        result, other = ("win", "loss") if number % 4 else ("draw", "draw")
        match = play(number, (anna, result), (bert, other), mode=mode)
        if mode == "race" and result == "win":
            expected.insert(0, match.pk)
    first = history(anna.pk, wanted)
    second = history(anna.pk, wanted, first.older)
    assert [seat.match_id for seat in (*first.seats, *second.seats)] == expected
    assert len(first.seats) == PAGE
    assert second.older is None


def test_guests_are_found_by_the_name_they_played_under(anna):
    match = play(1, (anna, "win"), (None, "loss"))
    play(2, (anna, "win"), (None, "loss"), (None, "loss"))  # two of one name: still one row
    found = history(anna.pk, HistoryFilter(opponent="<B>Guest</b>")).seats
    assert [seat.match_id for seat in found] == ["m00000000002", match.pk]


@pytest.mark.parametrize("mode", ["", "race"])
@pytest.mark.parametrize("result", ["", "win"])
@pytest.mark.parametrize("opponent", ["", "bert", "some guest"])
def test_every_filter_walks_along_an_index(anna, bert, mode, result, opponent):
    if connection.vendor != "sqlite":
        pytest.skip("reads SQLite's plans")
    play(1, (anna, "win"), (bert, "loss"))
    last = Seat.objects.get(user=anna).pk
    with CaptureQueriesContext(connection) as asked:
        history(anna.pk, HistoryFilter(mode, result, opponent), last)
    for query in asked.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + query["sql"].replace("%", "%%"), [])
            plan = "; ".join(row[3] for row in cursor.fetchall())
        assert "SCAN" not in plan, (plan, query["sql"])
        assert "FOR ORDER BY" not in plan or "match_id" in query["sql"], (plan, query["sql"])


def test_a_name_is_looked_up_in_its_index(anna):
    assert User.objects.get(username__iexact="ANNA") == anna
    assert not User.objects.filter(username__iexact="an\N{KELVIN SIGN}a").exists()
    if connection.vendor == "sqlite":
        assert "name_any_case" in User.objects.filter(username__iexact="anna").explain()


def test_a_record_counts_wins_losses_and_draws(anna, bert):
    assert records(anna.pk, None)[0] == {"win": 0, "loss": 0, "draw": 0}
    play(1, (anna, "win"), (bert, "loss"))
    play(2, (anna, "win"), (bert, "loss"))
    play(3, (anna, "draw"), (bert, "draw"))
    play(4, (anna, "none"), (bert, "none"))
    assert records(anna.pk, None)[0] == {"win": 2, "loss": 0, "draw": 1}
    assert records(bert.pk, None)[0] == {"win": 0, "loss": 2, "draw": 1}


def test_a_running_match_is_not_in_the_history(anna, bert):
    match = play(1, (anna, "win"), (bert, "loss"))
    match.seats.update(ended_at=None)
    assert history(anna.pk, HistoryFilter()).seats == []
    # Nor is it a place in it to go on from.
    running = match.seats.get(user=anna).pk
    assert history(anna.pk, HistoryFilter(), before=running).seats == []


def test_head_to_head_counts_the_visitor_s_results(anna, bert):
    play(1, (anna, "win"), (bert, "loss"))
    play(2, (anna, "loss"), (bert, "win"))
    play(3, (anna, "win"), (None, "loss"))
    assert records(bert.pk, anna.pk)[1] == {"win": 1, "loss": 1, "draw": 0}
    assert records(bert.pk + 999, bert.pk)[1] == {}


def test_the_own_history_needs_a_sign_in_and_escapes_names(client, anna):
    play(1, (anna, "win"), (None, "loss"))
    assert client.get("/history/").status_code == 302
    client.force_login(anna)
    page = client.get("/history/").content.decode()
    assert "&lt;b&gt;guest&lt;/b&gt;" in page
    assert "<b>guest</b>" not in page
    assert "/match/m00000000001/" in page


@pytest.mark.parametrize("query", ["mode=chess", "result=none2"])
def test_an_unknown_filter_is_not_found(client, anna, query):
    client.force_login(anna)
    assert client.get(f"/history/?{query}").status_code == 404


def test_a_profile_takes_few_queries_however_long_the_history(
    client, anna, bert, django_assert_max_num_queries
):
    for number in range(PAGE):
        match = play(number, (anna, "win"), (bert, "loss"))
        ratings.apply_all(
            [
                ratings.Result(
                    "race", match.pk, [anna.pk, bert.pk], [1, 2], match.ended_at, [1.0, 1.0]
                )
            ]
        )
    client.force_login(bert)
    with django_assert_max_num_queries(14):
        page = client.get("/@Anna/").content.decode()
    assert "You against anna: 0 won, 25 lost, 0 drawn." in page
    assert 'class="plot-line"' in page


def test_a_private_profile_hides_its_matches_from_others(client, anna, bert):
    play(1, (anna, "win"), (bert, "loss"))
    anna.preferences = {"private": True}
    anna.save()
    client.force_login(bert)
    assert "/match/m00000000001/" not in client.get("/@anna/").content.decode()
    client.force_login(anna)
    assert "/match/m00000000001/" in client.get("/@anna/").content.decode()


def test_leaderboards_keep_people_and_bots_apart(client, anna, bert):
    bert.kind = "bot"
    bert.save()
    match = play(1, (anna, "win"), (bert, "loss"))
    ratings.apply_all(
        [ratings.Result("race", match.pk, [anna.pk, bert.pk], [1, 2], match.ended_at, [1.0, 1.0])]
    )
    people = client.get("/leaderboard/race/").content.decode()
    bots = client.get("/leaderboard/race/?who=bots").content.decode()
    assert "anna" in people
    assert "bert" not in people
    assert "bert" in bots
    assert client.get("/leaderboard/chess/").status_code == 404
    assert client.get("/leaderboard/").status_code == 302
    assert client.get("/leaderboard/classic/")["Location"] == "/daily/"


def test_a_banned_player_leaves_the_board_and_comes_back(anna, bert):
    match = play(1, (anna, "win"), (bert, "loss"))
    ratings.apply_all(
        [ratings.Result("race", match.pk, [anna.pk, bert.pk], [1, 2], match.ended_at, [1.0, 1.0])]
    )
    anna.is_active = False
    anna.save(update_fields=["is_active"])
    assert [row.user for row in leaderboard("race")] == [bert]
    assert [rating.place for rating in placed_ratings_of(bert.pk)] == [1]
    anna.is_active = True
    anna.save()
    assert [row.user for row in leaderboard("race")] == [anna, bert]
    assert [rating.place for rating in placed_ratings_of(bert.pk)] == [2]


def test_the_ratings_of_each_mode_are_told_apart(anna, bert):
    for number in range(3):
        match = play(number, (anna, "win"), (bert, "loss"))
        ratings.apply_all(
            [
                ratings.Result(
                    "race", match.pk, [anna.pk, bert.pk], [1, 2], match.ended_at, [1.0, 1.0]
                )
            ]
        )
    match = play(9, (anna, "loss"), (bert, "win"))
    ratings.apply_all(
        [
            ratings.Result(
                "battleship", match.pk, [anna.pk, bert.pk], [2, 1], match.ended_at, [1.0, 1.0]
            )
        ]
    )
    found = rating_histories(anna.pk, ["race", "battleship", "minewars"])
    assert [len(values) for values in found.values()] == [4, 2, 1]
    assert found["race"] == sorted(found["race"])
    assert found["battleship"][1] < found["battleship"][0] == NEWCOMER
    assert rating_histories(anna.pk, []) == {}


@pytest.mark.parametrize("query", ["", "?opponent=anna&mode=race", "?opponent=anna&before={seat}"])
def test_a_profile_takes_at_most_eight_queries(client, anna, bert, query):
    for number in range(30):
        match = play(number, (anna, "win"), (bert, "loss"))
        ratings.apply_all(
            [
                ratings.Result(
                    "race", match.pk, [anna.pk, bert.pk], [1, 2], match.ended_at, [1.0, 1.0]
                )
            ]
        )
    seat = bert.seats.order_by("pk")[15].pk
    client.force_login(anna)
    client.get("/@bert/")  # whatever is asked for once
    with CaptureQueriesContext(connection) as asked:
        page = client.get(f"/@bert/{query.format(seat=seat)}")
    assert page.status_code == 200
    assert len(page.context["rows"]) == (15 if "before" in query else PAGE)
    assert len(asked) <= 8, [each["sql"] for each in asked]
