"""The solver of one board: facts in, proven cells and probabilities out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager

from .guess import Guess, choose
from .knowledge import MINE, SAFE, UNKNOWN, Contradiction
from .probabilities import Odds
from .proof import Conflict, Proof, conflict, explain
from .reasoning import Reasoning, Tier
from .topology import Topology

STATE_CAP = 200_000


class Solver:
    """The knowledge of one board, kept up to date move by move.

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
        self._reasoning = Reasoning(self.topology, mines, self.density, state_cap)

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
            try:
                self._reasoning.known.reveal(cell, number)
            except Contradiction:
                self._stale = True
                raise

    def reveal_all(self, numbers: Mapping[int, int]) -> None:
        """Many cells are open and show these numbers; quicker than one by one."""
        if self.numbers:
            for cell, number in numbers.items():
                self.reveal(cell, number)
        else:
            self.numbers.update(numbers)
            self._stale = True

    def mark_mine(self, cell: int) -> None:
        """The cell is known to be a mine, for example because it went off."""
        self.given_mines.add(cell)
        if not self._stale:
            with self._watched():
                self._give(cell, MINE)

    def mark_safe(self, cell: int) -> None:
        """The cell is known to be safe, but its number is not; it will not be listed in `safe`."""
        if cell not in self.numbers:
            self.given_safe.add(cell)
            if not self._stale:
                with self._watched():
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
        known = self._reasoning.known
        state = known.status[cell]
        if state == UNKNOWN:
            known.settle(cell, verdict)
        elif (state == MINE) != (verdict == MINE):
            raise Contradiction(f"cell {cell} can't be both safe and a mine")
        known.safe.discard(cell)

    @property
    def reasoning(self) -> Reasoning:
        """The facts with the consequences drawn so far."""
        if self._stale:
            self._reasoning = Reasoning(
                self.topology, self.mine_count, self.density, self.state_cap
            )
            for cell in self.given_mines:
                self._give(cell, MINE)
            for cell in self.given_safe:
                self._give(cell, SAFE)
            self._reasoning.known.load(self.numbers)
            self._stale = False
        return self._reasoning

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """After a contradiction everything is worked out anew, so that it is found again."""
        try:
            yield
        except Contradiction:
            self._stale = True
            raise

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
        other._reasoning = self.reasoning.copy()
        return other

    # Conclusions

    @property
    def safe(self) -> Set[int]:
        """Cells proven safe and not yet open, as far as was thought; complete after `analyse`."""
        return self.reasoning.known.safe

    @property
    def mines(self) -> Set[int]:
        """Cells proven to be mines, as far as was thought; complete after `analyse`."""
        return self.reasoning.known.mines

    def deduce(self, tier: Tier = Tier.FULL) -> Set[int]:
        """Think as hard as needed to have a safe cell, at most up to `tier`; returns `safe`."""
        with self._watched():
            return self.reasoning.deduce(tier)

    def analyse(self) -> None:
        """Find everything that can be proven."""
        with self._watched():
            self.reasoning.analyse()

    def probabilities(self) -> Odds:
        """The mine probability of every cell, after finding everything that can be proven."""
        with self._watched():
            self.reasoning.analyse()
            return self.reasoning.odds()

    def best_guess(self, allowed: Collection[int] | None = None) -> Guess | None:
        """The cell to open next: a proven one if there is, else the most promising guess.

        `allowed` limits the choice; None when there is nothing to choose from.
        """
        with self._watched():
            return choose(self.reasoning, allowed)

    def proof(self, cell: int) -> Proof | None:
        """The numbers that prove the cell safe or a mine; None if it can't be proven."""
        return explain(self, cell)

    def conflict(self) -> Conflict | None:
        """The numbers that can't all be true; None when there is no contradiction."""
        return conflict(self)
