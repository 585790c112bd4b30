"""Cuts the part that matters out of a board, so that what remains is a position of its own.

A number whose neighbours all lie inside, or are open outside, keeps its meaning; any other number
is left out (BLANK). So everything that the cut proves is true on the whole board.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from games.bots.solver import Solver
from games.puzzles.position import BLANK, HIDDEN, MINE, Position

MOST: Final = 10
"""Columns and rows at most: a phone shows so many at a size that fingers hit."""


class Box(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int

    @property
    def fits(self) -> bool:
        return self.right - self.left < MOST and self.bottom - self.top < MOST

    def grown(self, width: int, height: int) -> Box:
        """One cell larger on all sides, within the board."""
        return Box(
            max(0, self.left - 1), max(0, self.top - 1),
            min(width - 1, self.right + 1), min(height - 1, self.bottom + 1),
        )  # fmt: skip


def around(cells: Iterable[int], width: int) -> Box:
    columns, rows = zip(*((cell % width, cell // width) for cell in cells), strict=True)
    return Box(min(columns), min(rows), max(columns), max(rows))


def whole_rest(solver: Solver, width: int, height: int) -> Position | None:
    """All that is still hidden, with the numbers beside it and the count of its mines; None when
    it is too much, or the mines aren't counted."""
    hidden = _hidden(solver)
    if solver.mine_count is None or not hidden:
        return None
    box = around(hidden, width).grown(width, height)
    if not box.fits:
        return None
    return _cut(solver, width, box, solver.mine_count - len(solver.given_mines))


def part(solver: Solver, width: int, height: int, numbers: Iterable[int]) -> Position | None:
    """The surroundings of these numbers; None when they lie too far apart."""
    neighbours = solver.topology.neighbours
    hidden = _hidden(solver)
    used = set(numbers)
    used.update(n for number in list(used) for n in neighbours[number] if n in hidden)
    if not used:
        return None
    box = around(used, width)
    larger = box.grown(width, height)
    box = larger if larger.fits else box
    return _cut(solver, width, box, None) if box.fits else None


def _hidden(solver: Solver) -> set[int]:
    known = solver.numbers.keys() | solver.given_mines | solver.given_safe
    return set(range(solver.topology.size)) - known


def _cut(solver: Solver, width: int, box: Box, mines: int | None) -> Position:
    neighbours = solver.topology.neighbours
    inside = [
        y * width + x
        for y in range(box.top, box.bottom + 1)
        for x in range(box.left, box.right + 1)
    ]
    within = set(inside)
    cells = []
    for cell in inside:
        number = solver.numbers.get(cell)
        if number is not None:
            outside = (n for n in neighbours[cell] if n not in within)
            told = all(n in solver.numbers or n in solver.given_safe for n in outside)
            cells.append(str(number) if told else BLANK)
        elif cell in solver.given_mines:
            cells.append(MINE)
        else:
            cells.append(BLANK if cell in solver.given_safe else HIDDEN)
    return Position(box.right - box.left + 1, box.bottom - box.top + 1, "".join(cells), mines)
