"""The hexagonal and the square map behind one interface."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.engine.grid import hexagon, square8

_HEX_RING: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_SQUARE_RING: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
OUTSIDE: Final = -1


class Topology:
    """Cells 0 to size - 1 around a middle one.

    `neighbours` are all adjacent cells (digits, capture, surrounding), `sides` those that join a
    cluster: the same on hexagons, four of the eight on squares. `ring` is the neighbours in
    circular order with OUTSIDE for what is not on the map.
    """

    def __init__(self, name: str, radius: int) -> None:
        self.name = name
        self.radius = radius
        self.hexagonal = name == "hex"
        side = 2 * radius + 1
        grid = hexagon(radius) if self.hexagonal else square8(side, side)
        middle = grid.cell(0, 0) if self.hexagonal else grid.cell(radius, radius)
        assert middle is not None
        self.size = grid.size
        self.middle = middle
        self.neighbours = tuple(grid.neighbours)
        self.coords: tuple[tuple[int, int], ...] = tuple(grid.coords(c) for c in range(grid.size))
        steps = _HEX_RING if self.hexagonal else _SQUARE_RING
        at = {xy: cell for cell, xy in enumerate(self.coords)}
        self._at = at
        self.ring: tuple[tuple[int, ...], ...] = tuple(
            tuple(at.get((x + dx, y + dy), OUTSIDE) for dx, dy in steps) for x, y in self.coords
        )
        self.side_step = 1 if self.hexagonal else 2
        """Each how-many-th of the ring is a side."""
        self.sides: tuple[tuple[int, ...], ...] = (
            self.neighbours
            if self.hexagonal
            else tuple(tuple(c for c in ring[::2] if c != OUTSIDE) for ring in self.ring)
        )
        self.away = tuple(self.distance(cell, middle) for cell in range(self.size))
        """Steps from the middle."""
        self._discs: dict[tuple[int, int], tuple[int, ...]] = {}
        self._steps: dict[int, list[tuple[int, int]]] = {}

    def at(self, x: int, y: int) -> int | None:
        """The cell at these coordinates, None outside the map."""
        return self._at.get((x, y))

    def distance(self, a: int, b: int) -> int:
        """Steps between two cells."""
        (ax, ay), (bx, by) = self.coords[a], self.coords[b]
        dx, dy = ax - bx, ay - by
        if self.hexagonal:
            return max(abs(dx), abs(dy), abs(dx + dy))
        return max(abs(dx), abs(dy))

    def disc(self, cell: int, radius: int) -> tuple[int, ...]:
        """All cells at most `radius` steps away, itself included; worked out once."""
        found = self._discs.get((cell, radius))
        if found is None:
            steps = self._steps.get(radius)
            if steps is None:
                span = range(-radius, radius + 1)
                steps = [
                    (dx, dy)
                    for dy in span
                    for dx in span
                    if not self.hexagonal or abs(dx + dy) <= radius
                ]
                self._steps[radius] = steps
            x, y = self.coords[cell]
            at = self._at
            found = tuple(at[x + dx, y + dy] for dx, dy in steps if (x + dx, y + dy) in at)
            self._discs[cell, radius] = found
        return found

    def opposites(self, cell: int) -> list[tuple[int, int]]:
        """The pairs of sides that lie across this cell from each other, where both exist."""
        ring = self.ring[cell]
        half = len(ring) // 2
        pairs = [(ring[i], ring[i + half]) for i in range(0, half, self.side_step)]
        return [(a, b) for a, b in pairs if a != OUTSIDE and b != OUTSIDE]


@lru_cache(maxsize=16)
def topology(name: str, radius: int) -> Topology:
    """Topologies do not change and are shared."""
    return Topology(name, radius)
