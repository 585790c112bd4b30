"""Drawing conclusions from what is known: proofs, probabilities, and trying out a number."""

from __future__ import annotations

from enum import IntEnum
from math import log

from . import rules, total
from .components import Component, Partition
from .counting import Packed
from .knowledge import MINE, SAFE, UNKNOWN, Knowledge
from .probabilities import Odds, chances, join, spread
from .topology import Topology


class Tier(IntEnum):
    """Levels of reasoning; each tier includes the ones before it."""

    SINGLE = 1  # one number at a time
    SUBSET = 2  # two overlapping numbers, and the bare mine count
    FULL = 3  # everything that can be proven


class Reasoning:
    """The knowledge of a board and the work already done on it; cheap to copy."""

    __slots__ = ("_partition", "cap", "density", "known")

    def __init__(self, topology: Topology, mines: int | None, density: float, cap: int) -> None:
        self.known = Knowledge(topology, mines)
        self.density = density
        self.cap = cap
        self._partition = Partition()

    def copy(self) -> Reasoning:
        other = Reasoning.__new__(Reasoning)
        other.known = self.known.copy()
        other.density = self.density
        other.cap = self.cap
        other._partition = self._partition.copy()
        return other

    def deduce(self, tier: Tier) -> set[int]:
        """Think as hard as needed to have a safe cell, at most up to `tier`."""
        known = self.known
        rules.single_point(known)
        if known.safe or tier < Tier.SUBSET:
            return known.safe
        rules.subset(known)
        if not known.safe:
            rules.mine_count(known)
        if not known.safe and tier >= Tier.FULL:
            self._settle_proven()
        return known.safe

    def analyse(self) -> None:
        """Settle everything that can be proven."""
        rules.subset(self.known)
        rules.mine_count(self.known)
        self._settle_proven()

    def components(self) -> list[tuple[Component, Packed]]:
        cap, ratio = self.cap, self._ratio()
        return [(c, c.counts(cap, ratio)) for c in self._partition.update(self.known)]

    def _ratio(self) -> float:
        """The odds of an average undecided cell."""
        left, unknown = self.known.mines_left, self.known.unknown
        if left is None:
            return self.density / (1 - self.density)
        return left / (unknown - left) if 0 < left < unknown else 1.0

    def _settle_proven(self) -> None:
        """Settle all that the components and the mine count prove. The rules have been run."""
        known = self.known
        components = self.components()
        settled: list[tuple[list[int], int]] = []
        for component, counts in components:
            if counts.sampled:
                continue
            for group, (fewest, most) in zip(component.groups, counts.forced, strict=True):
                if most == 0:
                    settled.append((group, SAFE))
                elif fewest == len(group):
                    settled.append((group, MINE))
        if known.mines_left is not None:
            rest = known.unknown - sum([counts.cells for _, counts in components])
            more, outside = total.verdicts(components, rest, known.mines_left)
            settled += more
            if outside is not None and rest:
                settled.append((self._outside(components), outside))
        for cells, verdict in settled:
            known.settle_all(cells, verdict)
        if settled:
            rules.subset(known)

    def _outside(self, components: list[tuple[Component, Packed]]) -> list[int]:
        inside = {cell for component, _ in components for g in component.groups for cell in g}
        return [
            cell
            for cell, state in enumerate(self.known.status)
            if state == UNKNOWN and cell not in inside
        ]

    def odds(self) -> Odds:
        """The probabilities. Everything that can be proven has been settled."""
        known = self.known
        components = self.components()
        rest = known.unknown - sum([counts.cells for _, counts in components])
        left = known.mines_left
        odds = self._ratio()
        spreads = [spread(counts, odds) for _, counts in components]
        size = sum([log(s.scale) for s in spreads])
        if left is None:
            given = [[1 / sum(s.ways)] * len(s.ways) for s in spreads]
            outside = self.density
            size += sum([log(sum(s.ways)) + s.first * log(odds) for s in spreads])
            size += len(known.mines) * log(odds)
        else:
            given, outside, more = join(spreads, rest, left, odds)
            size += more
        found = [
            (component, chances(component, counts, weights, odds))
            for (component, counts), weights in zip(components, given, strict=True)
        ]
        exact = not any(counts.sampled for _, counts in components)
        return Odds(known, found, outside, rest, exact, size)
