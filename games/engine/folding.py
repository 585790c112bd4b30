"""Folds the lifecycle's own events into a view, as clients do."""

from __future__ import annotations

from typing import Final

from .game import Event, View

SETUP: Final = "setup"
LIVE: Final = "live"
OVER: Final = "over"

EVENTS: Final = (
    "ready",
    "starting",
    "started",
    "dropped",
    "returned",
    "left",
    "claimable",
    "retired",
    "clock",
    "over",
    "refused",
)


def fold(view: View, kind: str, event: Event) -> None:
    if kind == "clock":
        view["origin"] = event["origin"]
    elif kind == "starting":
        view["setup_ends"] = event["t"]
    elif kind == "started":
        view["phase"], view["setup_ends"] = LIVE, None
        for seat in view["seats"]:
            seat["ready"] = True
    elif kind == "over":
        view["phase"], view["setup_ends"] = OVER, None
        for seat in view["seats"]:
            seat["deadline"], seat["claimable"] = None, False
        for key in ("outcome", "seed", "deal", "truth"):
            view[key] = event[key]
    else:
        _fold_seat(view["seats"][event["seat"]], kind, event)


def _fold_seat(seat: View, kind: str, event: Event) -> None:
    if kind == "ready":
        seat["ready"] = event.get("ready", True)
    elif kind in ("dropped", "left"):
        seat.update(connected=False, gone=event["gone"], deadline=event["deadline"])
    elif kind == "returned":
        seat.update(connected=True, gone=None, deadline=None, claimable=False)
    elif kind == "claimable":
        seat.update(deadline=None, claimable=True)
    else:
        seat.update(retired=event["t"], deadline=None, claimable=False)
