"""Queries for pages and the API about finished matches: a few, however long a history is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection
from django.db.models import (
    Count,
    Exists,
    F,
    FilteredRelation,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

from accounts.models import Rating, RatingChange, User
from accounts.ratings import NEWCOMER
from games.models import Match, Meeting, Record, Seat

PAGE: Final = 25
UNDER_WAY: Final = 3
PLOT_POINTS: Final = 300
BOARD: Final = 100


def named(name: str) -> User | None:
    """The player with this name, in whatever case, unless the account is closed."""
    return User.objects.filter(username__iexact=name, is_active=True).first()


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """The part of a history to show; empty means all of it."""

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
    if wanted.opponent:
        pks = _met(user_id, wanted, ended, before)
        rows = {seat.pk: seat for seat in _with_match(Seat.objects.filter(pk__in=pks))}
        found = [rows[pk] for pk in pks]
    else:
        found = list(_with_match(_narrowed(ended, "pk", wanted, ended, before))[: PAGE + 1])
    return Page(found[:PAGE], found[PAGE - 1].pk if len(found) > PAGE else None)


def _met(
    user_id: int, wanted: HistoryFilter, ended: QuerySet[Seat], before: int | None
) -> list[int]:
    """The seats of matches with this opponent: the account of that name, or, when there is none,
    anybody who played under it."""
    account = User.objects.filter(username__iexact=wanted.opponent)
    met = Meeting.objects.filter(user_id=user_id)
    under_name = met.filter(~Exists(account), name=wanted.opponent.lower())
    for meetings in (met.filter(opponent_id=Subquery(account.values("pk")[:1])), under_name):
        rows = _narrowed(meetings, "seat_id", wanted, ended, before)
        pks = [pk for pk, _end in rows.values_list("seat_id", "ended_at").distinct()[: PAGE + 1]]
        if pks:
            return pks
    return []


def _narrowed(
    rows: QuerySet[Any],
    seat: str,
    wanted: HistoryFilter,
    ended: QuerySet[Seat],
    before: int | None,
) -> Any:
    if wanted.mode:
        rows = rows.filter(mode=wanted.mode)
    if wanted.result:
        rows = rows.filter(result=wanted.result)
    if before is not None:
        # The plain bound is what the index is walked by; the rest settles equal times.
        end = Subquery(ended.filter(pk=before).values("ended_at")[:1])
        rows = rows.filter(Q(ended_at__lt=end) | Q(**{f"{seat}__lt": before}), ended_at__lte=end)
    return rows.order_by("-ended_at", f"-{seat}")


def _with_match(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """With what a row of a list shows, and without the logs. `given_up` and `analysed` are those of
    the seat's moves, once they are judged (games/statistics)."""
    table = Prefetch("match__seats", Seat.objects.select_related("user"))
    judged = FilteredRelation(
        "match__accuracies", condition=Q(match__accuracies__number=F("number"))
    )
    seats = seats.annotate(
        judged=judged, given_up=F("judged__given_up"), analysed=F("judged__analysed")
    )
    return seats.select_related("match").defer("match__log", "match__deal").prefetch_related(table)


def games_under_way(user_id: int, mode: str = "") -> list[Match]:
    """The games for one that this player has begun and not finished, the newest first."""
    seats = Seat.objects.filter(
        user_id=user_id, ended_at=None, match__status=Match.Status.LIVE, match__source="solo"
    )
    if mode:
        seats = seats.filter(mode=mode)
    found = seats.select_related("match").defer("match__log", "match__deal")
    return [seat.match for seat in found.order_by("-match__created_at")[:UNDER_WAY]]


def opponents(seat: Seat) -> list[Seat]:
    return [other for other in seat.match.seats.all() if other.pk != seat.pk]


RESULTS: Final = ("win", "loss", "draw")


def records(user_id: int, visitor_id: int | None) -> tuple[dict[str, int], dict[str, int]]:
    """The numbers of matches that a player has won, lost and drawn; and the visitor's results
    against this player, empty when they never met."""
    wanted = Q(user_id=user_id, opponent_id=None)
    if visitor_id is not None and visitor_id != user_id:
        wanted |= Q(user_id=visitor_id, opponent_id=user_id)
    found = {
        row["user_id"]: {name: row[name] for name in RESULTS}
        for row in Record.objects.filter(wanted).values("user_id", *RESULTS)
    }
    own = found.get(user_id) or dict.fromkeys(RESULTS, 0)
    met = found.get(visitor_id, {}) if visitor_id not in (None, user_id) else {}
    return own, met if any(met.values()) else {}


def rating_histories(user_id: int, modes: Sequence[str]) -> dict[str, list[float]]:
    """By mode the rating after each of the last changes, the oldest first; before all of them it
    was that of a newcomer. One query: each mode's part is a short walk along an index, which a
    compound of limited queries keeps, and which the ORM has no words for on SQLite."""
    found: dict[str, list[float]] = {mode: [] for mode in modes}
    if not modes:
        return found
    table = connection.ops.quote_name(RatingChange._meta.db_table)
    last = (
        f"SELECT * FROM (SELECT mode, after FROM {table} WHERE user_id = %s AND mode = %s"
        f" ORDER BY id DESC LIMIT {PLOT_POINTS}) AS part"
    )
    with connection.cursor() as cursor:
        given = [value for mode in modes for value in (user_id, mode)]
        cursor.execute(" UNION ALL ".join([last] * len(modes)), given)
        for mode, after in cursor.fetchall():
            found[mode].append(after)
    return {
        mode: last[::-1] if len(last) == PLOT_POINTS else [NEWCOMER, *last[::-1]]
        for mode, last in found.items()
    }


def leaderboard(mode: str, kind: str = User.Kind.REGISTERED) -> list[Rating]:
    """The best of a mode; bots have a board of their own."""
    rows = Rating.objects.filter(mode=mode, board=kind)
    return list(rows.select_related("user").order_by("-shown", "user_id")[:BOARD])


def placed_ratings_of(user_id: int) -> list[Rating]:
    """The ratings of a player, each with its `place` on its board, and with the accuracy in its
    mode, if any is known (games/statistics)."""
    judged = FilteredRelation(
        "user__mode_accuracies", condition=Q(user__mode_accuracies__mode=F("mode"))
    )
    better = (
        Rating.objects.filter(
            mode=OuterRef("mode"), board=OuterRef("board"), shown__gt=OuterRef("shown")
        )
        .order_by()
        .values("mode")
        .annotate(number=Count("pk"))
        .values("number")
    )
    ratings = Rating.objects.filter(user_id=user_id).order_by("-games")
    return list(
        ratings.annotate(place=1 + Coalesce(Subquery(better), 0), judged=judged).annotate(
            luck_free_mu=F("judged__mu"),
            luck_free_sigma=F("judged__sigma"),
            luck_free_matches=F("judged__rated"),
            given_up=F("judged__given_up"),
            analysed=F("judged__analysed"),
        )
    )


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
            "accuracy": accuracy_of(seat),
            "aborted": seat.match.status == Match.Status.ABORTED,
        }
        for seat in seats
    ]


def accuracy_of(row: Any) -> float | None:
    """In percent, of a seat or a rating with what is known of it; None before moves are judged."""
    analysed = getattr(row, "analysed", None)
    return 100 * (1 - row.given_up / analysed) if analysed else None
