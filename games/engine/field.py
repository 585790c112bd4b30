"""A mine field on any grid: numbers, and openings worked out once so that a flood is a look-up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from .grid import Grid


class MineField:
    """Mines that do not change, with the number of every cell. `numbers` holds the count of
    neighbouring mines for mines too."""

    def __init__(self, grid: Grid, mines: Iterable[int]) -> None:
        self.grid = grid
        self.mines = frozenset(mines)
        neighbours = grid.neighbours
        numbers = bytearray(grid.size)
        for mine in self.mines:
            for cell in neighbours[mine]:
                numbers[cell] += 1
        self.numbers = bytes(numbers)

    @cached_property
    def openings(self) -> list[tuple[int, ...]]:
        """Each opening: its connected zeros with their rim, zeros first."""
        return self._labelled[0]

    @cached_property
    def opening_of(self) -> dict[int, int]:
        """The index in `openings` for every zero."""
        return self._labelled[1]

    @cached_property
    def _labelled(self) -> tuple[list[tuple[int, ...]], dict[int, int]]:
        numbers, mines, neighbours = self.numbers, self.mines, self.grid.neighbours
        openings: list[tuple[int, ...]] = []
        label: dict[int, int] = {}
        for first, number in enumerate(numbers):
            if number or first in mines or first in label:
                continue
            index = len(openings)
            label[first] = index
            zeros = [first]
            rim: dict[int, None] = {}
            for zero in zeros:
                for cell in neighbours[zero]:
                    if numbers[cell]:
                        rim[cell] = None
                    elif cell not in label:
                        label[cell] = index
                        zeros.append(cell)
            openings.append((*zeros, *rim))
        return openings, label

    def flood(self, cell: int) -> tuple[int, ...]:
        """The cells that open with this safe cell: it alone, or its whole opening."""
        index = self.opening_of.get(cell)
        return (cell,) if index is None else self.openings[index]

    def bbbv(self) -> int:
        """3BV: the fewest reveals that clear the board without flags."""
        in_opening = {cell for opening in self.openings for cell in opening}
        isolated = self.grid.size - len(self.mines) - len(in_opening)
        return len(self.openings) + isolated
