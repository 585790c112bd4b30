"""Choosing which cell to open when nothing is proven safe."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .solver import Solver


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to open and its mine probability; `exact` is False when that was sampled."""

    cell: int
    chance: float
    exact: bool = True


def choose(solver: Solver, allowed: Collection[int] | None = None) -> Guess | None:
    """See `Solver.best_guess`."""
    safe = solver.deduce()
    if allowed is not None:
        if not solver.safe & set(allowed):
            solver.analyse()
        safe = solver.safe & set(allowed)
    if safe:
        return Guess(min(safe), 0.0)
    odds = solver.probabilities()
    cells = odds.undecided()
    if allowed is not None:
        wanted = set(allowed)
        cells = [cell for cell in cells if cell in wanted]
    if not cells:
        return None
    degree = [len(row) for row in solver.topology.neighbours]
    cell = min(cells, key=lambda c: (odds.cells[c], degree[c], c))
    return Guess(cell, odds.cells[cell], odds.exact)
