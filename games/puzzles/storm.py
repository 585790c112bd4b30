"""Storms: as many puzzles as possible within three minutes of the server's time."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone

from accounts.models import User
from games.puzzles import choosing
from games.puzzles.answers import Refused, check_cell, question, solution
from games.puzzles.making import MEDIUM
from games.puzzles.models import Storm

LASTS: Final = timedelta(minutes=3)
PENALTY: Final = timedelta(seconds=10)
"""The time that a wrong answer costs."""
EASIEST: Final = MEDIUM - 6.0
STEP: Final = 0.3
"""Each solved puzzle makes the next one harder by so much."""
HARDEST: Final = MEDIUM + 8.0
MOST: Final = 200
"""Puzzles of one storm."""
SHOWN: Final = 20
KEPT: Final = timedelta(days=1)
"""Storms without a place in the table are kept so long."""


def start(user: User | None, now: datetime, random: Random) -> Storm:
    storm = Storm(
        id=secrets.token_urlsafe(16), user=user, started_at=now, ends_at=now + LASTS, asked=[]
    )
    _ask(storm, random)
    storm.save()
    return storm


def submit(
    storm_id: str, puzzle_id: int, cell: int, now: datetime, random: Random
) -> dict[str, Any]:
    """Judge an answer and go on to the next puzzle. An answer to an earlier puzzle, sent twice,
    changes nothing."""
    with transaction.atomic():
        storm = Storm.objects.select_for_update().filter(pk=storm_id).first()
        if storm is None:
            raise Refused("no_storm")
        if now >= storm.ends_at:
            raise Refused("storm_over")
        current = storm.current
        if current is None or current.pk != puzzle_id:
            return state(storm, now)
        check_cell(current, cell)
        right = solution(current)
        correct = cell in right
        storm.score += correct
        if not correct:
            storm.wrong += 1
            storm.ends_at -= PENALTY
        if now < storm.ends_at:
            _ask(storm, random)
        else:
            storm.current = None
        storm.save()
    return {**state(storm, now), "correct": correct, "cell": cell, "solution": right}


def state(storm: Storm, now: datetime) -> dict[str, Any]:
    left = max(0, round((storm.ends_at - now).total_seconds() * 1000))
    running = left > 0 and storm.current is not None
    return {
        "id": storm.pk,
        "ms_left": left if running else 0,
        "score": storm.score,
        "wrong": storm.wrong,
        "puzzle": question(storm.current) if running and storm.current else None,
    }


def _ask(storm: Storm, random: Random) -> None:
    """The next puzzle, none twice."""
    storm.current = None
    if len(storm.asked) >= MOST:
        return
    difficulty = min(EASIEST + STEP * storm.score, HARDEST)
    found = choosing.near(difficulty, choosing.offered(0, storm.asked), random)
    if found is not None:
        storm.current = found
        storm.asked = [*storm.asked, found.pk]


def table(since: datetime | None = None) -> list[dict[str, Any]]:
    """The best storm of each registered player who is one still; those under way don't count."""
    rows = Storm.objects.filter(
        user__kind=User.Kind.REGISTERED, user__is_active=True, score__gt=0,
        ends_at__lte=timezone.now(),
    )  # fmt: skip
    if since is not None:
        rows = rows.filter(started_at__gte=since)
    best = rows.values("user__username").annotate(best=Max("score"))
    ordered = best.order_by("-best", "user__username")[:SHOWN]
    return [{"name": row["user__username"], "score": row["best"]} for row in ordered]


def tables() -> dict[str, list[dict[str, Any]]]:
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return {"today": table(midnight), "ever": table()}


def best_of(user: User) -> int:
    return Storm.objects.filter(user=user).aggregate(best=Max("score"))["best"] or 0


def tidy() -> None:
    """Delete storms of long ago that no table can show: of each player the best one stays."""
    old = Storm.objects.filter(started_at__lt=timezone.now() - KEPT)
    old.filter(user=None).delete()
    old.filter(score=0).delete()
    same = Storm.objects.filter(user=OuterRef("user"))
    better = same.filter(
        Q(score__gt=OuterRef("score")) | Q(score=OuterRef("score"), pk__gt=OuterRef("pk"))
    )
    old.filter(pk__in=list(old.filter(Exists(better)).values_list("pk", flat=True))).delete()


def theirs(storm_id: str, user: User | None, known: str | None) -> None:
    """Raises Refused unless this storm is this user's, or of the session that knows its id."""
    owner = Storm.objects.filter(pk=storm_id).values_list("user_id", flat=True).first()
    mine = owner == user.pk if user is not None and owner is not None else storm_id == known
    if not mine:
        raise Refused("no_storm")
