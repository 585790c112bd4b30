"""Boards of cells behind one interface: a cell is an index, its neighbours a tuple of indices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Protocol, overload

_EIGHT = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
_FOUR = ((0, -1), (-1, 0), (1, 0), (0, 1))
_HEX = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))


Neighbours = Sequence[tuple[int, ...]]

TABLE_LIMIT: Final = 65_536
"""Up to so many cells a square grid keeps a table of all neighbours."""


class Grid(Protocol):
    """Cells 0 to size - 1; `neighbours[cell]` in a fixed order; coordinates both ways."""

    @property
    def size(self) -> int: ...
    @property
    def neighbours(self) -> Neighbours: ...
    def coords(self, cell: int) -> tuple[int, int]: ...
    def cell(self, x: int, y: int) -> int | None:
        """The cell at these coordinates, None outside the board."""


class SquareGrid:
    """Columns x and rows y, zero-based from the top left; the index is y * width + x."""

    def __init__(self, width: int, height: int, steps: tuple[tuple[int, int], ...]) -> None:
        self.width = width
        self.height = height
        self.size = width * height
        self._steps = steps
        self._offsets = [dy * width + dx for dx, dy in steps]
        around = _Around(self)
        # A table is fastest, but that of a million cells would take hundreds of megabytes.
        self.neighbours: Neighbours = around if self.size > TABLE_LIMIT else tuple(around)

    def around(self, cell: int) -> tuple[int, ...]:
        """The neighbours of a cell, worked out."""
        width, height = self.width, self.height
        y, x = divmod(cell, width)
        if 0 < x < width - 1 and 0 < y < height - 1:
            return tuple([cell + offset for offset in self._offsets])
        return tuple(
            (y + dy) * width + x + dx
            for dx, dy in self._steps
            if 0 <= x + dx < width and 0 <= y + dy < height
        )

    def coords(self, cell: int) -> tuple[int, int]:
        y, x = divmod(cell, self.width)
        return x, y

    def cell(self, x: int, y: int) -> int | None:
        if 0 <= x < self.width and 0 <= y < self.height:
            return y * self.width + x
        return None


class _Around(Sequence[tuple[int, ...]]):
    """The neighbours of each cell of a large grid, worked out when asked for."""

    def __init__(self, grid: SquareGrid) -> None:
        self._grid = grid

    def __len__(self) -> int:
        return self._grid.size

    @overload
    def __getitem__(self, cell: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, cell: slice) -> Sequence[tuple[int, ...]]: ...
    def __getitem__(self, cell: int | slice) -> tuple[int, ...] | Sequence[tuple[int, ...]]:
        if isinstance(cell, slice):
            return [self._grid.around(c) for c in range(len(self))[cell]]
        if not 0 <= cell < len(self):
            raise IndexError(cell)
        return self._grid.around(cell)


class HexGrid:
    """A hexagon of hexagons in axial coordinates (q, r), rows from the top, left to right."""

    def __init__(self, radius: int) -> None:
        self.radius = radius
        self._coords = [
            (q, r)
            for r in range(-radius, radius + 1)
            for q in range(max(-radius, -r - radius), min(radius, -r + radius) + 1)
        ]
        self._cells = {at: i for i, at in enumerate(self._coords)}
        self.size = len(self._coords)
        self.neighbours: Neighbours = tuple(
            tuple(self._cells[q + dq, r + dr] for dq, dr in _HEX if (q + dq, r + dr) in self._cells)
            for q, r in self._coords
        )

    def coords(self, cell: int) -> tuple[int, int]:
        return self._coords[cell]

    def cell(self, x: int, y: int) -> int | None:
        return self._cells.get((x, y))


class HexRows:
    """Rows of hexagons with a point at the top, every second row (1, 3, ...) half a cell to the
    right. Columns x and rows y from the top left; the index is y * width + x."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.size = width * height
        self.neighbours: Neighbours = tuple(self._around(cell) for cell in range(self.size))

    def _around(self, cell: int) -> tuple[int, ...]:
        x, y = self.coords(cell)
        left = x - 1 + y % 2  # the column of the neighbours to the upper and lower left
        steps = ((left, -1), (left + 1, -1), (x - 1, 0), (x + 1, 0), (left, 1), (left + 1, 1))
        near = (self.cell(column, y + dy) for column, dy in steps)
        return tuple(other for other in near if other is not None)

    def coords(self, cell: int) -> tuple[int, int]:
        y, x = divmod(cell, self.width)
        return x, y

    def cell(self, x: int, y: int) -> int | None:
        if 0 <= x < self.width and 0 <= y < self.height:
            return y * self.width + x
        return None


@lru_cache(maxsize=64)
def square8(width: int, height: int) -> SquareGrid:
    """Minesweeper's grid: 8 neighbours. Grids are immutable and shared."""
    return SquareGrid(width, height, _EIGHT)


@lru_cache(maxsize=64)
def square4(width: int, height: int) -> SquareGrid:
    return SquareGrid(width, height, _FOUR)


@lru_cache(maxsize=16)
def hexagon(radius: int) -> HexGrid:
    return HexGrid(radius)


@lru_cache(maxsize=64)
def hex_rows(width: int, height: int) -> HexRows:
    """The hexagons of the common board (boardgame.py): 6 neighbours."""
    return HexRows(width, height)
