"""Ships on a 10x10 sea: which fleets may sail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.errors import IllegalAction

SIDE: Final = 10
CELLS: Final = SIDE * SIDE
LENGTHS: Final = (5, 4, 3, 3, 2)


@dataclass(frozen=True, slots=True)
class Ship:
    """`cell` is its left or upper end."""

    cell: int
    length: int
    vertical: bool

    @property
    def cells(self) -> range:
        """Every cell of the ship; only for a ship inside the board."""
        step = SIDE if self.vertical else 1
        return range(self.cell, self.cell + self.length * step, step)

    @property
    def inside(self) -> bool:
        if not 0 <= self.cell < CELLS:
            return False
        y, x = divmod(self.cell, SIDE)
        return (y if self.vertical else x) + self.length <= SIDE

    def as_json(self) -> dict[str, Any]:
        return {"cell": self.cell, "length": self.length, "vertical": self.vertical}


Fleet = tuple[Ship, ...]


def check_fleet(ships: Sequence[Ship]) -> None:
    """Raises IllegalAction unless these are all five ships, inside and apart. Touching is fine."""
    if sorted((ship.length for ship in ships), reverse=True) != list(LENGTHS):
        raise IllegalAction("bad_fleet", "A fleet has five ships, of 5, 4, 3, 3 and 2 cells.")
    if not all(ship.inside for ship in ships):
        raise IllegalAction("ship_outside", "Every ship must lie inside the board.")
    if len({cell for ship in ships for cell in ship.cells}) < sum(LENGTHS):
        raise IllegalAction("ships_overlap", "Two ships may touch, but not share a cell.")
