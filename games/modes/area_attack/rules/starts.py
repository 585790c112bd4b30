"""Start cells: far enough from each other."""

from __future__ import annotations

from math import ceil

from games.engine.errors import IllegalAction
from games.engine.game import ALL, Addressed
from games.engine.rng import derive

from .options import Options
from .state import State

KING_DISTANCE = 4
"""Starts this many king's moves apart have a cell between their 3x3 blocks."""


def too_close(options: Options, dx: int, dy: int) -> bool:
    """Whether starts that many columns and rows apart are too close."""
    near = options.min_start_distance
    return max(abs(dx), abs(dy)) < KING_DISTANCE or dx * dx + dy * dy < near * near


def check_pick(state: State, seat: int, cell: int) -> None:
    """Raises IllegalAction when another player's current pick is too close."""
    x, y = state.grid.coords(cell)
    for other, pick in enumerate(state.picks):
        if other == seat or pick is None:
            continue
        u, v = state.grid.coords(pick)
        if too_close(state.options, x - u, y - v):
            away = max(state.options.min_start_distance, KING_DISTANCE)
            raise IllegalAction(
                "too_close",
                f"Too close to the start of player {other + 1}: keep {away:g} cells away.",
            )


def pick_for_the_rest(state: State) -> list[Addressed]:
    """A random legal start for everyone who has not confirmed, confirmed.

    One is always left: the cells too close to a pick lie in a disc around it, of a third of the
    side or of 4.25 cells at most, and no three such discs cover the board.
    """
    late = [seat for seat, done in enumerate(state.confirmed) if not done]
    for seat in late:
        state.picks[seat] = None
    legal = bytearray([1]) * state.grid.size
    for pick in state.picks:
        if pick is not None:
            _rule_out(state, legal, pick)
    out: list[Addressed] = []
    for seat in late:
        cells = [cell for cell, open_to_pick in enumerate(legal) if open_to_pick]
        cell = derive(state.setup.seed, f"pick:{seat}").choice(cells)
        _rule_out(state, legal, cell)
        state.picks[seat] = cell
        state.confirmed[seat] = True
        out.append(Addressed(ALL, {"type": "picked", "seat": seat, "cell": cell}))
    return out


def _rule_out(state: State, legal: bytearray, pick: int) -> None:
    """Take the cells too close to this pick from the legal ones."""
    size, options = state.options.size, state.options
    reach = max(KING_DISTANCE, ceil(options.min_start_distance))
    x, y = state.grid.coords(pick)
    for v in range(max(0, y - reach), min(size, y + reach + 1)):
        for u in range(max(0, x - reach), min(size, x + reach + 1)):
            if too_close(options, u - x, v - y):
                legal[v * size + u] = 0
