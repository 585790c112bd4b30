"""Dividing the frontier into components that share no cell, kept up to date between moves."""

from __future__ import annotations

from itertools import compress
from random import Random

from .counting import Counts, Packed, TooManyStates
from .knowledge import Contradiction, Knowledge
from .sampling import SampledCounts


class Component:
    """Active numbers connected through common undecided cells, and those cells by signature."""

    __slots__ = ("_counts", "groups", "needs", "numbers", "signatures")

    def __init__(
        self,
        numbers: tuple[int, ...],
        needs: tuple[int, ...],
        signatures: list[tuple[int, ...]],
        groups: list[list[int]],
    ) -> None:
        self.numbers = numbers
        self.needs = needs
        self.signatures = signatures
        self.groups = groups
        self._counts: Packed | None = None

    def counts(self, cap: int, ratio: float) -> Packed:
        """The solutions, counted once: exactly if `cap` states are enough, else by sampling.

        Sampling takes a mine to weigh `ratio` times as much as a safe cell.
        """
        if self._counts is not None:
            return self._counts
        members: dict[int, int] = dict.fromkeys(self.numbers, 0)
        for g, signature in enumerate(self.signatures):
            bit = 1 << g
            for number in signature:
                members[number] |= bit
        # numbers around the same groups say the same thing
        distinct: dict[int, int] = {}
        for number, need in zip(self.numbers, self.needs, strict=True):
            mask = members[number]
            if distinct.setdefault(mask, need) != need:
                raise Contradiction(f"cell {number} and another disagree about the same cells")
        sizes = [len(group) for group in self.groups]
        constraints, needs = list(distinct), list(distinct.values())
        try:
            found: Packed = Counts(sizes, constraints, needs, cap)
        except TooManyStates:
            # the draw depends on the position alone, so that equal positions get equal answers
            rng = Random(f"{sorted(zip(self.numbers, self.needs, strict=True))}")
            found = SampledCounts(sizes, constraints, needs, ratio, rng)
        if not found.total:
            raise Contradiction("no arrangement fits the numbers")
        self._counts = found
        return found


def gather(known: Knowledge, start: int) -> Component:
    """The component of an active number."""
    hidden, need = known.hidden, known.need
    topology = known.topology
    neighbours, around, expand = topology.neighbours, topology.around, topology.expand
    numbers = {start}
    pending = [start]
    cells: set[int] = set()
    groups: dict[tuple[int, ...], list[int]] = {}
    while pending:
        number = pending.pop()
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
                if other not in numbers:
                    numbers.add(other)
                    pending.append(other)
    members = tuple(numbers)
    return Component(
        members, tuple([need[n] for n in members]), list(groups), list(groups.values())
    )


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
                pool.update(old.numbers)
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
                for member in component.numbers:
                    of[member] = component
        self._found = list({id(component): component for component in of.values()}.values())
        return self._found
