"""Tournaments that start by themselves: a daily arena of every mode, and a weekly Swiss one.

Each has a name of its own, so that it is created once, by whichever worker comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.utils.translation import gettext_noop

from games.engine.mode import Mode
from lobby.tournaments import making
from lobby.tournaments.database import in_thread
from lobby.tournaments.models import Tournament

AHEAD: Final = timedelta(hours=24)
FIRST_HOUR: Final = 16
"""UTC: the first daily arena; the others follow, an hour apart."""
DAILY_MINUTES: Final = 45
SOLO_HOUR: Final = 12
SOLO_MINUTES: Final = 120
WEEKLY_DAY: Final = 5
"""Saturday."""
WEEKLY_HOUR: Final = 18
WEEKLY_ROUNDS: Final = 5
NAMES: Final = {
    "daily": gettext_noop("Daily arena"),
    "weekly": gettext_noop("Weekly Swiss"),
    "solo": gettext_noop("Daily solo arena"),
}
"""By the first word of `series`; pages show them in the reader's language."""
_last: list[tuple[date, int]] = []


async def plan(now: datetime) -> None:
    """Create what starts within a day and isn't there yet; looks once an hour of this process."""
    turn = (now.date(), now.hour)
    if _last == [turn]:
        return
    await in_thread(create)(now)
    _last[:] = [turn]


def create(now: datetime) -> int:
    """The number of new tournaments."""
    wanted = {each["series"]: each for each in coming(now)}
    there = Tournament.objects.filter(series__in=wanted).values_list("series", flat=True)
    missing = [each for name, each in wanted.items() if name not in set(there)]
    made = Tournament.objects.bulk_create(
        [Tournament(**each) for each in missing], ignore_conflicts=True
    )
    return len(made)


def coming(now: datetime) -> Iterator[dict[str, Any]]:
    """The tournaments of the schedule that start between now and a day later."""
    today = now.astimezone(UTC).date()
    for day in (today, today + timedelta(days=1)):
        for each in of_day(day):
            if now < each["starts_at"] <= now + AHEAD:
                yield each


def of_day(day: date) -> Iterator[dict[str, Any]]:
    versus = making.modes(Tournament.Kind.ARENA)
    for number, mode in enumerate(versus):
        yield _arena(mode, day, (FIRST_HOUR + number) % 24)
    for mode in making.modes(Tournament.Kind.SOLO):
        yield _solo(mode, day)
    if day.weekday() == WEEKLY_DAY and versus:
        # Another mode each week, in turn.
        yield _swiss(versus[day.isocalendar().week % len(versus)], day)


def _arena(mode: Mode, day: date, hour: int) -> dict[str, Any]:
    return {
        "series": f"daily:{mode.name}:{day.isoformat()}",
        "name": NAMES["daily"],
        "kind": Tournament.Kind.ARENA,
        "mode": mode.name,
        "rated": mode.may_be_rated,
        "minutes": DAILY_MINUTES,
        "starts_at": _at(day, hour),
    }


def _swiss(mode: Mode, day: date) -> dict[str, Any]:
    return {
        "series": f"weekly:{mode.name}:{day.isoformat()}",
        "name": NAMES["weekly"],
        "kind": Tournament.Kind.SWISS,
        "mode": mode.name,
        "rated": mode.may_be_rated,
        "rounds": WEEKLY_ROUNDS,
        "round_minutes": 20,
        "starts_at": _at(day, WEEKLY_HOUR),
    }


def _solo(mode: Mode, day: date) -> dict[str, Any]:
    board = mode.daily
    return {
        "series": f"solo:{mode.name}:{day.isoformat()}",
        "name": NAMES["solo"],
        "kind": Tournament.Kind.SOLO,
        "mode": mode.name,
        "options": {} if board is None else board.options,
        "boards": 3,
        "minutes": SOLO_MINUTES,
        "starts_at": _at(day, SOLO_HOUR),
    }


def _at(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), UTC)
