"""Where players may start: far enough from each other."""

from __future__ import annotations

from ..errors import IllegalAction
from ..game import ALL, Addressed
from ..rng import derive
from .state import State

KING_DISTANCE = 4
"""Starts this many king's moves apart have a cell between their 3x3 blocks."""


def too_close(state: State, cell: int, other: int) -> bool:
    (x, y), (u, v) = state.grid.coords(cell), state.grid.coords(other)
    dx, dy = abs(x - u), abs(y - v)
    near = state.options.min_start_distance
    return max(dx, dy) < KING_DISTANCE or dx * dx + dy * dy < near * near


def check_pick(state: State, seat: int, cell: int) -> None:
    """Raises IllegalAction when another player's current pick is too close."""
    for other, pick in enumerate(state.picks):
        if other != seat and pick is not None and too_close(state, cell, pick):
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
    out: list[Addressed] = []
    for seat in late:
        taken = [pick for pick in state.picks if pick is not None]
        legal = [
            cell
            for cell in range(state.grid.size)
            if not any(too_close(state, cell, pick) for pick in taken)
        ]
        cell = derive(state.setup.seed, f"pick:{seat}").choice(legal)
        state.picks[seat] = cell
        state.confirmed[seat] = True
        out.append(Addressed(ALL, {"type": "picked", "seat": seat, "cell": cell}))
    return out
