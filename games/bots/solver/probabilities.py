"""Joining the components with the cells outside them and the mine count of the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import lgamma, log
from operator import mul

from .components import Component
from .counting import Packed
from .knowledge import MINE, UNKNOWN, Contradiction, Knowledge


class Odds(Mapping[int, float]):
    """The mine probability of every cell of a board; known and opened cells count as 0 and 1.

    `exact` is False when a component had too many states and was sampled. `components` holds each
    component with the probability of each of its groups, `outside` the probability of a cell that
    touches no number, `rest` the number of such cells. `log_weight` is the logarithm of the number
    of arrangements that fit (with a density: of their weight), to compare positions of one board.
    """

    __slots__ = ("_cells", "_status", "components", "exact", "log_weight", "outside", "rest")

    def __init__(
        self,
        known: Knowledge,
        components: list[tuple[Component, list[float]]],
        outside: float,
        rest: int,
        exact: bool,
        log_weight: float,
    ) -> None:
        self.components = components
        self.outside = outside
        self.rest = rest
        self.exact = exact
        self.log_weight = log_weight
        self._status = bytes(known.status)
        self._cells: list[float] | None = None

    @property
    def cells(self) -> list[float]:
        """The probabilities by cell."""
        if self._cells is None:
            by_state = {UNKNOWN: self.outside, MINE: 1.0}
            cells = [by_state.get(state, 0.0) for state in self._status]
            for component, chances in self.components:
                for group, chance in zip(component.groups, chances, strict=True):
                    for cell in group:
                        cells[cell] = chance
            self._cells = cells
        return self._cells

    def undecided(self) -> list[int]:
        """The cells that are neither opened nor proven."""
        return [cell for cell, state in enumerate(self._status) if state == UNKNOWN]

    def __getitem__(self, cell: int) -> float:
        return self.cells[cell]

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self._status)))

    def __len__(self) -> int:
        return len(self._status)


@dataclass(frozen=True, slots=True)
class Spread:
    """A component's solutions by mine count, as floats for joining.

    `ways[i]` belongs to `first + i` mines, times odds**i and scaled to add up to about one.
    """

    first: int
    ways: list[float]
    scale: int


def spread(counts: Packed, odds: float) -> Spread:
    first, whole, shares, _ = counts.shares()
    factor = 1.0
    ways = []
    for share in shares:
        ways.append(share * factor)
        factor *= odds
    return Spread(first, ways, whole)


def join(
    spreads: list[Spread], rest: int, mines: int, odds: float
) -> tuple[list[list[float]], float, float]:
    """Weight of each mine count of each component given all the others, and the outside chance.

    The third result is the logarithm of the number of arrangements, the spreads' scales left out.

    Everything is tilted: the components' ways carry odds**k, and binomial(rest, mines - k) is
    divided by it, which keeps all factors near one on boards of any size.
    """
    base = mines - sum([s.first for s in spreads])
    span = sum([len(s.ways) - 1 for s in spreads])
    low, high = max(0, base - rest), min(span, base)
    if low > high:
        raise Contradiction("no arrangement has the right number of mines")
    # tail[k]: relative weight when the components hold k mines more than their fewest
    tail = [0.0] * (span + 1)
    middle = min(high, max(low, round(base - rest * odds / (1 + odds))))
    tail[middle] = 1.0
    for k in range(middle + 1, high + 1):
        tail[k] = tail[k - 1] * (base - k + 1) / (rest - base + k) / odds
    for k in range(middle - 1, low - 1, -1):
        tail[k] = tail[k + 1] * (rest - base + k + 1) / (base - k) * odds
    ends = [tail]
    for s in reversed(spreads):
        ways, after = s.ways, ends[-1]
        starts = range(len(after) - len(ways) + 1)
        ends.append([sum(map(mul, ways, after[k:])) for k in starts])
    ends.reverse()
    total = ends[0][0]
    if total <= 0.0:
        raise Contradiction("no arrangement has the right number of mines")
    sofar = [1.0]
    found: list[list[float]] = []
    for s, after in zip(spreads, ends[1:], strict=True):
        found.append([sum(map(mul, sofar, after[j:])) / total for j in range(len(s.ways))])
        following = [0.0] * (len(sofar) + len(s.ways) - 1)
        for j, w in enumerate(s.ways):
            for k, p in enumerate(sofar, j):
                following[k] += p * w
        sofar = following
    outside = 0.0
    if rest:
        outside = sum(
            [p * t * (base - k) for k, (p, t) in enumerate(zip(sofar, tail, strict=True))]
        )
        outside /= total * rest
    size = log(total) - middle * log(odds) + log_binomial(rest, base - middle)
    return found, outside, size


def log_binomial(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def chances(component: Component, counts: Packed, given: list[float], odds: float) -> list[float]:
    """The mine probability of a cell of each group, given the weight of each mine count."""
    factor = 1.0
    by_mines = []
    for weight in given:
        by_mines.append(weight * factor)
        factor *= odds
    *_, rows = counts.shares()
    return [
        sum(map(mul, mines, by_mines)) / len(group)
        for group, mines in zip(component.groups, rows, strict=True)
    ]
