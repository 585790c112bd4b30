from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts import leaving
from accounts.models import Rating, RatingChange, User
from accounts.ratings import NEWCOMER, Skill, is_provisional, rate, strengths_of
from games.models import Match, Seat
from games.moderation import pairs
from games.rating import (
    MOVES_PER_SEAT,
    PAIR_FULL,
    PAIR_MOST,
    TRIED_MATCHES,
    rate_matches,
    recompute,
)
from games.signals import matches_archived

START = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_newcomer_is_shown_1000_and_a_winner_gains_what_is_fair():
    assert Skill().shown == NEWCOMER
    winner, loser = rate([Skill(), Skill()], [1, 2])
    assert winner.shown > NEWCOMER > loser.shown
    assert winner.sigma < Skill().sigma


def test_ties_between_equals_change_no_estimate():
    one, other = rate([Skill(), Skill()], [1, 1])
    assert one.mu == pytest.approx(other.mu)


@given(st.integers(2, 6).flatmap(lambda n: st.permutations(range(1, n + 1))))
def test_among_equals_a_better_place_gives_a_higher_estimate(ranks):
    after = rate([Skill()] * len(ranks), ranks)
    by_place = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
    estimates = [after[seat].mu for seat in by_place]
    assert estimates == sorted(estimates, reverse=True)


@pytest.fixture
def users(db) -> list[User]:
    return [User.objects.create_user(f"user{i}") for i in range(4)]


def match(
    number: int, users, ranks, *, rated=True, status="over", mode="race", moves=None
) -> Match:
    row = Match.objects.create(
        id=f"m{number:011d}", mode=mode, rules_version=1, rated=rated, source="queue",
        status=status, ended_at=START + timedelta(minutes=number), commitment="0" * 64,
    )  # fmt: skip
    for i, (user, rank) in enumerate(zip(users, ranks, strict=True)):
        kind = "guest" if user is None else user.kind
        name = "g" if user is None else user.username
        Seat.objects.create(
            match=row, number=i, user=user, name=name, kind=kind, rank=rank, mode=mode,
            ended_at=row.ended_at, moves=moves, result="win" if rank == 1 else "loss",
        )  # fmt: skip
    return row


@pytest.mark.database
def test_a_rated_match_changes_ratings_in_the_archive_s_transaction(users):
    played = match(1, users[:2], [1, 2])
    matches_archived.send(sender=Match, matches=[played])
    first, second = played.seats.all()
    assert first.rating_before == second.rating_before == NEWCOMER
    assert first.rating_after > second.rating_after
    rating = Rating.objects.get(user=users[0], mode="race")
    assert rating.shown == first.rating_after
    assert rating.games == 1
    assert is_provisional(rating)
    assert strengths_of([users[0].pk])[users[0].pk]["race"] > NEWCOMER


@pytest.mark.parametrize("change", ["unrated", "aborted", "guest", "house", "no account"])
def test_only_rated_matches_between_accounts_count(users, change):
    players = users[:2]
    if change in ("guest", "house"):
        players[1].kind = change
        players[1].save()
    if change == "no account":
        players = [users[0], None]
    status = "aborted" if change == "aborted" else "over"
    rate_matches([match(1, players, [1, 2], rated=change != "unrated", status=status)])
    assert not Rating.objects.exists()


@pytest.mark.database
def test_a_deleted_account_changes_no_other_rating(users):
    gone, *others = users
    for number, ranks in enumerate([(1, 2, 3), (2, 1, 1), (3, 1, 2)]):
        rate_matches([match(number, [gone, *others[:2]], ranks)])
    rate_matches([match(9, others, (1, 2, 3))])
    before = dict(Rating.objects.exclude(user=gone).values_list("user", "mu"))
    leaving.delete(gone)
    assert recompute() == {"matches": 4, "ratings": 3, "different": 0}
    assert dict(Rating.objects.values_list("user", "mu")) == before
    assert recompute()["different"] == 0


@pytest.mark.database
def test_the_archive_recomputes_all_ratings_identically(users):
    for number, ranks in enumerate([(1, 2, 3, 4), (2, 1, 1, 4), (1, 1, 1, 1), (4, 3, 2, 1)]):
        # Counted in another order than the matches ended in.
        rate_matches([match(100 - number, users, ranks)])
    before = list(Rating.objects.order_by("pk").values_list("user", "mu", "sigma", "games"))
    done = recompute()
    after = list(Rating.objects.order_by("user").values_list("user", "mu", "sigma", "games"))
    assert done == {"matches": 4, "ratings": 4, "different": 0}
    assert sorted(before) == sorted(after)
    assert RatingChange.objects.count() == 16


# -- farms ---------------------------------------------------------------------------------------


def archived(*args, **options) -> Match:
    played = match(*args, **{"moves": 20, **options})
    matches_archived.send(sender=Match, matches=[played])
    return played


def known(name: str, joined: datetime = START - timedelta(days=30)) -> User:
    """An account that has been here for long and has played."""
    user = User.objects.create_user(name, date_joined=joined)
    Rating.objects.create(
        user=user, mode="classic", mu=25, sigma=8, shown=NEWCOMER, games=TRIED_MATCHES
    )
    return user


def assert_counting_again_changes_nothing() -> None:
    def race() -> list[tuple]:
        rows = Rating.objects.filter(mode="race").order_by("user")
        return list(rows.values_list("user", "mu", "sigma", "games"))

    before = race()
    recompute()
    assert race() == before


@pytest.mark.database
def test_a_match_given_up_at_once_counts_for_nobody(users):
    archived(1, users[:2], [1, 2], moves=1)
    assert not RatingChange.objects.exists()
    archived(2, users[:2], [1, 2], moves=MOVES_PER_SEAT)
    assert RatingChange.objects.count() == 2


@pytest.mark.database
def test_a_player_who_never_moves_loses_all_the_same(users):
    played = match(1, users[:2], [1, 2], moves=2 * MOVES_PER_SEAT)
    Seat.objects.filter(match=played, number=1).update(moves=0)
    rate_matches([Match.objects.get(pk=played.pk)])
    assert RatingChange.objects.count() == 2


@pytest.mark.database
def test_throw_away_accounts_hardly_move_a_rating(db):
    farmer = known("farmer")
    for number in range(24):
        archived(number, [farmer, User.objects.create_user(f"fresh{number}")], [1, 2])
    gained = Rating.objects.get(user=farmer, mode="race").shown - NEWCOMER
    assert 0 < gained < 110  # 703 before
    honest = known("honest")
    archived(100, [honest, known("rival")], [1, 2])
    assert Rating.objects.get(user=honest, mode="race").shown - NEWCOMER > 40  # in one match
    assert_counting_again_changes_nothing()


@pytest.mark.database
def test_the_same_two_players_count_less_and_less_and_then_not(db):
    one, other = known("one"), known("other")
    weights = [
        archived(number, [one, other], [1, 2]).seats.all()[0].rating_weight
        for number in range(PAIR_MOST + 3)
    ]
    assert weights[:PAIR_FULL] == [1.0] * PAIR_FULL
    assert weights[PAIR_FULL:PAIR_MOST] == [0.5, 0.25, 0.125, 0.0625, 0.03125]
    assert weights[PAIR_MOST:] == [0.0] * 3
    assert Rating.objects.get(user=one, mode="race").games == PAIR_MOST
    next_day = archived(24 * 60 + PAIR_MOST + 3, [one, other], [1, 2])
    assert next_day.seats.all()[0].rating_weight == 1.0
    assert_counting_again_changes_nothing()


@pytest.mark.database
def test_counting_again_gives_the_same_after_the_opponents_have_grown_up_or_gone(db):
    one, fresh = known("one"), User.objects.create_user("fresh")
    archived(1, [one, fresh], [1, 2])
    before = Rating.objects.get(user=one, mode="race").mu
    User.objects.filter(pk=fresh.pk).update(date_joined=START - timedelta(days=99))
    Rating.objects.filter(user=fresh).update(games=50)
    recompute()
    assert Rating.objects.get(user=one, mode="race").mu == before
    leaving.delete(fresh)
    recompute()
    assert Rating.objects.get(user=one, mode="race").mu == before


@pytest.mark.database
def test_matches_from_before_there_were_weights_count_in_full(users):
    old = match(1, users[:2], [1, 2])
    Seat.objects.filter(match=old).update(rating_after=1.0)
    rate_matches([Match.objects.get(pk=old.pk)])
    assert [seat.rating_weight for seat in old.seats.all()] == [1.0, 1.0]


@pytest.mark.database
def test_staff_see_pairs_that_meet_often_and_wins_over_new_accounts(db, monkeypatch):
    monkeypatch.setattr(pairs, "SPAN", timezone.now() - START + timedelta(days=1))
    one, other = known("one"), known("other")
    for number in range(PAIR_FULL + 1):
        archived(number, [one, other], [1, 2])
    for number in range(3):
        archived(50 + number, [one, User.objects.create_user(f"fresh{number}")], [1, 2])
    (pair,) = pairs.often()
    assert (pair["one"], pair["other"], pair["matches"], pair["won"]) == ("one", "other", 6, 6)
    (farmer,) = pairs.against_new_accounts()
    assert (farmer["one"], farmer["matches"], farmer["accounts"]) == ("one", 3, 3)
