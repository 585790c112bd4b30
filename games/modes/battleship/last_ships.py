"""The search for the last ships of a fleet, looked at to its end.

With one or two ships afloat and none of them hit, what a bomb is worth depends on how well the next
ones fit beside it: ships are searched with a net, and a net has few knots if they are spaced well.
So for each of the best cells the search is played on, as if every bomb missed, until no ship fits
anywhere, and the cell is taken whose search is the shortest on average.
"""

from __future__ import annotations

from typing import Final

from .fleets import CELLS, SIDE, SMALL_SHIPS, Place

CANDIDATES: Final = 12
"""Cells whose search is played on. With more the bot needs as many shots."""


class Search:
    """Ships afloat, by length, and where each may lie: bit n of an integer stands for place n."""

    def __init__(self, left: dict[int, int], free: dict[int, list[Place]], off: float) -> None:
        self._ships = list(left.values())
        self._lengths = list(left)
        self._off = off
        self._shortest = min(left)
        self._room = [len(free[length]) for length in left]
        self._through = [_through(free[length]) for length in left]

    def best(self, weights: list[float]) -> list[int]:
        """The cells, of those with the most weight, that begin the shortest searches."""
        ranked = sorted(
            (cell for cell in range(CELLS) if weights[cell] > 0),
            key=weights.__getitem__,
            reverse=True,
        )
        shortest, found = float("inf"), []
        for cell in ranked[:CANDIDATES]:
            misses = self._misses(cell, shortest * 1.000001)
            if misses < shortest * 0.999999:
                shortest, found = misses, [cell]
            elif misses <= shortest * 1.000001:
                found.append(cell)
        return found

    def _misses(self, cell: int, enough: float) -> float:
        """The number of bombs that miss on average, on the search and on the ships found, when it
        begins here; anything above `enough` if it is more than that."""
        alive = [(1 << room) - 1 for room in self._room]
        live = [c for c in range(CELLS) if any(through[c] for through in self._through)]
        misses = 0.0
        while True:
            all_found = 1.0
            for kind, through in enumerate(self._through):
                ships, room = self._ships[kind], self._room[kind]
                struck = (alive[kind] & through[cell]).bit_count()
                alive[kind] &= ~through[cell]
                if struck:
                    misses += ships * struck / room * _to_sink(self._lengths[kind], struck)
                all_found *= (1 - alive[kind].bit_count() / room) ** ships
            misses += 1 - all_found
            if misses > enough or not any(alive):
                return misses
            cell, live = self._next(alive, live)

    def _next(self, alive: list[int], live: list[int]) -> tuple[int, list[int]]:
        """The next cell of the net, and the cells where a ship may lie still."""
        kinds = []
        for places, through, ships in zip(alive, self._through, self._ships, strict=True):
            if places:
                kinds.append((places, through, ships * places.bit_count() ** (SMALL_SHIPS - 1)))
        places, through, weight = kinds[0]
        weights = [weight * (places & through[cell]).bit_count() for cell in live]
        for places, through, weight in kinds[1:]:
            for at, cell in enumerate(live):
                weights[at] += weight * (places & through[cell]).bit_count()
        found = [(weight, cell) for weight, cell in zip(weights, live, strict=True) if weight]
        counts = [0] * self._shortest
        tops = [(0.0, -1)] * self._shortest
        for each in found:
            diagonal = _DIAGONAL[self._shortest][each[1]]
            counts[diagonal] += 1
            if each[0] > tops[diagonal][0]:
                tops[diagonal] = each
        chosen = counts.index(min(counts))
        best, cell = tops[chosen]
        for weight, other in tops:
            if weight * self._off > best:
                best, cell = weight * self._off, other
        return cell, [cell for _, cell in found]


_DIAGONAL: Final = {
    length: [(cell % SIDE + cell // SIDE) % length for cell in range(CELLS)]
    for length in (2, 3, 4, 5)
}


def _through(places: list[Place]) -> list[int]:
    """For every cell, the places of a ship that go through it."""
    found = [0] * CELLS
    for number, (_, cells) in enumerate(places):
        for cell in cells:
            found[cell] |= 1 << number
    return found


def _to_sink(length: int, places: int) -> float:
    """About the number of bombs that miss between the first hit of a ship and its end, if that hit
    leaves so many places."""
    return (places - 1) / 2 if length == 2 else 0.3 * (places - 1) ** 0.8
