"""Proofs that a cell is safe or a mine, and conflicts between numbers: sets of numbers, none of
which can be left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .knowledge import SAFE, Contradiction

if TYPE_CHECKING:
    from .solver import Solver


@dataclass(frozen=True, slots=True)
class Proof:
    """`numbers` (opened cells) prove that `cell` is a mine or safe.

    `mine_count` tells that the number of mines of the board is needed, too.
    """

    cell: int
    mine: bool
    numbers: tuple[int, ...]
    mine_count: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """`numbers` (opened cells) can't all be true of one board; without any one of them the rest
    could be. `mine_count` tells that it takes the number of mines of the board, too."""

    numbers: tuple[int, ...]
    mine_count: bool


class _Parts:
    """Tries parts of what a solver knows: is this part still enough?"""

    def __init__(self, solver: Solver) -> None:
        self._numbers = solver.numbers
        self._bare: dict[bool, Solver] = {}
        self._solver = solver

    def _start(self, mine_count: bool) -> Solver:
        """A solver that knows which cells are open, but none of their numbers."""
        found = self._bare.get(mine_count)
        if found is None:
            of = self._solver
            density = None if mine_count else of.density
            found = type(of)(
                of.topology,
                of.mine_count if mine_count else None,
                density,
                state_cap=of.state_cap,
            )
            for cell in of.given_mines:
                found.mark_mine(cell)
            for cell in (*of.given_safe, *of.numbers):
                found.reasoning.known.settle_all((cell,), SAFE)
            found.reasoning.known.safe.clear()
            self._bare[mine_count] = found
        return found

    def told(self, numbers: list[int], mine_count: bool) -> Solver:
        """A solver that has thought about this part."""
        trial = self._start(mine_count).fork()
        for number in numbers:
            trial.reveal(number, self._numbers[number])
        trial.analyse()
        return trial

    def holds(self, numbers: list[int], mine_count: bool) -> bool:
        raise NotImplementedError

    def reduce(self, numbers: list[int], mine_count: bool) -> list[int]:
        """Leave out numbers, large blocks first, the later ones first, while the rest suffices."""
        block = len(numbers)
        while block >= 1:
            end = len(numbers)
            while end > 0:
                start = max(0, end - block)
                fewer = numbers[:start] + numbers[end:]
                if self.holds(fewer, mine_count):
                    numbers = fewer
                end = start
            block //= 2
        return numbers


class _Verdict(_Parts):
    """Does this part prove the verdict on the cell?"""

    def __init__(self, solver: Solver, cell: int, mine: bool) -> None:
        super().__init__(solver)
        self.cell = cell
        self.mine = mine

    def holds(self, numbers: list[int], mine_count: bool) -> bool:
        trial = self.told(numbers, mine_count)
        return self.cell in (trial.mines if self.mine else trial.safe)

    def shorter(self, numbers: list[int], beside: list[int]) -> list[int]:
        """One number or two that are enough, if there are; `beside` are those around the cell, and
        one of these always takes part. Otherwise the same numbers."""
        if len(numbers) > 1:
            for number in beside:
                if self.holds([number], False):
                    return [number]
        if len(numbers) > 2:
            near = self._solver.topology.near
            for number in beside:
                for other, *_ in near(number):
                    known = other in self._numbers and (other not in beside or other > number)
                    if known and self.holds([number, other], False):
                        return [number, other]
        return numbers


class _Clash(_Parts):
    """Does this part contradict itself?"""

    def holds(self, numbers: list[int], mine_count: bool) -> bool:
        try:
            self.told(numbers, mine_count).probabilities()
        except Contradiction:
            return True
        return False


def conflict(solver: Solver) -> Conflict | None:
    """See `Solver.conflict`."""
    clash = _Clash(solver)
    numbers = sorted(solver.numbers)
    for mine_count in (False, True) if solver.mine_count is not None else (False,):
        if clash.holds(numbers, mine_count):
            return Conflict(tuple(clash.reduce(numbers, mine_count)), mine_count)
    return None


def explain(solver: Solver, cell: int) -> Proof | None:
    """See `Solver.proof`."""
    solver.analyse()
    if cell in solver.numbers or cell in solver.given_mines or cell in solver.given_safe:
        return None
    mine = cell in solver.mines
    if not mine and cell not in solver.safe:
        return None
    case = _Verdict(solver, cell, mine)
    neighbours = solver.topology.neighbours
    closed = set(solver.given_mines) | set(solver.given_safe) | set(solver.numbers)
    # the numbers in rings around the cell, each reached through hidden cells from the one before
    found: list[int] = []
    seen: set[int] = set()
    ring = {cell}
    while ring:
        around = {n for c in ring for n in neighbours[c] if n in solver.numbers and n not in seen}
        seen |= around
        found += sorted(around)
        if around and case.holds(found, False):
            beside = [n for n in found if n in neighbours[cell]]
            enough = case.shorter(case.reduce(found, False), beside)
            return Proof(cell, mine, tuple(sorted(enough)), False)
        ring = {c for n in around for c in neighbours[n] if c not in closed}
    found += sorted(
        n for n in solver.numbers if n not in seen and any(c not in closed for c in neighbours[n])
    )
    return Proof(cell, mine, tuple(sorted(case.reduce(found, True))), True)
