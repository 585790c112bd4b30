"""What pages and the API read of finished matches: a few queries, however long a history is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import Rating, RatingChange, User
from games.models import Match, Seat

PAGE: Final = 25
PLOT_POINTS: Final = 300
BOARD: Final = 100


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """What of a history to show; empty means all of it."""

    mode: str = ""
    result: str = ""
    opponent: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a history, the newest first. `older` is the cursor of the next page, or None."""

    seats: list[Seat]
    older: int | None


def history(user_id: int, wanted: HistoryFilter, before: int | None = None) -> Page:
    """The finished matches of a player, from the one after the seat `before` (a cursor) on."""
    seats = Seat.objects.filter(user_id=user_id, ended_at__isnull=False)
    if wanted.mode:
        seats = seats.filter(mode=wanted.mode)
    if wanted.result:
        seats = seats.filter(result=wanted.result)
    if wanted.opponent:
        seats = _against(seats, user_id, wanted.opponent)
    last = Seat.objects.filter(pk=before, user_id=user_id).first() if before else None
    if last is not None:
        # The plain bound is what the index is walked by; the rest settles equal times.
        earlier = Q(ended_at__lt=last.ended_at) | Q(pk__lt=last.pk)
        seats = seats.filter(earlier, ended_at__lte=last.ended_at)
    found = list(_with_match(seats).order_by("-ended_at", "-pk")[: PAGE + 1])
    return Page(found[:PAGE], found[PAGE - 1].pk if len(found) > PAGE else None)


def _against(seats: QuerySet[Seat], user_id: int, name: str) -> QuerySet[Seat]:
    """Those with this opponent. An account is found through its own matches, which are few beside
    all those of a busy player; a guest only by the name in each match."""
    other = User.objects.filter(username__iexact=name).exclude(pk=user_id).first()
    if other is not None:
        return seats.filter(match__in=Seat.objects.filter(user=other).values("match"))
    named = Seat.objects.filter(match=OuterRef("match"), name__iexact=name)
    return seats.filter(Exists(named.exclude(user_id=user_id)))


def _with_match(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """With what a row of a list shows, and without the logs."""
    table = Prefetch("match__seats", Seat.objects.select_related("user"))
    return seats.select_related("match").defer("match__log", "match__deal").prefetch_related(table)


def opponents(seat: Seat) -> list[Seat]:
    return [other for other in seat.match.seats.all() if other.pk != seat.pk]


def record(user_id: int, mode: str = "") -> dict[str, int]:
    """How many matches were won, lost and drawn."""
    seats = Seat.objects.filter(user_id=user_id, ended_at__isnull=False)
    if mode:
        seats = seats.filter(mode=mode)
    counts = dict(seats.values_list("result").annotate(Count("pk")))
    return {name: counts.get(name, 0) for name in ("win", "loss", "draw")}


def head_to_head(visitor_id: int, user_id: int) -> dict[str, int]:
    """The visitor's results against this player; empty when they never met."""
    met = Seat.objects.filter(match=OuterRef("match"), user_id=user_id)
    mine = Seat.objects.filter(Exists(met), user_id=visitor_id, ended_at__isnull=False)
    counts = dict(mine.values_list("result").annotate(Count("pk")))
    if not sum(counts.get(name, 0) for name in ("win", "loss", "draw")):
        return {}
    return {name: counts.get(name, 0) for name in ("win", "loss", "draw")}


def rating_history(user_id: int, mode: str) -> list[RatingChange]:
    """The last changes of a rating, the oldest first."""
    changes = RatingChange.objects.filter(user_id=user_id, mode=mode).order_by("-id")
    return list(changes[:PLOT_POINTS])[::-1]


def leaderboard(mode: str, kind: str = User.Kind.REGISTERED) -> list[Rating]:
    """The best of a mode; bots have a board of their own."""
    rows = Rating.objects.filter(mode=mode, user__kind=kind, user__is_active=True)
    return list(rows.select_related("user").order_by("-shown", "user_id")[:BOARD])


def place_of(rating: Rating) -> int:
    """Where this rating stands on its board."""
    better = Rating.objects.filter(
        mode=rating.mode,
        shown__gt=rating.shown,
        user__kind=rating.user.kind,
        user__is_active=True,
    )
    return 1 + better.count()


def ratings_of(user_id: int) -> list[Rating]:
    return list(Rating.objects.filter(user_id=user_id).order_by("-games"))


def as_rows(seats: Iterable[Seat]) -> list[dict[str, Any]]:
    """A history as the templates and the API show it."""
    return [
        {
            "seat": seat,
            "match": seat.match,
            "opponents": opponents(seat),
            "change": None
            if seat.rating_after is None or seat.rating_before is None
            else seat.rating_after - seat.rating_before,
            "aborted": seat.match.status == Match.Status.ABORTED,
        }
        for seat in seats
    ]
