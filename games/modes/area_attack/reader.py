"""Keeps a solver up to date with a seat's view of the field, on which mines may be laid anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.bots.reading import changed
from games.bots.solver import Contradiction, Solver, Tier, rectangle

from .rules import seeing


class AreaReader:
    """The field as one seat knows it."""

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
            # Facts from before a regeneration are mixed with present ones.
            self._begin()
            self._tell(game["cells"])

    def _tell(self, cells: Sequence[int]) -> None:
        known, solver = self._known, self.solver
        now = changed(cells, known)
        anew = [c for c in now if cells[c] >= seeing.HIDDEN > known[c]]
        if anew:
            solver.reset(anew)
        for cell in now:
            code = known[cell] = cells[cell]
            if code < seeing.EXPOSED_MINE:
                solver.reveal(cell, code)
            elif code == seeing.EXPOSED_MINE:
                solver.mark_mine(cell)
            elif code < seeing.HIDDEN:
                solver.mark_safe(cell)

    def is_hidden(self, cell: int) -> bool:
        return self._known[cell] >= seeing.HIDDEN
