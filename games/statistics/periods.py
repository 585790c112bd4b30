"""The periods of leaderboards: days, weeks from Monday and months of UTC, and all time."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from games.statistics.models import ALWAYS

PERIODS: Final = ("day", "week", "month", "all")
KEPT: Final = timedelta(days=70)
"""Results of shorter periods are kept for so long after the period's first day."""


def start(period: str, at: datetime) -> date:
    """The first day of the period that this moment is in."""
    day = at.astimezone(UTC).date()
    if period == "day":
        return day
    if period == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if period == "month" else ALWAYS
