"""The scoreboard: cities, kills, deaths and captures for all at once; tiles exactly for their
owner alone, and for the others rounded, at every census."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.engine.game import Addressed

from .broadcast import exact_score
from .state import State


def shown_score(state: State, viewer: int, empire: int) -> list[Any]:
    """A row of the scoreboard as a player's empire sees it."""
    row = exact_score(state, empire)
    if viewer != empire and state.census and not state.disclosed:
        row[1] = 0 if state.empires[empire].out is not None else state.census[empire]
    return row


def take_census(state: State) -> None:
    """Count everybody's tiles, and do so again later."""
    step = state.rules.census_step
    state.census = [(one.tiles + step // 2) // step * step for one in state.empires]
    state.changes.scores.update(range(1, len(state.empires)))
    state.add_timer(state.now + state.rules.census_seconds * 1000, "census")


def tell_scores(state: State, empires: Iterable[int]) -> list[Addressed]:
    """To each player's empire, the rows of these that look different to it."""
    out: list[Addressed] = []
    for viewer in state.alive():
        told, rows = state.told[viewer].scores, []
        for empire in empires:
            row = shown_score(state, viewer, empire)
            if row != told[empire - 1]:
                told[empire - 1] = row
                rows.append([empire, *row])
        if rows:
            out.append(Addressed(state.audience[viewer], {"type": "scores", "scores": rows}))
    return out
