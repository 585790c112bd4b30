"""The shape of a board: who touches whom, prepared once and shared by every game on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter

from games.engine.grid import square8


class Topology:
    """Neighbour lists with the derived tables that the rules need.

    A number keeps the undecided cells around it as a *local mask*: bit `i` stands for the i-th
    cell of `neighbours[number]`. Local masks are small whatever the size of the board, and being
    plain integers they can be copied with their board in one go.
    """

    __slots__ = ("_expand", "_masks", "_near", "around", "links", "neighbours", "size")

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        self.neighbours: tuple[tuple[int, ...], ...] = tuple(tuple(row) for row in neighbours)
        self.size = len(self.neighbours)
        places: list[dict[int, int]] = [
            {cell: 1 << i for i, cell in enumerate(row)} for row in self.neighbours
        ]
        for cell, row in enumerate(self.neighbours):
            if cell in row or len(places[cell]) != len(row):
                raise ValueError(f"cell {cell} lists itself or a neighbour twice")
        try:
            # links[cell] = for each number that touches the cell: (number, the cell's bit there)
            self.links: tuple[tuple[tuple[int, int], ...], ...] = tuple(
                tuple((other, places[other][cell]) for other in row)
                for cell, row in enumerate(self.neighbours)
            )
        except KeyError as missing:
            raise ValueError("neighbour lists must be symmetric") from missing
        # around[cell](values) picks the values of the cell's neighbours, as one tuple
        self.around: tuple[Callable[[Sequence[int]], tuple[int, ...]], ...] = tuple(
            map(_picker, self.neighbours)
        )
        self._expand: list[dict[int, tuple[int, ...]]] = [{} for _ in range(self.size)]
        self._near: list[tuple[tuple[int, int, int], ...] | None] = [None] * self.size
        self._masks: list[int] | None = None

    def expand(self, number: int, mask: int) -> tuple[int, ...]:
        """The cells that a local mask of `number` stands for."""
        known = self._expand[number]
        cells = known.get(mask)
        if cells is None:
            row = self.neighbours[number]
            cells = tuple([row[i] for i in range(len(row)) if mask >> i & 1])
            known[mask] = cells
        return cells

    @property
    def masks(self) -> list[int]:
        """The neighbours of each cell as bits of one integer as long as the board."""
        if self._masks is None:
            self._masks = [sum([1 << cell for cell in row]) for row in self.neighbours]
        return self._masks

    def near(self, number: int) -> tuple[tuple[int, int, int], ...]:
        """Each cell that shares neighbours with `number`, as `(other, own, others)`.

        `own` is the local mask of `number` without the shared cells, `others` the same for
        `other`.
        """
        found = self._near[number]
        if found is None:
            shared: dict[int, tuple[int, int]] = {}
            for cell, own_bit in zip(
                self.neighbours[number], (1 << i for i in range(64)), strict=False
            ):
                for other, bit in self.links[cell]:
                    if other != number:
                        own, others = shared.get(other, (0, 0))
                        shared[other] = own | own_bit, others | bit
            full = (1 << len(self.neighbours[number])) - 1
            found = tuple(
                (other, full & ~own, ((1 << len(self.neighbours[other])) - 1) & ~others)
                for other, (own, others) in shared.items()
            )
            self._near[number] = found
        return found


def _picker(row: tuple[int, ...]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    if len(row) > 1:
        return itemgetter(*row)
    return lambda values: tuple([values[cell] for cell in row])


@lru_cache(maxsize=16)
def rectangle(width: int, height: int) -> Topology:
    """A rectangular board with eight neighbours; cell = y * width + x."""
    return Topology(square8(width, height).neighbours)
