"""What pages and the API read of finished matches: a few queries, however long a history is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Prefetch, Q, QuerySet

from accounts.models import Rating, RatingChange, User
from accounts.ratings import NEWCOMER
from games.models import Match, Meeting, Record, Seat

PAGE: Final = 25
PLOT_POINTS: Final = 300
BOARD: Final = 100


def named(name: str) -> User | None:
    """The player with this name, in whatever case, unless the account is closed."""
    return User.objects.filter(username__iexact=name, is_active=True).first()


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
    """The finished matches of a player, from the one after the seat `before` (a cursor) on.
    Every filter has an index that is walked from there on, however long the history is."""
    ended = Seat.objects.filter(user_id=user_id, ended_at__isnull=False)
    last = ended.filter(pk=before).first() if before else None
    if wanted.opponent:
        met = _narrowed(_meetings(user_id, wanted.opponent), "seat_id", wanted, last)
        pks = [pk for pk, _end in met.values_list("seat_id", "ended_at").distinct()[: PAGE + 1]]
        rows = {seat.pk: seat for seat in _with_match(Seat.objects.filter(pk__in=pks))}
        found = [rows[pk] for pk in pks]
    else:
        found = list(_with_match(_narrowed(ended, "pk", wanted, last))[: PAGE + 1])
    return Page(found[:PAGE], found[PAGE - 1].pk if len(found) > PAGE else None)


def _meetings(user_id: int, name: str) -> QuerySet[Meeting]:
    """Those with this opponent: the account of that name, or else who played under it."""
    met = Meeting.objects.filter(user_id=user_id)
    other = User.objects.filter(username__iexact=name).only("pk").first()
    return met.filter(opponent=other) if other is not None else met.filter(name=name.lower())


def _narrowed(rows: QuerySet[Any], seat: str, wanted: HistoryFilter, last: Seat | None) -> Any:
    if wanted.mode:
        rows = rows.filter(mode=wanted.mode)
    if wanted.result:
        rows = rows.filter(result=wanted.result)
    if last is not None:
        # The plain bound is what the index is walked by; the rest settles equal times.
        earlier = Q(ended_at__lt=last.ended_at) | Q(**{f"{seat}__lt": last.pk})
        rows = rows.filter(earlier, ended_at__lte=last.ended_at)
    return rows.order_by("-ended_at", f"-{seat}")


def _with_match(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """With what a row of a list shows, and without the logs."""
    table = Prefetch("match__seats", Seat.objects.select_related("user"))
    return seats.select_related("match").defer("match__log", "match__deal").prefetch_related(table)


def opponents(seat: Seat) -> list[Seat]:
    return [other for other in seat.match.seats.all() if other.pk != seat.pk]


RESULTS: Final = ("win", "loss", "draw")


def record(user_id: int, against: int | None = None) -> dict[str, int]:
    """How many matches were won, lost and drawn, in all or against one player."""
    found = Record.objects.filter(user_id=user_id, opponent_id=against).values(*RESULTS).first()
    return found or dict.fromkeys(RESULTS, 0)


def head_to_head(visitor_id: int, user_id: int) -> dict[str, int]:
    """The visitor's results against this player; empty when they never met."""
    found = record(visitor_id, user_id)
    return found if any(found.values()) else {}


def rating_history(user_id: int, mode: str) -> list[float]:
    """The rating after each of the last changes, the oldest first; before all of them it was that
    of a newcomer."""
    changes = RatingChange.objects.filter(user_id=user_id, mode=mode).order_by("-id")
    last = list(changes.values_list("after", flat=True)[:PLOT_POINTS])[::-1]
    return last if len(last) == PLOT_POINTS else [NEWCOMER, *last]


def leaderboard(mode: str, kind: str = User.Kind.REGISTERED) -> list[Rating]:
    """The best of a mode; bots have a board of their own."""
    rows = Rating.objects.filter(mode=mode, board=kind)
    return list(rows.select_related("user").order_by("-shown", "user_id")[:BOARD])


def place_of(rating: Rating) -> int:
    """Where this rating stands on its board."""
    board = Rating.objects.filter(mode=rating.mode, board=rating.board)
    return 1 + board.filter(shown__gt=rating.shown).count()


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
