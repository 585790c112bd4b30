"""Views, and the folding of events into them.

A cell is one number. 0 to 8: the viewer's own cell, with its number. 9: an exposed mine. 10 to 13:
a cell of seat 0 to 3, whatever its number. 20: hidden. 21: hidden, with the viewer's flag.
"""

from __future__ import annotations

from typing import Final

from games.engine.game import Event, View, Viewer

from .state import EXPOSED, FREE, State

EXPOSED_MINE: Final = 9
OWNED_BY: Final = 10
HIDDEN: Final = 20
FLAGGED: Final = 21

_PUBLIC: Final = bytes(
    {FREE: HIDDEN, EXPOSED: EXPOSED_MINE}.get(owner, owner + OWNED_BY) % 256 for owner in range(256)
)


def look(state: State, viewer: Viewer) -> View:
    """The board as it is now, for this viewer."""
    cells = state.owners.translate(_PUBLIC)
    if viewer is not None:
        own, numbers = OWNED_BY + viewer, state.numbers
        cell = cells.find(own)
        while cell >= 0:
            cells[cell] = numbers[cell]
            cell = cells.find(own, cell + 1)
        for cell in state.flags[viewer]:
            cells[cell] = FLAGGED
    return {
        "stage": state.stage,
        "began": state.began,
        "ends": state.ends,
        "picks": list(state.picks),
        "areas": list(state.areas),
        "struck": list(state.struck),
        "frozen": [
            None if freeze is None else {"until": freeze.until, "cell": freeze.cell}
            for freeze in state.freezes
        ],
        "cells": list(cells),
    }


def view(state: State, viewer: Viewer) -> View:
    """The view of this viewer: for a frozen seat, the one from when it froze."""
    freeze = None if viewer is None else state.freezes[viewer]
    if freeze is None:
        return look(state, viewer)
    held = freeze.held
    seen = {key: list(value) if isinstance(value, list) else value for key, value in held.items()}
    seen["frozen"] = [None if other is None else dict(other) for other in held["frozen"]]
    return seen


def truth(state: State) -> View:
    return {
        "mines": [cell for cell, mine in enumerate(state.mines) if mine],
        "numbers": list(state.numbers),
        "owners": [owner if owner < FREE else None for owner in state.owners],
    }


def fold(view: View, event: Event) -> None:  # noqa: C901 - flat: a case per event
    cells = view["cells"]
    match event["type"]:
        case "claimed":
            owned = OWNED_BY + event["seat"]
            view["areas"][event["seat"]] += len(event["cells"])
            codes = event.get("numbers") or [owned] * len(event["cells"])
            for cell, code in zip(event["cells"], codes, strict=True):
                cells[cell] = code
        case "flagged":
            cells[event["cell"]] = FLAGGED if event["on"] else HIDDEN
        case "struck":
            view["struck"][event["seat"]] += 1
            if event["until"] is not None:
                frozen = {"until": event["until"], "cell": event["cell"]}
                view["frozen"][event["seat"]] = frozen
        case "thawed":
            view["frozen"][event["seat"]] = None
            if event["exposed"] is not None:
                cells[event["exposed"]] = EXPOSED_MINE
        case "regenerated":
            for cell in event["cells"]:
                cells[cell] = HIDDEN
            for cell, number in zip(event["rim"], event["numbers"], strict=True):
                cells[cell] = number
            view["areas"] = list(event["areas"])
        case "caught_up":
            for cell, code in zip(event["cells"], event["codes"], strict=True):
                cells[cell] = code
            for key in ("areas", "struck", "frozen"):
                view[key] = list(event[key])
            view["stage"], view["ends"] = event["stage"], event["ends"]
        case "stage":
            for key in ("stage", "began", "ends"):
                view[key] = event[key]
        case "picked":
            view["picks"][event["seat"]] = event["cell"]
