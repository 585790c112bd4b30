"""From what a seat sees to what a solver knows: what has changed since the last look is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from games.bots.solver import Contradiction, Solver, Tier, rectangle
from games.engine.board import HIDDEN, MINE
from games.modes.area_attack.rules import seeing


class Reader(Protocol):
    """A solver that follows the views of one seat."""

    solver: Solver

    def look(self, game: dict[str, Any]) -> None:
        """Take over what this view of the game shows."""

    def is_hidden(self, cell: int) -> bool: ...


class BoardReader:
    """A board of one's own: `classic` and `race`."""

    def __init__(self, game: dict[str, Any]) -> None:
        size = game["width"] * game["height"]
        self.solver = Solver(rectangle(game["width"], game["height"]), mines=game["mines"])
        self._known = [HIDDEN] * size

    def look(self, game: dict[str, Any]) -> None:
        cells, known = game["cells"], self._known
        for cell in _changed(cells, known):
            shown = known[cell] = cells[cell]
            if shown >= 0:
                self.solver.reveal(cell, shown)
            elif shown == MINE:
                self.solver.mark_mine(cell)

    def is_hidden(self, cell: int) -> bool:
        """Flagged cells are hidden, too: a flag is an opinion."""
        return self._known[cell] < 0 and self._known[cell] != MINE


class AreaReader:
    """The common board of `area-attack`, on which mines may be laid anew."""

    def __init__(self, size: int, density: float) -> None:
        self._size, self._density = size, density
        self._begin()

    def _begin(self) -> None:
        self.solver = Solver(rectangle(self._size, self._size), density=self._density)
        self._known = [seeing.HIDDEN] * (self._size * self._size)

    def look(self, game: dict[str, Any]) -> None:
        try:
            self._tell(game["cells"])
            self.solver.deduce(Tier.SINGLE)
        except Contradiction:
            # What was true before a regeneration is mixed with what is true now.
            self._begin()
            self._tell(game["cells"])

    def _tell(self, cells: Sequence[int]) -> None:
        known, solver = self._known, self.solver
        changed = _changed(cells, known)
        anew = [c for c in changed if cells[c] >= seeing.HIDDEN > known[c]]
        if anew:
            solver.reset(anew)
        for cell in changed:
            code = known[cell] = cells[cell]
            if code < seeing.EXPOSED_MINE:
                solver.reveal(cell, code)
            elif code == seeing.EXPOSED_MINE:
                solver.mark_mine(cell)
            elif code < seeing.HIDDEN:
                solver.mark_safe(cell)

    def is_hidden(self, cell: int) -> bool:
        return self._known[cell] >= seeing.HIDDEN


def _changed(cells: Sequence[int], known: Sequence[int]) -> list[int]:
    return [cell for cell, shown in enumerate(cells) if shown != known[cell]]
