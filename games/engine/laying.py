"""Lays mines: counted or by chance, kept off the first cell, or dealt from a pool.

Specified, like the generator, so that anyone can lay the same board again from the seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from .errors import BadOptions
from .field import MineField
from .grid import Grid
from .rng import Rng, threshold


def lay(rng: Rng, size: int, mines: int) -> list[int]:
    """This many mines, every choice of cells equally likely."""
    return rng.sample(size, mines)


def scatter(rng: Rng, size: int, probability: float) -> list[int]:
    """Each cell, in order, is a mine with this probability (0 and 1 included)."""
    limit = threshold(probability)
    word = rng.word
    return [cell for cell in range(size) if word() < limit]


def make_room(rng: Rng, grid: Grid, mines: Iterable[int], cell: int) -> frozenset[int]:
    """The mines after those on and around `cell` have moved away, so that revealing it gives an
    opening. Where the rest of the board has no room for them all, only a mine on the cell moves.

    The k mines to move go to k of the free cells outside, by `sample` from these in ascending
    order. When the mines were equally likely anywhere, they now are anywhere outside.
    """
    mines = frozenset(mines)
    zone = {cell, *grid.neighbours[cell]}
    if grid.size - len(zone) < len(mines):
        zone = {cell}
    moving = len(zone & mines)
    if not moving:
        return mines
    free = [c for c in range(grid.size) if c not in mines and c not in zone]
    return (mines - zone) | {free[i] for i in rng.sample(len(free), moving)}


@dataclass(frozen=True, slots=True)
class Deal:
    """A board made elsewhere: its mines, and the cell from which it can be solved."""

    field: MineField
    start: int


def read_deal(raw: bytes, grid: Grid, mines: int) -> Deal | None:
    """The deal of a set-up, `{"mines": [cell, ...], "start": cell}`; None when it is empty.
    Raises BadOptions when it is no board of this size and number of mines."""
    if not raw:
        return None
    try:
        deal = json.loads(raw)
        cells, start = deal["mines"], deal["start"]
        good = (
            all(type(cell) is int and 0 <= cell < grid.size for cell in (*cells, start))
            and len(cells) == len(set(cells)) == mines
            and start not in cells
        )
    except (KeyError, TypeError, ValueError):
        good = False
    if not good:
        raise BadOptions("bad_deal", "The board doesn't match the options of the match.")
    return Deal(MineField(grid, cells), start)
