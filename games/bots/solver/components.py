"""Dividing the frontier into components that share no cell, kept up to date between moves."""

from __future__ import annotations

from itertools import compress
from random import Random

from .agenda import TooManyStates
from .counting import Packed, count
from .knowledge import Contradiction, Knowledge
from .sampling import sampled_counts


class Component:
    """Active numbers connected through common undecided cells, and those cells by signature."""

    __slots__ = ("_counts", "_ratio", "groups", "needs", "signatures")

    def __init__(
        self, needs: dict[int, int], signatures: list[tuple[int, ...]], groups: list[list[int]]
    ) -> None:
        """`needs` tells for each number how many mines are around it."""
        self.needs = needs
        self.signatures = signatures
        self.groups = groups
        self._counts: Packed | None = None
        self._ratio = 0.0

    def counts(self, cap: int, ratio: float) -> Packed:
        """The solutions, counted once: exactly if `cap` states are enough, else by sampling.

        Sampling takes a mine to weigh `ratio` times as much as a safe cell; it is done again when
        that changes.
        """
        found = self._counts
        if found is not None and (not found.sampled or self._ratio == ratio):
            return found
        sizes = [len(group) for group in self.groups]
        if found is None:
            try:
                found = count(sizes, self.signatures, self.needs, cap)
            except TooManyStates:
                found = self._sampled(sizes, ratio)
        else:
            found = self._sampled(sizes, ratio)
        if not found.total:
            raise Contradiction("no arrangement fits the numbers")
        self._counts, self._ratio = found, ratio
        return found

    def _sampled(self, sizes: list[int], ratio: float) -> Packed:
        """The draw depends on the position alone, not on the way that led there: equal positions
        get equal answers."""
        order = sorted(range(len(sizes)), key=lambda g: min(self.groups[g]))
        needs = dict(sorted(self.needs.items()))
        signatures = [sorted(self.signatures[g]) for g in order]
        rng = Random(f"{list(needs.items())}")
        found = sampled_counts([sizes[g] for g in order], signatures, needs, ratio, rng)
        place = sorted(range(len(order)), key=order.__getitem__)
        found.forced = [found.forced[i] for i in place]
        found.weights = [found.weights[i] for i in place]
        return found


def gather(known: Knowledge, start: int) -> Component:
    """The component of an active number.

    Numbers and groups come in rings around the start, which is a good order to decide them in.
    """
    hidden, need = known.hidden, known.need
    topology = known.topology
    neighbours, around, expand = topology.neighbours, topology.around, topology.expand
    numbers = [start]
    found = {start}
    cells: set[int] = set()
    groups: dict[tuple[int, ...], list[int]] = {}
    for number in numbers:
        for cell in expand(number, hidden[number]):
            if cell in cells:
                continue
            cells.add(cell)
            signature = tuple(compress(neighbours[cell], around[cell](hidden)))
            group = groups.get(signature)
            if group is not None:
                group.append(cell)
                continue
            groups[signature] = [cell]
            for other in signature:
                if other not in found:
                    found.add(other)
                    numbers.append(other)
    needs = {number: need[number] for number in numbers}
    return Component(needs, list(groups), list(groups.values()))


class Partition:
    """The components of a board; only what changed since the last call is looked at again."""

    __slots__ = ("_found", "_of")

    def __init__(self) -> None:
        self._of: dict[int, Component] = {}
        self._found: list[Component] = []

    def copy(self) -> Partition:
        other = Partition()
        other._of = self._of.copy()
        other._found = self._found
        return other

    def update(self, known: Knowledge) -> list[Component]:
        """Bring the division up to date; returns the components in a stable order."""
        if not (known.changed or known.vanished):
            return self._found
        of, hidden = self._of, known.hidden
        pool = known.changed.copy()
        for number in known.changed:
            old = of.get(number)
            if old is not None:
                pool.update(old.needs)
        known.changed.clear()
        known.vanished = False
        for number in pool:
            of.pop(number, None)
        for number in [n for n in of if not hidden[n]]:
            del of[number]
        for number in sorted(pool):
            if hidden[number] and number not in of:
                component = gather(known, number)
                # an older component that a new number joined to this one is replaced as a whole
                for member in component.needs:
                    of[member] = component
        self._found = list({id(component): component for component in of.values()}.values())
        return self._found
