from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import leaving
from accounts.models import Rating, RatingChange, User
from accounts.ratings import NEWCOMER, Skill, is_provisional, rate, strengths_of
from games.engine.game import Outcome
from games.models import Match, Seat
from games.rating import rate_match, recompute
from games.signals import match_archived

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


def match(number: int, users, ranks, *, rated=True, status="over", mode="race") -> Match:
    row = Match.objects.create(
        id=f"m{number:011d}", mode=mode, rules_version=1, rated=rated, source="queue",
        status=status, ended_at=START + timedelta(minutes=number), commitment="0" * 64,
    )  # fmt: skip
    for i, (user, rank) in enumerate(zip(users, ranks, strict=True)):
        kind = "guest" if user is None else user.kind
        name = "g" if user is None else user.username
        Seat.objects.create(
            match=row, number=i, user=user, name=name, kind=kind, rank=rank, mode=mode,
            ended_at=row.ended_at,
        )  # fmt: skip
    return row


@pytest.mark.database
def test_a_rated_match_changes_ratings_in_the_archive_s_transaction(users):
    played = match(1, users[:2], [1, 2])
    match_archived.send(sender=Match, match=played, outcome=Outcome((1, 2), "x"))
    first, second = played.seats.all()
    assert first.rating_before == second.rating_before == NEWCOMER
    assert first.rating_after > second.rating_after
    rating = Rating.objects.get(user=users[0], mode="race")
    assert rating.shown == first.rating_after
    assert rating.games == 1
    assert is_provisional(rating)
    assert strengths_of(users[0].pk)["race"] > NEWCOMER


@pytest.mark.parametrize("change", ["unrated", "aborted", "guest", "house", "no account"])
def test_only_rated_matches_between_accounts_count(users, change):
    players = users[:2]
    if change in ("guest", "house"):
        players[1].kind = change
        players[1].save()
    if change == "no account":
        players = [users[0], None]
    status = "aborted" if change == "aborted" else "over"
    rate_match(match(1, players, [1, 2], rated=change != "unrated", status=status))
    assert not Rating.objects.exists()


@pytest.mark.database
def test_a_deleted_account_changes_no_other_rating(users):
    gone, *others = users
    for number, ranks in enumerate([(1, 2, 3), (2, 1, 1), (3, 1, 2)]):
        rate_match(match(number, [gone, *others[:2]], ranks))
    rate_match(match(9, others, (1, 2, 3)))
    before = dict(Rating.objects.exclude(user=gone).values_list("user", "mu"))
    leaving.delete(gone)
    assert recompute() == {"matches": 4, "ratings": 3, "different": 0}
    assert dict(Rating.objects.values_list("user", "mu")) == before
    assert recompute()["different"] == 0


@pytest.mark.database
def test_the_archive_recomputes_all_ratings_identically(users):
    for number, ranks in enumerate([(1, 2, 3, 4), (2, 1, 1, 4), (1, 1, 1, 1), (4, 3, 2, 1)]):
        # Counted in another order than the matches ended in.
        rate_match(match(100 - number, users, ranks))
    before = list(Rating.objects.order_by("pk").values_list("user", "mu", "sigma", "games"))
    done = recompute()
    after = list(Rating.objects.order_by("user").values_list("user", "mu", "sigma", "games"))
    assert done == {"matches": 4, "ratings": 4, "different": 0}
    assert sorted(before) == sorted(after)
    assert RatingChange.objects.count() == 16
