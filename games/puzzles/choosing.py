"""Chooses puzzles: of a difficulty, of a theme, of the day."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from datetime import UTC, date, datetime
from random import Random
from typing import Final

from django.conf import settings

from games.puzzles import stock
from games.puzzles.making import MEDIUM, TAGS
from games.puzzles.models import DailyPuzzle, Puzzle, PuzzleQuerySet

AROUND: Final = 25
"""So many puzzles on either side of a difficulty are chosen from."""
DAILY: Final = (MEDIUM - 1.0, MEDIUM + 4.0)
"""The difficulty of a puzzle of the day."""


def bit_of(theme: str) -> int | None:
    """0 for all themes, None for one that doesn't exist."""
    if not theme:
        return 0
    return 1 << TAGS.index(theme) if theme in TAGS else None


def near(mu: float, among: PuzzleQuerySet, random: Random) -> Puzzle | None:
    """One of about this difficulty."""
    found = [
        *among.filter(mu__gte=mu).order_by("mu")[:AROUND],
        *among.filter(mu__lt=mu).order_by("-mu")[:AROUND],
    ]
    return random.choice(found) if found else None


def offered(bit: int = 0, without: Collection[int] = ()) -> PuzzleQuerySet:
    stock.ensure()
    return Puzzle.objects.active().tagged(bit).exclude(pk__in=without)


def today() -> date:
    return datetime.now(UTC).date()


def of_the_day(day: date) -> Puzzle | None:
    """The same for everybody, from the site's secret and the date; None on a site without any."""
    known = DailyPuzzle.objects.select_related("puzzle").filter(day=day).first()
    if known is not None:
        return known.puzzle
    fresh = offered().filter(days=None, source=Puzzle.Source.STOCK)
    # Of the right difficulty; on a site that has used these up, any; then one a second time.
    for puzzles in (fresh.filter(mu__range=DAILY), fresh, offered()):
        ids = list(puzzles.order_by("pk").values_list("pk", flat=True))
        if ids:
            break
    if not ids:
        return None
    secret = settings.SECRET_KEY.encode()
    drawn = int.from_bytes(hmac.digest(secret, f"puzzle:{day.isoformat()}".encode(), "sha256"))
    row, _ = DailyPuzzle.objects.get_or_create(
        day=day, defaults={"puzzle_id": ids[drawn % len(ids)]}
    )
    return row.puzzle
