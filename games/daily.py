"""The board of the day: one for everybody, one counted attempt for each player.

A day is a day of UTC. `lobby.daily` makes the board; here are its results.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from accounts.models import User
from games.engine import registry
from games.engine.mode import Daily, Mode
from games.models import DailyBoard, DailyResult, Match
from games.replay import replay

SHOWN: Final = 50


def mode() -> Mode:
    """The mode that has the board of the day."""
    return next(mode for mode in registry.modes() if mode.daily is not None)


def board() -> Daily:
    daily = mode().daily
    assert daily is not None
    return daily


def today() -> date:
    return datetime.now(UTC).date()


def count(match: Match) -> None:
    """Store a finished attempt, if it is its player's first on that board."""
    if match.source != Match.Source.DAILY or match.status != Match.Status.OVER:
        return
    board = DailyBoard.objects.filter(deal=match.deal).first()
    seat = match.seats.first()
    if board is None or seat is None or seat.user_id is None:
        return
    truth = replay(match).state.view(None)["truth"]
    DailyResult.objects.get_or_create(
        board=board,
        user_id=seat.user_id,
        defaults={
            "match": match,
            "cleared": truth["won"],
            "aided": truth["aided"],
            "time_ms": truth["time_ms"],
        },
    )


def running(user_id: int, day: date) -> Match | None:
    """An attempt of this player that is not finished: it has to be, before there is another."""
    begun = Match.objects.filter(
        source=Match.Source.DAILY, status=Match.Status.LIVE, seats__user_id=user_id
    )
    return begun.filter(created_at__date=day).order_by("created_at").first()


def best(day: date) -> QuerySet[DailyResult]:
    """The leaderboard: players who cleared it without help, the quickest first. Those who were
    guests when they played don't rank, though they may have signed up since."""
    return (
        DailyResult.objects.filter(
            board_id=day, cleared=True, aided=False, match__seats__kind=User.Kind.REGISTERED
        )
        .filter(user__is_active=True, user__kind=User.Kind.REGISTERED)
        .select_related("user", "match")
        .order_by("time_ms", "pk")
    )


def result_of(user_id: int | None, day: date) -> DailyResult | None:
    if user_id is None:
        return None
    return DailyResult.objects.filter(board_id=day, user_id=user_id).first()


def world(day: date, mine: DailyResult) -> dict[str, int | None]:
    """The results of others, for a player who has finished: attempts, how many cleared the board,
    and the player's place on the leaderboard, if they are on it."""
    results = DailyResult.objects.filter(board_id=day)
    table = best(day)
    ranked = table.filter(pk=mine.pk).exists()
    before = table.filter(Q(time_ms__lt=mine.time_ms) | Q(time_ms=mine.time_ms, pk__lt=mine.pk))
    return {
        "attempts": results.count(),
        "cleared": results.filter(cleared=True).count(),
        "place": before.count() + 1 if ranked else None,
    }


def summary(day: date, user_id: int | None = None) -> dict[str, Any]:
    """The content of a card about the day."""
    first = best(day).first()
    own = result_of(user_id, day)
    return {
        "day": day.isoformat(),
        **board().size,
        "attempts": DailyResult.objects.filter(board_id=day).count(),
        "best": first
        and {"name": first.user.username, "time_ms": first.time_ms, "new": first.is_new},
        "you": own and {"cleared": own.cleared, "aided": own.aided, "time_ms": own.time_ms},
    }
