"""Rating matches: which ones count and how much, and recounting them from the archive.

A match counts when it was rated, has a result, and was really played: the seats made at least
`MOVES_PER_SEAT` moves each on average. Its weight for a seat is decided once, with the result, and
stored on the seat (`rating_weight`), so counting again comes to the same ratings:

- an opponent whose account is younger than a day or has few rated matches counts a twentieth;
- the same two players count in full five times a day, then half as much each time, then not.

A match of several opponents counts as much as they do on average.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, Min, OuterRef, Sum

from accounts import ratings
from accounts.models import Rating, RatingChange, User
from games.models import Match, Meeting, Seat

KINDS = ("registered", "bot")
MOVES_PER_SEAT: Final = 3
TRIED_AFTER: Final = timedelta(days=1)
TRIED_MATCHES: Final = 5
UNTRIED: Final = 0.05
"""The weight of an opponent until the account is that old and has that many rated matches."""
PAIR_WINDOW: Final = timedelta(days=1)
PAIR_FULL: Final = 5
PAIR_MOST: Final = 10
"""The same two players count in full so often within the window, and so often at all."""
TOGETHER: Final = 50
"""Matches whose ratings are read and written at once."""


def rated_seats(match: Match) -> list[Seat] | None:
    """The seats in order when this match counts: rated, with a result, really played, and every
    seat an account of a person or of a bot, or one that was deleted since. None when it does
    not."""
    seats = list(match.seats.all())
    players = [seat.user_id for seat in seats if seat.gone_mu is None]
    counts = (
        match.rated
        and match.status == Match.Status.OVER
        and len(seats) > 1
        and all(seat.rank and seat.kind in KINDS for seat in seats)
        and all(players)
        and len(set(players)) == len(players)
        and _was_played(seats)
    )
    return seats if counts else None


def _was_played(seats: Sequence[Seat]) -> bool:
    """Counted together: a player who never moves loses all the same once the other one plays."""
    moves = [seat.moves for seat in seats if seat.moves is not None]
    if len(moves) < len(seats):
        return True  # archived before moves were counted
    return sum(moves) >= MOVES_PER_SEAT * len(seats)


def rate_matches(matches: Iterable[Match]) -> int:
    """Change the ratings by these matches, one after the other, and note on each seat what was
    changed and how much it counted. Returns how many count for anybody."""
    counting = ((match, seats) for match in matches if (seats := rated_seats(match)) is not None)
    return sum(_rate_together(apart) for apart in _apart(counting))


def _apart(matches: Iterable[tuple[Match, list[Seat]]]) -> Iterator[list[tuple[Match, list[Seat]]]]:
    """Parts of this sequence in which nobody plays twice, so that the order within a part doesn't
    matter."""
    part: list[tuple[Match, list[Seat]]] = []
    players: set[int | None] = set()
    for match, seats in matches:
        these = {seat.user_id for seat in seats} - {None}
        if players & these or len(part) == TOGETHER:
            yield part
            part, players = [], set()
        part.append((match, seats))
        players |= these
    if part:
        yield part


def _rate_together(matches: Sequence[tuple[Match, list[Seat]]]) -> int:
    """Rate matches together in which no player plays twice."""
    _decide_weights([(match, seats) for match, seats in matches if not _has_weights(seats)])
    counting = [pair for pair in matches if any(seat.rating_weight for seat in pair[1])]
    changes = ratings.apply_all(
        [
            ratings.Result(
                match.mode,
                match.pk,
                [_player(seat) for seat in seats],
                [seat.rank or 1 for seat in seats],
                _time(match),
                [seat.rating_weight or 0.0 for seat in seats],
            )
            for match, seats in counting
        ]
    )
    for (_match, seats), changed in zip(counting, changes, strict=True):
        for seat, change in zip(seats, changed, strict=True):
            if seat.rating_weight:
                seat.rating_before, seat.rating_after = change.before.shown, change.after.shown
    Seat.objects.bulk_update(
        [seat for _match, seats in matches for seat in seats],
        ["rating_before", "rating_after", "rating_weight"],
    )
    return len(counting)


def _time(match: Match) -> datetime:
    return match.ended_at or match.created_at


def _has_weights(seats: Sequence[Seat]) -> bool:
    """Whether it was decided before how much this match counts."""
    if all(seat.rating_weight is not None for seat in seats):
        return True
    if any(seat.rating_after is not None for seat in seats):
        for seat in seats:
            seat.rating_weight = 1.0  # counted before there were weights
        return True
    return False


def _decide_weights(matches: Sequence[tuple[Match, list[Seat]]]) -> None:
    users = {seat.user_id for _match, seats in matches for seat in seats if seat.user_id}
    old = {
        seat.user.pk
        for match, seats in matches
        for seat in seats
        if seat.user is not None and _time(match) - seat.user.date_joined >= TRIED_AFTER
    }
    tried = {
        user
        for user, games in Rating.objects.filter(user_id__in=old)
        .values_list("user_id")
        .annotate(Sum("games"))
        if games >= TRIED_MATCHES
    }
    times = [_time(match) for match, _seats in matches]
    meetings = defaultdict[tuple[int | None, int | None], list[datetime]](list)
    if times:
        for user, opponent, at in Meeting.objects.filter(
            user_id__in=users,
            opponent_id__in=users,
            ended_at__gt=min(times) - PAIR_WINDOW,
            ended_at__lte=max(times),
            seat__rating_after__isnull=False,
        ).values_list("user_id", "opponent_id", "ended_at"):
            meetings[user, opponent].append(at)
    for match, seats in matches:
        at = _time(match)
        trust = [1.0 if seat.user_id in tried else UNTRIED for seat in seats]
        for seat in seats:
            others = (other for other in seats if other.number != seat.number)
            shares = [
                trust[other.number] * _pair(meetings.get((seat.user_id, other.user_id), ()), at)
                for other in others
            ]
            seat.rating_weight = sum(shares) / len(shares)


def _pair(meetings: Iterable[datetime], at: datetime) -> float:
    """The weight of another match that ends then, after these."""
    before = sum(at - PAIR_WINDOW < each <= at for each in meetings)
    if before >= PAIR_MOST:
        return 0.0
    return 1.0 if before < PAIR_FULL else 0.5 ** (before - PAIR_FULL + 1)


def _player(seat: Seat) -> int | ratings.Skill:
    if seat.gone_mu is not None and seat.gone_sigma is not None:
        return ratings.Skill(seat.gone_mu, seat.gone_sigma)
    assert seat.user_id is not None
    return seat.user_id


def keep_skills(user: User) -> None:
    """Before the account goes: note on its seats with which skill it came to each rated match."""
    skills: dict[str, ratings.Skill] = {}
    for change in RatingChange.objects.filter(user=user).order_by("id"):
        before = skills.get(change.mode, ratings.Skill())
        skills[change.mode] = ratings.Skill(change.mu, change.sigma)
        seat = Seat.objects.filter(match_id=change.match_id, user=user)
        seat.update(gone_mu=before.mu, gone_sigma=before.sigma)


def in_order() -> Iterator[Match]:
    """All matches that may count, in the order in which they were first counted."""
    changes = RatingChange.objects.filter(match_id=OuterRef("pk"))
    known = RatingChange.objects.values("match_id").annotate(first=Min("id")).order_by("first")
    late = Match.objects.filter(~Exists(changes), rated=True, status=Match.Status.OVER)
    for match_id in (
        *known.values_list("match_id", flat=True),
        *late.order_by("ended_at", "pk").values_list("pk", flat=True),
    ):
        match = Match.objects.defer("log").prefetch_related("seats").filter(pk=match_id).first()
        if match is not None:
            yield match


def recompute() -> dict[str, Any]:
    """Count everything again from the archive, all or nothing. Tells how many ratings differ from
    what they were: none, unless a rule or a result was changed by hand."""
    with transaction.atomic():
        before = _standing()
        matches = list(in_order())
        Rating.objects.all().delete()
        RatingChange.objects.all().delete()
        counted = rate_matches(matches)
        after = _standing()
    differ = sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())
    return {"matches": counted, "ratings": len(after), "different": differ}


def _standing() -> dict[tuple[int, str], tuple[float, float, int]]:
    rows = Rating.objects.values_list("user_id", "mode", "mu", "sigma", "games")
    return {(user, mode): (mu, sigma, games) for user, mode, mu, sigma, games in rows}
