"""The analysis of a match, taken over once: by seat, by player, and as a luck-free rating."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.analysing import results
from games.analysing.body import pack
from games.analysing.parts import ANALYSIS
from games.models import Match, Seat
from games.statistics import accuracy
from games.statistics.accuracy import luck_free_ranks
from games.statistics.models import Awaiting, ModeAccuracy, SeatAccuracy

from .games import lost, won

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def told(**players: dict[str, Any]) -> dict[str, Any]:
    plain = {"moves": 10, "analysed": 10, "given_up": 0.0, "luck": 0.0, "score": 50}
    rows = [{**plain, "seat": n, **more} for n, more in enumerate(players.values())]
    return {"marks": [], "players": [{"adjusted_score": row["score"], **row} for row in rows]}


def analysed(match: str, found: dict[str, Any]) -> None:
    """As the worker stores it."""
    body = pack(found, 1_000_000)
    assert body is not None
    results.store(match, ANALYSIS, body)


def race(*users: User, ranks: tuple[int, ...] = (1, 2), weight: float | None = 1.0) -> Match:
    match = Match.objects.create(
        id=f"race{Match.objects.count():08}", mode="race", rules_version=1, rated=True,
        source="queue", status="over", ended_at=timezone.now(), log_entries=3,
    )  # fmt: skip
    for number, user in enumerate(users):
        Seat.objects.create(
            match=match, number=number, user=user, name=user.username, kind=user.kind,
            mode="race", rank=ranks[number], moves=10, rating_weight=weight,
        )  # fmt: skip
    accuracy.await_analysis([match])
    return match


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password="x")


@pytest.fixture
def bert() -> User:
    return User.objects.create_user("bert", password="x")


def test_a_finished_game_waits_for_its_analysis_and_gets_it_once(anna):
    match = won(anna).match
    assert Awaiting.objects.get().match == match
    found = told(anna={"given_up": 0.5, "luck": -0.25})
    analysed(match.pk, found)
    analysed(match.pk, found)
    assert not Awaiting.objects.exists()
    seat, total = SeatAccuracy.objects.get(), ModeAccuracy.objects.get()
    assert seat.percent == total.percent == 95
    assert (total.matches, total.luck, total.rating) == (1, -0.25, None)


def test_sums_weigh_matches_by_their_moves(anna):
    for given_up, moves in ((0.0, 30), (1.0, 10)):
        found = told(anna={"given_up": given_up, "moves": moves, "analysed": moves})
        analysed(won(anna).match.pk, found)
    assert ModeAccuracy.objects.get().percent == 97.5


def test_a_game_without_a_judged_move_has_no_accuracy(anna):
    analysed(lost(anna).match.pk, told(anna={"analysed": 0}))
    assert not SeatAccuracy.objects.exists()
    assert ModeAccuracy.objects.get().percent is None


def test_the_luck_free_rating_follows_the_result_when_luck_was_even(anna, bert):
    analysed(race(anna, bert).pk, told(anna={"score": 80}, bert={"score": 60}))
    winner, loser = ModeAccuracy.objects.order_by("user_id")
    assert winner.rating > loser.rating
    assert (winner.rated, loser.rated) == (1, 1)


def test_the_luck_free_rating_turns_around_what_luck_decided(anna, bert):
    match = race(anna, bert)
    analysed(match.pk, told(
        anna={"score": 80, "adjusted_score": 62.0}, bert={"score": 70, "adjusted_score": 75.0}
    ))  # fmt: skip
    lucky, unlucky = ModeAccuracy.objects.order_by("user_id")
    assert unlucky.rating > lucky.rating


@pytest.mark.parametrize(("weight", "rated"), [(None, 0), (0.0, 0)])
def test_what_does_not_count_for_the_ordinary_rating_does_not_count_here(anna, bert, weight, rated):
    analysed(race(anna, bert, weight=weight).pk, told(anna={}, bert={}))
    assert set(ModeAccuracy.objects.values_list("rated", flat=True)) == {rated}


def test_a_small_weight_changes_little(anna, bert):
    analysed(race(anna, bert, weight=0.05).pk, told(anna={"score": 80}, bert={}))
    little = ModeAccuracy.objects.get(user=anna).mu - 25
    ModeAccuracy.objects.all().delete()
    analysed(race(anna, bert).pk, told(anna={"score": 80}, bert={}))
    assert little == pytest.approx(0.05 * (ModeAccuracy.objects.get(user=anna).mu - 25))


@pytest.mark.parametrize(
    ("ranks", "scores", "expected"),
    [
        ((1, 2), (100, 80), [1, 2]),
        ((2, 1), (100, 80), [1, 2]),
        ((2, 1), (100, 99.5), [2, 1]),  # about the same: the result decides
        ((1, 1), (100, 100), [1, 1]),
        ((3, 2, 1), (100, 99.5, 50), [2, 1, 3]),
        ((1, 2, 3), (0, 0, 0), [1, 2, 3]),
    ],
)
def test_places_with_average_luck(ranks, scores, expected):
    seats = [Seat(number=i, rank=rank) for i, rank in enumerate(ranks)]
    players = [
        {"moves": 10, "analysed": 10, "score": 0, "adjusted_score": score} for score in scores
    ]
    assert luck_free_ranks(seats, players) == expected


def test_a_match_that_was_hardly_analysed_says_nothing_of_luck():
    seats = [Seat(number=i, rank=i + 1) for i in range(2)]
    player = {"moves": 100, "analysed": 10, "score": 5, "adjusted_score": 5.0}
    assert luck_free_ranks(seats, [player, player]) is None


def test_only_matches_that_concern_an_account_are_analysed(anna, bert):
    match = race(anna, bert)
    assert accuracy.is_to_be_analysed(match)
    Seat.objects.update(user=None)
    assert not accuracy.is_to_be_analysed(Match.objects.get())
    match.status = "aborted"
    assert not accuracy.is_to_be_analysed(match)
    assert not accuracy.is_to_be_analysed(Match(mode="battleship", status="over"))


def test_a_deleted_account_takes_its_accuracy_along(anna, bert):
    analysed(race(anna, bert).pk, told(anna={}, bert={}))
    anna.delete()
    assert list(SeatAccuracy.objects.values_list("user", flat=True)) == [bert.pk]


def test_old_matches_wait_longest(anna):
    first, second = won(anna).match, won(anna).match
    Awaiting.objects.filter(pk=second.pk).update(next_at=timezone.now() - timedelta(hours=1))
    order = Awaiting.objects.order_by("next_at").values_list("pk", flat=True)
    assert list(order) == [second.pk, first.pk]
