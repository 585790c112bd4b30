"""Keeps a solver up to date with what a seat sees: each look tells it what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from games.bots.solver import Solver, rectangle
from games.engine.board import HIDDEN, MINE


class Reader(Protocol):
    """A solver that follows the views of one seat."""

    solver: Solver

    def look(self, game: dict[str, Any]) -> None:
        """Take over what this view of the game shows."""

    def is_hidden(self, cell: int) -> bool: ...


class BoardReader:
    """A minefield of one's own (games/engine/board.py)."""

    def __init__(self, game: dict[str, Any]) -> None:
        size = game["width"] * game["height"]
        self.solver = Solver(rectangle(game["width"], game["height"]), mines=game["mines"])
        self._known = [HIDDEN] * size

    def look(self, game: dict[str, Any]) -> None:
        cells, known = game["cells"], self._known
        for cell in changed(cells, known):
            shown = known[cell] = cells[cell]
            if shown >= 0:
                self.solver.reveal(cell, shown)
            elif shown == MINE:
                self.solver.mark_mine(cell)

    def is_hidden(self, cell: int) -> bool:
        """Flagged cells are hidden, too: a flag is an opinion."""
        return self._known[cell] < 0 and self._known[cell] != MINE


def changed(cells: Sequence[int], known: Sequence[int]) -> list[int]:
    """The cells that show something else than before."""
    return [cell for cell, shown in enumerate(cells) if shown != known[cell]]
