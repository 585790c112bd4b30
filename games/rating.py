"""Which matches count for ratings, and how they are counted again from the archive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import Exists, Min, OuterRef

from accounts import ratings
from accounts.models import Rating, RatingChange, User
from games.models import Match, Seat

KINDS = ("registered", "bot")


def rated_seats(match: Match) -> list[Seat] | None:
    """The seats in order when this match counts: rated, with a result, and every seat an account
    of a person or of a bot, or one that was deleted since. None when it does not."""
    seats = list(match.seats.all())
    players = [seat.user_id for seat in seats if seat.gone_mu is None]
    counts = (
        match.rated
        and match.status == Match.Status.OVER
        and len(seats) > 1
        and all(seat.rank and seat.kind in KINDS for seat in seats)
        and all(players)
        and len(set(players)) == len(players)
    )
    return seats if counts else None


def rate_match(match: Match) -> None:
    """Change the ratings by this match, and note on each seat what was changed."""
    seats = rated_seats(match)
    if seats is None:
        return
    changes = ratings.apply(
        match.mode,
        match.pk,
        [_player(seat) for seat in seats],
        [seat.rank for seat in seats],
        match.ended_at,
    )
    for seat, change in zip(seats, changes, strict=True):
        seat.rating_before, seat.rating_after = change.before.shown, change.after.shown
        seat.save(update_fields=["rating_before", "rating_after"])


def _player(seat: Seat) -> int | ratings.Skill:
    if seat.gone_mu is not None:
        return ratings.Skill(seat.gone_mu, seat.gone_sigma)
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
        counted = 0
        for match in matches:
            if rated_seats(match) is not None:
                rate_match(match)
                counted += 1
        after = _standing()
    differ = sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())
    return {"matches": counted, "ratings": len(after), "different": differ}


def _standing() -> dict[tuple[int, str], tuple[float, float, int]]:
    rows = Rating.objects.values_list("user_id", "mode", "mu", "sigma", "games")
    return {(user, mode): (mu, sigma, games) for user, mode, mu, sigma, games in rows}
