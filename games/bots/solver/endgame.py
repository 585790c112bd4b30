"""Playing perfectly when few arrangements are left: a search over what each opening would tell.

A position is the set of arrangements that are still possible, as bits of one integer. Which cells
were opened on the way does not matter: a cell that would tell nothing is free to open or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import exp

from .components import Component
from .probabilities import Odds
from .reasoning import Reasoning

# how many arrangements are worth listing, and how many positions worth looking at
ARRANGEMENTS = 1_000
POSITIONS = 20_000


class _OutOfPositions(Exception):
    pass


def search_to_the_end(reasoning: Reasoning, odds: Odds) -> int | None:
    """The cell that perfect play opens; None when there is too much to search."""
    cells = odds.undecided()
    listed = arrangements(reasoning, odds, ARRANGEMENTS) if cells else None
    if not listed:
        return None
    found = Endgame(reasoning, listed, cells).best()
    return None if found is None else found[0]


def component_solutions(component: Component, limit: int) -> list[frozenset[int]] | None:
    """Every arrangement of mines in a component, or None if there are more than `limit`."""
    need = component.needs.copy()
    room = dict.fromkeys(need, 0)
    for signature, group in zip(component.signatures, component.groups, strict=True):
        for number in signature:
            room[number] += len(group)
    found: list[frozenset[int]] = []
    order = sorted(range(len(component.groups)), key=lambda g: component.signatures[g])

    def extend(i: int, chosen: tuple[int, ...]) -> bool:
        if i == len(order):
            found.append(frozenset(chosen))
            return len(found) <= limit
        signature, group = component.signatures[order[i]], component.groups[order[i]]
        size = len(group)
        for number in signature:
            room[number] -= size
        most = min(size, *(need[n] for n in signature))
        least = max(0, *(need[n] - room[n] for n in signature))
        fits = True
        for x in range(least, most + 1):
            for number in signature:
                need[number] -= x
            for cells in combinations(group, x):
                fits = extend(i + 1, chosen + cells)
                if not fits:
                    break
            for number in signature:
                need[number] += x
            if not fits:
                break
        for number in signature:
            room[number] += size
        return fits

    return found if extend(0, ()) else None


def arrangements(reasoning: Reasoning, odds: Odds, limit: int) -> list[frozenset[int]] | None:
    """Every arrangement of the undecided mines, or None if there are more than `limit`."""
    left = reasoning.known.mines_left
    if left is None or not odds.exact or exp(min(odds.log_weight, 50.0)) > limit + 0.5:
        return None
    parts: list[list[frozenset[int]]] = []
    inside: set[int] = set()
    for component, _ in odds.components:
        part = component_solutions(component, 20 * limit)
        if part is None:
            return None
        parts.append(part)
        inside.update(*component.groups)
    outside = [cell for cell in odds.undecided() if cell not in inside]
    fewest = [0] * (len(parts) + 1)
    most = [len(outside)] * (len(parts) + 1)
    for i in range(len(parts) - 1, -1, -1):
        fewest[i] = fewest[i + 1] + min(map(len, parts[i]))
        most[i] = most[i + 1] + max(map(len, parts[i]))

    def extend(i: int, chosen: frozenset[int], missing: int) -> Iterator[frozenset[int]]:
        if i == len(parts):
            for cells in combinations(outside, missing):
                yield chosen.union(cells)
            return
        for mines in parts[i]:
            after = missing - len(mines)
            if fewest[i + 1] <= after <= most[i + 1]:
                yield from extend(i + 1, chosen | mines, after)

    return list(extend(0, frozenset(), left))


class Endgame:
    """The best way to open a board whose arrangements are all listed."""

    def __init__(
        self, reasoning: Reasoning, listed: list[frozenset[int]], cells: list[int]
    ) -> None:
        neighbours = reasoning.known.topology.neighbours
        undecided = set(cells)
        near = {c: undecided.intersection(neighbours[c]) for c in cells}
        # cells that tell the same in every arrangement are one choice
        distinct: dict[tuple[int, ...], int] = {}
        self._parts: dict[int, tuple[int, ...]] = {}
        for cell in cells:
            around = near[cell]
            shown: dict[int, int] = {}
            for i, mines in enumerate(listed):
                if cell not in mines:
                    number = len(around & mines) if around else 0
                    shown[number] = shown.get(number, 0) | 1 << i
            parts = tuple(sorted(shown.values(), reverse=True))
            self._parts[cell] = parts
            if parts:
                distinct.setdefault(parts, cell)
        self._choices = [(sum(parts), parts, cell) for parts, cell in distinct.items()]
        self._known: dict[int, int] = {}
        self._left = POSITIONS
        self._all = (1 << len(listed)) - 1
        self.count = len(listed)

    def best(self) -> tuple[int, float] | None:
        """The cell to open and the chance to win; None when the search is too large."""
        try:
            wins, cell = self._search(self._all)
        except _OutOfPositions:
            return None
        return cell, wins / self.count

    def chances(self) -> dict[int, float] | None:
        """The chance to win of each cell if it is opened next, and perfect play from then on; None
        when the search is too large."""
        found: dict[tuple[int, ...], float] = {}
        try:
            for parts in self._parts.values():
                if parts not in found:
                    found[parts] = sum([self._wins(part) for part in parts]) / self.count
        except _OutOfPositions:
            return None
        return {cell: found[parts] for cell, parts in self._parts.items()}

    def _wins(self, position: int) -> int:
        if position & (position - 1) == 0:
            return 1 if position else 0
        found = self._known.get(position)
        if found is None:
            found = self._known[position] = self._search(position)[0]
        return found

    def _search(self, position: int) -> tuple[int, int]:
        """In how many of the arrangements best play wins, and the cell it opens."""
        self._left -= 1
        if self._left < 0:
            raise _OutOfPositions
        ranked: list[tuple[int, tuple[int, ...], int]] = []
        for clear, parts, cell in self._choices:
            alive = position & clear
            if not alive:
                continue
            if alive == position:
                if any(part & position == position for part in parts):
                    continue  # safe, but tells nothing
                return sum([self._wins(position & part) for part in parts]), cell
            ranked.append((alive.bit_count(), parts, cell))
        ranked.sort(key=lambda choice: -choice[0])
        best, best_cell = 0, -1
        for clear_count, parts, cell in ranked:
            if clear_count <= best:
                break
            wins, open_count = 0, clear_count
            for part in parts:
                alive = position & part
                if alive:
                    open_count -= alive.bit_count()
                    wins += self._wins(alive)
                    if wins + open_count <= best:
                        break
            if wins > best:
                best, best_cell = wins, cell
        return best, best_cell
