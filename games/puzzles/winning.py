"""The exact chance to win with each first move, in an endgame with few arrangements.

A position is the set of arrangements that are still possible, as bits of one integer, as in the
solver's endgame search; here every first move gets its value, not just the best one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.bots.solver import Solver
from games.bots.solver.endgame import arrangements

MOST_ARRANGEMENTS: Final = 120
MOST_POSITIONS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Chances:
    """Of one cell, as counts of all the arrangements."""

    mines: int
    """The arrangements in which it is a mine."""
    wins: int
    """The arrangements that the best play wins after opening it."""


class TooLarge(Exception):
    """There is too much to search."""


def chances(solver: Solver) -> tuple[int, dict[int, Chances]] | None:
    """How many arrangements there are, and the chances of each undecided cell. None when there are
    too many of them, or the mine count is not known."""
    reasoning, odds = solver.reasoning, solver.probabilities()
    cells = odds.undecided()
    listed = arrangements(reasoning, odds, MOST_ARRANGEMENTS) if cells else None
    if not listed:
        return None
    try:
        return len(listed), _Search(solver, listed, cells).first_moves()
    except TooLarge:
        return None


class _Search:
    def __init__(self, solver: Solver, listed: Sequence[frozenset[int]], cells: Sequence[int]):
        neighbours = solver.topology.neighbours
        self.everything = (1 << len(listed)) - 1
        self._known: dict[int, int] = {}
        self._shown: dict[int, list[int]] = {}
        for cell in cells:
            parts: dict[int, int] = {}
            for i, mines in enumerate(listed):
                if cell not in mines:
                    number = len(mines.intersection(neighbours[cell]))
                    parts[number] = parts.get(number, 0) | 1 << i
            self._shown[cell] = list(parts.values())

    def first_moves(self) -> dict[int, Chances]:
        found = {}
        for cell, parts in self._shown.items():
            safe = sum(part.bit_count() for part in parts)
            wins = sum(self._wins(part) for part in parts)
            found[cell] = Chances(self.everything.bit_count() - safe, wins)
        return found

    def _wins(self, position: int) -> int:
        """In how many of these arrangements the best play wins."""
        if position & (position - 1) == 0:
            return 1 if position else 0
        known = self._known.get(position)
        if known is not None:
            return known
        if len(self._known) >= MOST_POSITIONS:
            raise TooLarge
        best = 0
        for parts in self._shown.values():
            alive = [inside for part in parts if (inside := position & part)]
            left = sum(part.bit_count() for part in alive)
            if left <= best or (len(alive) == 1 and alive[0] == position):
                continue  # it can't be better, or tells nothing
            best = max(best, sum(self._wins(part) for part in alive))
            if left == position.bit_count():
                break  # safe, and it tells something: nothing is better
        self._known[position] = best
        return best
