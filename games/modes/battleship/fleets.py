"""Estimates where a hidden fleet lies: every way to explain the hits so far, weighed.

Any legal fleet is taken to be as likely as any other. Ships that were hit and have not sunk are
listed in all ways that explain the hits; each counts by the room that is left for the other ships.
Those are taken to lie anywhere else, independently of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from math import comb
from typing import Any, Final

SIDE: Final = 10
CELLS: Final = SIDE * SIDE
FLEET: Final = (5, 4, 3, 3, 2)
UNTRIED, MISS, HIT = 0, 1, 2

MOST_WAYS: Final = 1_000
"""Ways to explain the hits that are gone through; with more, fewer hits are looked at."""
SMALL_SHIPS: Final = 0.75
"""Hunting: 0 would count every ship alike, 1 every place of a ship. Small ones take the longest to
find and have the most places, so it pays to look for them early."""
OTHERS: Final = 1.5
"""With a ship to follow up: what a miss tells about the others is worth something, too."""

Place = tuple[int, tuple[int, ...]]  # as bits of an integer, and as cells


@cache
def placements(length: int) -> tuple[tuple[int, ...], ...]:
    """Every way a ship of this length can lie on the board."""
    across = [
        tuple(range(y * SIDE + x, y * SIDE + x + length))
        for y in range(SIDE)
        for x in range(SIDE - length + 1)
    ]
    return (*across, *(tuple(c % SIDE * SIDE + c // SIDE for c in ship) for ship in across))


@cache
def _places(length: int) -> tuple[Place, ...]:
    return tuple((_mask(cells), cells) for cells in placements(length))


def _mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


class _TooMany(Exception):
    pass


class Sea:
    """The knowledge of a fleet: `left` counts the ships afloat by length, `hits` are theirs."""

    def __init__(self, tried: Sequence[int], sunk: Iterable[dict[str, Any]]) -> None:
        self.left = Counter(FLEET)
        gone = 0
        for ship in sunk:
            self.left[ship["length"]] -= 1
            step = SIDE if ship["vertical"] else 1
            gone |= _mask(range(ship["cell"], ship["cell"] + ship["length"] * step, step))
        self.left = +self.left
        blocked = gone | _mask(cell for cell in range(CELLS) if tried[cell] == MISS)
        self.hits = _mask(cell for cell in range(CELLS) if tried[cell] == HIT) & ~gone
        # a ship that is hit all over has sunk, so none of those afloat lies on hits alone
        self.fits = {
            length: [p for p in _places(length) if not p[0] & blocked and p[0] & ~self.hits]
            for length in self.left
        }
        self.free = {
            length: [p for p in places if not p[0] & self.hits]
            for length, places in self.fits.items()
        }

    def weights(self) -> list[float]:
        """The weight of each cell as the next bomb; with hits to follow up, close to the chance to
        hit. Cells that were tried have a weight as well, which means nothing."""
        found = [0.0] * CELLS
        if not self.hits:
            for length, places in self.free.items():
                self._spread(found, length, self.left[length] * len(places) ** SMALL_SHIPS)
            return found
        hits = _bits(self.hits)
        while True:
            try:
                ways = _Ways(self, hits)
                break
            except _TooMany:
                hits.pop()
        if not ways.total:  # nothing explains the hits
            return found
        found = [weight / ways.total for weight in ways.weights]
        for length, ships in ways.others.items():
            self._spread(found, length, OTHERS * ships / ways.total)
        return found

    def _spread(self, weights: list[float], length: int, weight: float) -> None:
        places = self.free[length]
        for _, cells in places:
            for cell in cells:
                weights[cell] += weight / len(places)


class _Ways:
    """All ways to explain these hits: the weight of each cell over all of them, and how many ships
    of each length are elsewhere. Raises _TooMany."""

    def __init__(self, sea: Sea, hits: list[int]) -> None:
        self.weights = [0.0] * CELLS
        self.others = dict.fromkeys(sea.left, 0.0)
        self._left = dict(sea.left)
        self._free = sea.free
        self._room = {length: len(places) for length, places in sea.free.items()}
        self._budget = MOST_WAYS
        self._through = {
            hit: {
                length: [place for place in places if place[0] & hit]
                for length, places in sea.fits.items()
            }
            for hit in hits
        }
        self._taken: dict[int, dict[int, int]] = {}
        self.total = self._explain(sum(hits), 0)

    def _explain(self, hits: int, used: int) -> float:
        """The weight of all ways to explain the rest of the hits beside the ships in `used`."""
        if not hits:
            return self._rest()
        left, room = self._left, self._room
        total = 0.0
        for length, places in self._through[hits & -hits].items():
            if not left[length]:
                continue
            left[length] -= 1
            for mask, cells in places:
                if mask & used:
                    continue
                taken = self._taken_by(mask)
                for other, count in taken.items():
                    room[other] -= count
                weight = self._explain(hits & ~mask, used | mask)
                for other, count in taken.items():
                    room[other] += count
                for cell in cells:
                    self.weights[cell] += weight
                total += weight
            left[length] += 1
        return total

    def _rest(self) -> float:
        """In how many ways the other ships may lie. Places that two ships take were taken off
        twice, so there may seem to be no room where there is some."""
        self._budget -= 1
        if self._budget < 0:
            raise _TooMany
        weight = 1.0
        for length, ships in self._left.items():
            if ships:
                room = max(0.5, comb(max(0, self._room[length]), ships))
                weight *= room if self._free[length] else 0.0
        for length, ships in self._left.items():
            self.others[length] += ships * weight
        return weight

    def _taken_by(self, mask: int) -> dict[int, int]:
        """The number of places of each length that a ship takes from the others."""
        found = self._taken.get(mask)
        if found is None:
            found = self._taken[mask] = {
                length: sum([1 for place, _ in places if place & mask])
                for length, places in self._free.items()
            }
        return found


def _bits(mask: int) -> list[int]:
    """The single bits of a mask, the lowest first."""
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found
