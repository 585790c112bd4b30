"""The truth about a small position by trying every arrangement of mines: slow, and independent of
the solver."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from games.puzzles.position import HIDDEN, MINE, Position


def near(position: Position, cell: int) -> list[int]:
    x, y, width = cell % position.width, cell // position.width, position.width
    return [
        b * width + a
        for a in range(x - 1, x + 2)
        for b in range(y - 1, y + 2)
        if 0 <= a < width and 0 <= b < position.height and (a, b) != (x, y)
    ]


def arrangements(position: Position, numbers: set[int] | None = None) -> list[frozenset[int]]:
    """Every way to mine the hidden cells beside numbers that fits those given (all by default),
    cell after cell; with a mine count, of all the hidden cells."""
    struck = {c for c, shown in enumerate(position.cells) if shown == MINE}
    hidden = {c for c, shown in enumerate(position.cells) if shown == HIDDEN}
    used = set(position.numbers) if numbers is None else numbers
    needs = {
        number: (
            position.numbers[number] - len(struck.intersection(near(position, number))),
            frozenset(hidden.intersection(near(position, number))),
        )
        for number in used
    }
    # One number after the other, those that share cells together.
    found: list[tuple[frozenset[int], frozenset[int]]] = [(frozenset(), frozenset())]
    left = dict(needs)
    done: frozenset[int] = frozenset()
    while left:
        number = min(left, key=lambda n: (len(left[n][1] - done), n))
        need, cells = left.pop(number)
        following = []
        fresh = sorted(cells - done)
        for mines, _ in found:
            more = need - len(mines & cells)
            if 0 <= more <= len(fresh):
                following += [(mines.union(a), cells) for a in combinations(fresh, more)]
        done |= cells
        found = [each for each in following if _fits(each[0], done, left)]
    plain = [mines for mines, _ in found]
    if position.mines is None:
        return plain
    rest = sorted(hidden - done)
    return [
        mines.union(more)
        for mines in plain
        if 0 <= position.mines - len(mines) <= len(rest)
        for more in combinations(rest, position.mines - len(mines))
    ]


def _fits(
    mines: frozenset[int], done: frozenset[int], left: dict[int, tuple[int, frozenset[int]]]
) -> bool:
    for need, cells in left.values():
        here = len(mines & cells)
        if here > need or here + len(cells - done) < need:
            return False
    return True


def safe_cells(position: Position) -> list[int]:
    listed = arrangements(position)
    assert listed
    mined = frozenset().union(*listed)
    told = {c for n in position.numbers for c in near(position, n)}
    return [
        c for c in position.hidden if c not in mined and (c in told or position.mines is not None)
    ]


def proves(position: Position, numbers: set[int], cell: int, mine_count: bool) -> bool:
    """Whether these numbers alone prove that the cell is safe."""
    mines = position.mines if mine_count else None
    bare = Position(position.width, position.height, position.cells, mines)
    beside = any(cell in near(position, number) for number in numbers)
    return (beside or mine_count) and not any(
        cell in mines for mines in arrangements(bare, numbers)
    )


def wins(position: Position) -> tuple[int, dict[int, tuple[int, int]]]:
    """How many arrangements there are; by cell, in how many it is a mine, and in how many the best
    play wins after opening it."""
    listed = tuple(arrangements(position))
    beside = {cell: near(position, cell) for cell in position.hidden}

    def shown(cell: int, mines: frozenset[int]) -> int:
        return sum(n in mines for n in beside[cell])

    @cache
    def best(left: frozenset[frozenset[int]], opened: frozenset[int]) -> int:
        if len(left) == 1:
            return 1
        cells = [cell for cell in position.hidden if cell not in opened]
        return max(after(left, opened, cell) for cell in cells)

    def after(left: frozenset[frozenset[int]], opened: frozenset[int], cell: int) -> int:
        groups: dict[int, set[frozenset[int]]] = {}
        for mines in left:
            if cell not in mines:
                groups.setdefault(shown(cell, mines), set()).add(mines)
        return sum(best(frozenset(one), opened | {cell}) for one in groups.values())

    everything = frozenset(listed)
    return len(listed), {
        cell: (sum(cell in mines for mines in listed), after(everything, frozenset(), cell))
        for cell in position.hidden
    }
