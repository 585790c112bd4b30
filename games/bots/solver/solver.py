"""The solver of one board: facts in, proven cells and probabilities out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from enum import IntEnum

from . import rules, total
from .components import Component, Partition
from .counting import Counts
from .guess import Guess, choose
from .knowledge import MINE, SAFE, UNKNOWN, Contradiction, Knowledge
from .probabilities import Odds, chances, join, spread
from .proof import Proof, explain
from .topology import Topology

STATE_CAP = 200_000


class Tier(IntEnum):
    """How hard to think; each tier includes the ones before it."""

    SINGLE = 1  # one number at a time
    SUBSET = 2  # two overlapping numbers, and the bare mine count
    FULL = 3  # everything that can be proven


class Solver:
    """What is known about one board, kept up to date move by move.

    `mines` is the board's number of mines. Without it every cell is a mine with probability
    `density`, independently (one half if that is not given either).
    """

    def __init__(
        self,
        neighbours: Topology | Sequence[Sequence[int]],
        mines: int | None = None,
        density: float | None = None,
        *,
        state_cap: int = STATE_CAP,
    ) -> None:
        if mines is not None and density is not None:
            raise ValueError("give the number of mines or their density, not both")
        if density is not None and not 0.0 < density < 1.0:
            raise ValueError("density must be between 0 and 1")
        self.topology = neighbours if isinstance(neighbours, Topology) else Topology(neighbours)
        if mines is not None and not 0 <= mines <= self.topology.size:
            raise ValueError("the board has no room for that many mines")
        self.mine_count = mines
        self.density = 0.5 if density is None else density
        self.state_cap = state_cap
        self.numbers: dict[int, int] = {}
        self.given_mines: set[int] = set()
        self.given_safe: set[int] = set()
        self._stale = False
        self._known = Knowledge(self.topology, mines)
        self._partition = Partition()

    # Facts

    def reveal(self, cell: int, number: int) -> None:
        """The cell is open and shows a number; telling a changed number again is fine."""
        before = self.numbers.get(cell)
        if before == number:
            return
        self.numbers[cell] = number
        if before is not None or cell in self.given_safe:
            self._stale = True
        elif not self._stale:
            self._known.reveal(cell, number)

    def mark_mine(self, cell: int) -> None:
        """The cell is known to be a mine, for example because it went off."""
        self.given_mines.add(cell)
        if not self._stale:
            self._give(cell, MINE)

    def mark_safe(self, cell: int) -> None:
        """The cell is known to be safe, but its number is not; it will not be listed in `safe`."""
        if cell not in self.numbers:
            self.given_safe.add(cell)
            if not self._stale:
                self._give(cell, SAFE)

    def reset(self, cells: Iterable[int]) -> None:
        """Forget these cells: they are hidden again and may have other mines than before.

        Numbers next to them are still believed; give the changed ones with `reveal` before asking.
        """
        for cell in cells:
            self.numbers.pop(cell, None)
            self.given_mines.discard(cell)
            self.given_safe.discard(cell)
        self._stale = True

    def _give(self, cell: int, verdict: int) -> None:
        state = self._known.status[cell]
        if state == UNKNOWN:
            self._known.settle(cell, verdict)
        elif (state == MINE) != (verdict == MINE):
            raise Contradiction(f"cell {cell} can't be both safe and a mine")
        self._known.safe.discard(cell)

    @property
    def known(self) -> Knowledge:
        """The facts with the consequences drawn so far."""
        if self._stale:
            self._stale = False
            self._known = Knowledge(self.topology, self.mine_count)
            self._partition = Partition()
            for cell in self.given_mines:
                self._give(cell, MINE)
            for cell in self.given_safe:
                self._give(cell, SAFE)
            for cell, number in self.numbers.items():
                self._known.reveal(cell, number)
        return self._known

    def fork(self) -> Solver:
        """An independent copy that shares the work done so far."""
        other = Solver.__new__(Solver)
        other.topology = self.topology
        other.mine_count = self.mine_count
        other.density = self.density
        other.state_cap = self.state_cap
        other.numbers = self.numbers.copy()
        other.given_mines = self.given_mines.copy()
        other.given_safe = self.given_safe.copy()
        other._stale = False
        other._known = self.known.copy()
        other._partition = self._partition.copy()
        return other

    # Conclusions

    @property
    def safe(self) -> Set[int]:
        """Cells proven safe and not yet open, as far as was thought; complete after `analyse`."""
        return self.known.safe

    @property
    def mines(self) -> Set[int]:
        """Cells proven to be mines, as far as was thought; complete after `analyse`."""
        return self.known.mines

    def deduce(self, tier: Tier = Tier.FULL) -> Set[int]:
        """Think as hard as needed to have a safe cell, at most up to `tier`; returns `safe`."""
        known = self.known
        rules.single_point(known)
        if known.safe or tier < Tier.SUBSET:
            return known.safe
        rules.subset(known)
        if not known.safe:
            rules.mine_count(known)
        if known.safe or tier < Tier.FULL:
            return known.safe
        self._settle_proven()
        return known.safe

    def analyse(self) -> None:
        """Find everything that can be proven."""
        known = self.known
        rules.subset(known)
        rules.mine_count(known)
        self._settle_proven()

    def probabilities(self) -> Odds:
        """The mine probability of every cell, after finding everything that can be proven."""
        self.analyse()
        return self._odds()

    def best_guess(self, allowed: Collection[int] | None = None) -> Guess | None:
        """The cell to open next: a proven one if there is, else the most promising guess.

        `allowed` limits the choice; None when there is nothing to choose from.
        """
        return choose(self, allowed)

    def proof(self, cell: int) -> Proof | None:
        """The numbers that prove the cell safe or a mine; None if it can't be proven."""
        return explain(self, cell)

    # How

    def _components(self) -> list[tuple[Component, Counts]]:
        cap = self.state_cap
        return [(c, c.counts(cap)) for c in self._partition.update(self.known)]

    def _settle_proven(self) -> None:
        """Settle all that the components and the mine count prove. The rules have been run."""
        known = self.known
        components = self._components()
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

    def _outside(self, components: list[tuple[Component, Counts]]) -> list[int]:
        inside = {
            cell for component, _ in components for group in component.groups for cell in group
        }
        return [
            cell
            for cell, state in enumerate(self.known.status)
            if state == UNKNOWN and cell not in inside
        ]

    def _odds(self) -> Odds:
        known = self.known
        components = self._components()
        rest = known.unknown - sum([counts.cells for _, counts in components])
        left = known.mines_left
        if left is None:
            odds = self.density / (1 - self.density)
        elif 0 < left < known.unknown:
            odds = left / (known.unknown - left)
        else:
            odds = 1.0
        spreads = [spread(counts, odds) for _, counts in components]
        if left is None:
            given = [[1 / sum(s.ways)] * len(s.ways) for s in spreads]
            outside = self.density
        else:
            given, outside = join(spreads, rest, left, odds)
        found = [
            (component, chances(component, counts, s, weights, odds))
            for (component, counts), s, weights in zip(components, spreads, given, strict=True)
        ]
        exact = not any(counts.sampled for _, counts in components)
        return Odds(known, found, outside, rest, exact)
