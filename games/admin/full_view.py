"""A match with nothing hidden, for staff who do not play in it."""

from __future__ import annotations

from typing import Any

from games.live.course import Course
from games.live.host import NoSuchMatch, host
from games.live.replay import replay
from games.models import Match


class NotForPlayers(Exception):
    """Who sits in a running match does not see its secrets, staff or not."""


async def full_view(match_id: str, user_id: int) -> dict[str, Any] | None:
    """The running match as this process has it; None when Redis does not know it.
    Raises NotForPlayers, UnknownRules."""
    here = host()
    try:
        replica = await here.join(match_id)
    except NoSuchMatch:
        return None
    try:
        seats = replica.course.setup.seats
        if replica.over is None and any(seat.user_id == user_id for seat in seats):
            raise NotForPlayers
        return _everything(replica.course, replica.over is not None, replica.watchers)
    finally:
        here.leave(replica)


def archived_full_view(match: Match) -> dict[str, Any]:
    if match.log is None:
        return {"over": True, "views": [], "truth": None, "players": [], "entries": 0}
    return _everything(replay(match).course, True, 0)


def _everything(course: Course, over: bool, spectators: int) -> dict[str, Any]:
    rules = course.game.rules  # type: ignore[attr-defined]
    seats = course.setup.seats
    return {
        "mode": course.setup.mode,
        "over": over,
        "entries": course.next,
        "now": course.state.now,
        "spectators": spectators,
        "players": [
            {"name": seat.name, "kind": seat.kind, "connected": course.connected(number)}
            for number, seat in enumerate(seats)
        ],
        "public": course.view(None),
        "views": [course.view(number) for number in range(len(seats))],
        "truth": rules.truth(course.state.game),
    }
