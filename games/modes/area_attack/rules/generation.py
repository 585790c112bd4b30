"""The board of a match: rolled, cleared at the starts, and repaired so that first areas are apart.

Specified so that the seed shown at the end reproduces it: the stream `board` gives one `chance` per
cell in order of index; the 3x3 blocks around the starts are cleared; then `separate` runs, with
`choice` from the same stream.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.grid import Grid
from games.engine.laying import scatter
from games.engine.rng import Rng, derive

_NOBODY = -1


def generate(
    seed: bytes, grid: Grid, density: float, starts: Sequence[int]
) -> tuple[bytearray, bytearray]:
    """The mines and the numbers. No start has a mine in its 3x3, and no cell that a start floods
    into is a neighbour of one that another start floods into. One pass, whatever the options;
    starts are at least 4 king's moves apart."""
    rng = derive(seed, "board")
    mines = bytearray(grid.size)
    for cell in scatter(rng, grid.size, density):
        mines[cell] = 1
    for start in starts:
        for cell in (start, *grid.neighbours[start]):
            mines[cell] = 0
    numbers = number(grid, mines)
    separate(grid, mines, numbers, starts, rng)
    return mines, numbers


def number(grid: Grid, mines: bytearray) -> bytearray:
    """The count of neighbouring mines for every cell."""
    numbers = bytearray(grid.size)
    for cell, mine in enumerate(mines):
        if mine:
            for near in grid.neighbours[cell]:
                numbers[near] += 1
    return numbers


def separate(
    grid: Grid, mines: bytearray, numbers: bytearray, starts: Sequence[int], rng: Rng
) -> None:
    """Add mines until the first areas are apart.

    All starts flood at the same pace, and every cell belongs to the start that reached it first.
    Where cells of two starts are neighbours, the one reached later is part of the wall. A wall
    cell is never in a 3x3 block: blocks are reached before all else, and are not neighbours. Mines
    on the wall then leave no zero on or beside it, so that no flood takes a wall cell, and none
    gets past it.
    """
    neighbours = grid.neighbours
    reached_by = [_NOBODY] * grid.size
    order = [0] * grid.size
    reached = list(starts)
    for seat, start in enumerate(starts):
        reached_by[start] = seat
    for place, cell in enumerate(reached):
        order[cell] = place
        if not numbers[cell]:
            for near in neighbours[cell]:
                if reached_by[near] == _NOBODY:
                    reached_by[near] = reached_by[cell]
                    reached.append(near)
    wall: dict[int, None] = {}
    for cell in reached:
        same = (_NOBODY, reached_by[cell])
        for near in neighbours[cell]:
            if reached_by[near] not in same and order[near] < order[cell]:
                wall[cell] = None
                break
    for cell in wall:
        for open_cell in (cell, *neighbours[cell]):
            if not numbers[open_cell] and not mines[open_cell]:
                # Any wall cell beside it will do; a random one makes no pattern.
                beside = [near for near in (open_cell, *neighbours[open_cell]) if near in wall]
                chosen = rng.choice(beside)
                mines[chosen] = 1
                for near in neighbours[chosen]:
                    numbers[near] += 1
