"""The board of the day: one for everybody, one counted attempt for each player.

A day is a day of UTC. The board follows from the site's secret and the date, so nobody knows it
before, and is stored when it is first asked for.
"""

from __future__ import annotations

import hmac
from contextlib import aclosing
from datetime import UTC, date, datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User
from games.bots.dealer import Spec, deals
from games.live.replay import replay
from games.models import DailyBoard, DailyResult, Match

SPEC: Final = Spec(30, 16, 99)
OPTIONS: Final = {**SPEC._asdict(), "no_guess": True}
PATIENCE: Final = 20.0
SHOWN: Final = 50


def today() -> date:
    return datetime.now(UTC).date()


def seed_of(day: date) -> bytes:
    return hmac.digest(settings.SECRET_KEY.encode(), f"daily:{day.isoformat()}".encode(), "sha256")


async def board_of(day: date) -> DailyBoard:
    """Made at the first call; raises NoBoard."""
    board = await DailyBoard.objects.filter(pk=day).afirst()
    if board is None:
        async with aclosing(deals(SPEC, 1, PATIENCE, seed_of(day))) as made:
            deal = await anext(made)
        board, _ = await DailyBoard.objects.aget_or_create(day=day, defaults={"deal": deal.hex()})
    return board


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
        **SPEC._asdict(),
        "attempts": DailyResult.objects.filter(board_id=day).count(),
        "best": first and {"name": first.user.username, "time_ms": first.time_ms},
        "you": own and {"cleared": own.cleared, "aided": own.aided, "time_ms": own.time_ms},
    }
