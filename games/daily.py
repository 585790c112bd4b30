"""The board of the day: one for everybody, one counted attempt for each player.

A day is a day of UTC. `lobby.daily` makes the board; here are its results.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, Final

from django.db.models import QuerySet

from accounts.models import User
from games.engine import registry
from games.engine.mode import Daily, Mode
from games.live.replay import replay
from games.models import DailyBoard, DailyResult, Match

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
    truth = replay(match).course.view(None)["truth"]
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
    """The leaderboard: registered players who cleared it without help, the quickest first."""
    return (
        DailyResult.objects.filter(
            board_id=day, cleared=True, aided=False, user__kind=User.Kind.REGISTERED
        )
        .filter(user__is_active=True)
        .select_related("user")
        .order_by("time_ms", "pk")
    )


def result_of(user_id: int | None, day: date) -> DailyResult | None:
    if user_id is None:
        return None
    return DailyResult.objects.filter(board_id=day, user_id=user_id).first()


def summary(day: date, user_id: int | None = None) -> dict[str, Any]:
    """What a card about the day shows."""
    first = best(day).first()
    own = result_of(user_id, day)
    return {
        "day": day.isoformat(),
        **board().size,
        "attempts": DailyResult.objects.filter(board_id=day).count(),
        "best": first and {"name": first.user.username, "time_ms": first.time_ms},
        "you": own and {"cleared": own.cleared, "aided": own.aided, "time_ms": own.time_ms},
    }
