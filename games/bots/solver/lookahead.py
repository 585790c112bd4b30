"""Looks ahead at opening a cell: each number it may show, how likely, and what comes then.

This looks only at the components that the cell touches, and takes the mines there as independent of
the rest of the board, with the odds that the exact solution shows. That is close to the truth and
an order of magnitude quicker than solving each case exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

from .agenda import Agenda, TooManyStates
from .components import Component
from .knowledge import MINE, UNKNOWN
from .probabilities import Odds
from .reasoning import Reasoning
from .weighing import Sweep

STATES = 20_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """The cell shows a number with this probability (given that it is safe).

    `safe_cells` of the cells looked at are safe then; `risk` is the smallest mine probability
    among all other cells of the board.
    """

    number: int
    probability: float
    safe_cells: int
    risk: float


class Lookahead:
    """Trying out cells of one position."""

    def __init__(self, reasoning: Reasoning, odds: Odds) -> None:
        self._known = reasoning.known
        self._odds = odds
        self._component_of: dict[int, Component] = {}
        # the least risk in each component, the safest first
        self._least = sorted([(min(chances), id(c)) for c, chances in odds.components])
        for component, _ in odds.components:
            for group in component.groups:
                for cell in group:
                    self._component_of[cell] = component
        inside = min(max(odds.outside, 1e-6), 1 - 1e-6)
        left = self._known.mines_left
        if not odds.rest and left is not None and 0 < left < self._known.unknown:
            inside = left / self._known.unknown
        self._ratio = inside / (1 - inside)

    def outcomes(self, cell: int) -> list[Outcome] | None:
        """The numbers that the cell may show, if safe; None when that is too much to look
        through."""
        status = self._known.status
        of = self._component_of
        near = [c for c in self._known.topology.neighbours[cell] if status[c] == UNKNOWN]
        mines = sum([status[c] == MINE for c in self._known.topology.neighbours[cell]])
        touched = {id(of[c]): of[c] for c in (cell, *near) if c in of}
        beside = set(near)
        sizes: list[int] = []
        signatures: list[tuple[int, ...]] = []
        needs: dict[int, int] = {}
        counted: list[int] = []
        for component in touched.values():
            needs.update(component.needs)
            for signature, group in zip(component.signatures, component.groups, strict=True):
                close = 0
                size = len(group)
                for c in group:
                    if c in beside:
                        close += 1
                    elif c == cell:
                        size -= 1
                if close:
                    counted.append(len(sizes))
                    sizes.append(close)
                    signatures.append(signature)
                if size > close:
                    sizes.append(size - close)
                    signatures.append(signature)
        free = sum([c not in of for c in near])
        if free:
            counted.append(len(sizes))
            sizes.append(free)
            signatures.append(())
        elsewhere = next((risk for risk, c in self._least if c not in touched), 1.0)
        if self._odds.rest > free + (cell not in of):
            elsewhere = min(elsewhere, self._odds.outside)
        if not sizes:
            return [Outcome(mines, 1.0, 0, elsewhere)]
        agenda = Agenda(sizes, signatures, needs, counted)
        try:
            sweep = Sweep(agenda, self._ratio, STATES)
        except TooManyStates:
            return None
        whole = sum(sweep.last.values())
        found = []
        for last, weight in sweep.last.items():
            safe_cells, risk = 0, elsewhere
            for size, expected in zip(agenda.sizes, sweep.back_from(last), strict=True):
                if expected == 0.0:
                    safe_cells += size
                else:
                    risk = min(risk, expected / (weight * size))
            shown = mines + (last >> agenda.top)
            found.append(Outcome(shown, weight / whole, safe_cells, risk))
        return found
