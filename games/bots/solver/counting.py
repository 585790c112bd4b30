"""Counting the solutions of one component exactly, by dynamic programming along its frontier.

Groups are decided one after another (see `agenda.py`); what matters of the past is only what the
numbers still need, so partial solutions with equal needs are merged.

Solutions are counted by their number of mines: a count is a polynomial whose k-th coefficient
belongs to k mines, packed into one integer (`width` bits for each coefficient), so that adding and
multiplying polynomials is adding and multiplying integers, and every count is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .agenda import BINOMIALS, Agenda, TooManyStates


class Packed:
    """The solutions of a component: `total` by their number of mines, and for each group.

    `forced[g]` is the fewest and the most mines of group g over all solutions, `weights[g]` its
    mines summed over all solutions, by the solution's mines; packed.
    """

    __slots__ = ("_range", "_shares", "cells", "forced", "sampled", "total", "weights", "width")

    def __init__(
        self,
        cells: int,
        width: int,
        total: int,
        forced: list[tuple[int, int]],
        weights: list[int],
        sampled: bool = False,
    ) -> None:
        self.cells = cells
        self.width = width
        self.total = total
        self.forced = forced
        self.weights = weights
        self.sampled = sampled
        self._range: tuple[int, int] | None = None
        self._shares: tuple[int, int, list[float], list[list[float]]] | None = None

    def unpack(self, packed: int, first: int, last: int) -> list[int]:
        """The coefficients for `first` to `last` mines."""
        width = self.width
        mask = (1 << width) - 1
        packed >>= first * width
        found = []
        for _ in range(first, last + 1):
            found.append(packed & mask)
            packed >>= width
        return found

    def shares(self) -> tuple[int, int, list[float], list[list[float]]]:
        """The solutions as shares of them all, worked out once: the fewest mines, the number of
        solutions, the share of each mine count, and for each group its mines by mine count."""
        if self._shares is None:
            first, last = self.range()
            ways = self.unpack(self.total, first, last)
            whole = sum(ways)
            rows = [
                [n / whole for n in self.unpack(packed, first, last)] for packed in self.weights
            ]
            self._shares = first, whole, [n / whole for n in ways], rows
        return self._shares

    def range(self) -> tuple[int, int]:
        """The fewest and the most mines that a solution has."""
        if self._range is None:
            low = (self.total & -self.total).bit_length() - 1
            self._range = low // self.width, (self.total.bit_length() - 1) // self.width
        return self._range


Layer = dict[int, int]  # the ways to each state, packed


def count(
    sizes: Sequence[int],
    signatures: Sequence[Sequence[int]],
    needs: Mapping[int, int],
    cap: int,
) -> Packed:
    """All solutions, counted exactly. Raises TooManyStates rather than go through over `cap`."""
    agenda = Agenda(sizes, signatures, needs)
    cells = sum(sizes)
    # every coefficient is below 2**cells times the size of a group
    width = cells + max(sizes).bit_length() + 1
    layers = _forward(agenda, width, cap)
    total = layers.pop().get(agenda.guard, 0)
    forced = [(0, 0)] * len(sizes)
    weights = [0] * len(sizes)
    if total:
        _backward(agenda, layers, width, forced, weights)
    return Packed(cells, width, total, forced, weights)


def _forward(agenda: Agenda, width: int, cap: int) -> list[Layer]:
    """The states before each group and after the last, with the ways that lead there."""
    guard = agenda.guard
    layer = {agenda.start: 1}
    found = [layer]
    states = 1
    for size, delta, room in zip(agenda.sizes, agenda.deltas, agenda.rooms, strict=True):
        following: Layer = {}
        get = following.get
        if size == 1:
            for state, ways in layer.items():
                if (room - state) & guard == guard:
                    following[state] = get(state, 0) + ways
                state -= delta
                if state & (room - state) & guard == guard:
                    following[state] = get(state, 0) + (ways << width)
        else:
            factors = BINOMIALS[size]
            for state, ways in layer.items():
                for factor in factors:
                    if state & (room - state) & guard == guard:
                        following[state] = get(state, 0) + ways * factor
                    state -= delta
                    ways <<= width
        layer = following
        found.append(layer)
        states += len(layer)
        if states > cap:
            raise TooManyStates
    return found


def _backward(
    agenda: Agenda,
    layers: list[Layer],
    width: int,
    forced: list[tuple[int, int]],
    weights: list[int],
) -> None:
    """Go back over the states that lead to a solution; fills in `forced` and `weights`."""
    following = {agenda.guard: 1}
    for i in range(len(layers) - 1, -1, -1):
        delta, size, layer = agenda.deltas[i], agenda.sizes[i], layers[i]
        before: Layer = {}
        get = following.get
        fewest, most, weight = size, 0, 0
        if size == 1:
            for state, ways in layer.items():
                clear = get(state)
                mined = get(state - delta)
                if mined is not None:
                    mined <<= width
                    weight += ways * mined
                    most = 1
                    if clear is None:
                        before[state] = mined
                    else:
                        before[state] = clear + mined
                        fewest = 0
                elif clear is not None:
                    before[state] = clear
                    fewest = 0
        else:
            factors = BINOMIALS[size]
            for state, ways in layer.items():
                rest = mines = shift = 0
                after = state
                for x, factor in enumerate(factors):
                    part = get(after)
                    if part is not None:
                        part = part * factor << shift
                        rest += part
                        mines += part * x
                        fewest = min(fewest, x)
                        most = max(most, x)
                    after -= delta
                    shift += width
                if rest:
                    before[state] = rest
                    weight += ways * mines
        group = agenda.groups[i]
        forced[group] = fewest, most
        weights[group] = weight
        following = before
