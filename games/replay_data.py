"""What the replay viewer gets of a finished match: every viewer's events with their times, and the
truth as it was at each moment. A finished match never changes, so its data is made once."""

from __future__ import annotations

import gzip
import logging
from functools import lru_cache
from typing import Any, Final

import msgspec
from django.core.cache import cache

from games import analysis
from games.engine.game import Viewer
from games.engine.registry import mode
from games.live.course import Course
from games.live.replay import Replay, replay
from games.models import Match

PUBLIC: Final = "public"
ALL: Final = "all"
KEPT_SECONDS: Final = 30 * 86400
NOTHING_JUDGED: Final[dict[str, Any]] = {"marks": [], "players": []}

logger = logging.getLogger(__name__)


def viewers(match: Match) -> dict[str, Viewer]:
    """The names of views, as addresses have them: `public`, and the number of each seat."""
    return {PUBLIC: None} | {str(seat.number): seat.number for seat in match.seats.all()}


def archived(match: Match) -> bool:
    return match.status != Match.Status.LIVE and match.log_entries > 0


@lru_cache(maxsize=64)
def packed(match_id: str, view: str) -> bytes:
    """The data as gzipped JSON; KeyError for a view that is none, UnknownRules for old rules."""
    match = Match.objects.prefetch_related("seats").get(pk=match_id)
    names = viewers(match)
    wanted = names if view == ALL else {view: names[view]}
    return gzip.compress(msgspec.json.encode(data(match, wanted)), 6, mtime=0)


def data(match: Match, wanted: dict[str, Viewer]) -> dict[str, Any]:
    again = replay(match)
    judged = analysed(match, again)
    return {
        "match": match.pk,
        "mode": match.mode,
        "rated": match.rated,
        "duration": again.course.state.now,
        "commitment": match.commitment,
        "seed": match.seed,
        "deal": match.deal,
        "players": [
            {"name": seat.name, "kind": seat.kind, "rank": seat.rank, "score": seat.score}
            for seat in match.seats.all()
        ],
        "outcome": again.outcome,
        "streams": {name: _stream(again, viewer) for name, viewer in wanted.items()},
        "truth": _truth(again),
        "analysis": judged["marks"],
        "analysis_players": judged["players"],
    }


def _stream(again: Replay, viewer: Viewer) -> dict[str, Any]:
    events = [[said.t, said.event] for said in again.events(viewer)]
    return {"start": again.start_view(viewer), "events": events}


def _truth(again: Replay) -> dict[str, Any]:
    """What the end disclosed. Mines may have been laid anew: `mines` is [match time, cells] from
    each moment at which they lay differently."""
    end: dict[str, Any] = again.course.view(None).get("truth") or {}
    lays_mines = mode(again.course.setup.mode).lays_mines
    if "mines" not in end or not lays_mines:
        return end
    course = Course(again.entries[0], again.course.skipped)
    mines: list[list[Any]] = []
    for entry, said in zip(again.entries[1:], again.said[1:], strict=True):
        course.apply(entry)
        if lays_mines.isdisjoint(one.event["type"] for one in said):
            continue
        lying = _mines(course)
        if not mines or mines[-1][1] != lying:
            mines.append([said[-1].t, lying])
    return {**end, "mines": mines}


def _mines(course: Course) -> list[int]:
    rules = course.game.rules  # type: ignore[attr-defined]
    return list(rules.truth(course.state.game)["mines"])


def analysed(match: Match, again: Replay) -> dict[str, Any]:
    """Labels of moves and a summary per player (docs/replay.md); made once, then kept."""
    if mode(match.mode).judge is None or match.status != Match.Status.OVER:
        return NOTHING_JUDGED
    kept = f"analysis:{match.pk}"
    found: dict[str, Any] | None = cache.get(kept)
    if found is None:
        try:
            found = analysis.analyse(again).as_json()
        except Exception:
            # A replay without verdicts is better than none.
            logger.exception("match %s: its moves could not be judged", match.pk)
            return NOTHING_JUDGED
        cache.set(kept, found, KEPT_SECONDS)
    return found
