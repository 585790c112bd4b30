"""Choosing which cell to open when nothing is proven safe.

With few arrangements left the rest of the game is searched to its end. Before that, candidates are
compared by the chance to survive this guess and the next one: opening a cell that is a little less
safe pays when its number is likely to make the following moves safe.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from .endgame import search_to_the_end
from .knowledge import UNKNOWN
from .lookahead import Lookahead
from .probabilities import Odds
from .reasoning import Reasoning, Tier

# how many candidates are looked at, and how many of them away from all numbers: those with the
# fewest neighbours, and those close to the frontier
CANDIDATES = 12
FEW_NEIGHBOURS = 5
NEAR_FRONTIER = 4
# from the results of self-play: what each further safe cell adds, and what being stuck costs while
# this part of the board is still undecided
CELL_GAIN = 0.03
MOST_CELLS = 7
EARLY = 0.9
STUCK_EARLY = 0.9
# taken for the safety of the next guess when the lookahead has too much to look through
USUAL_SAFETY = 0.8


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to open and its mine probability; `exact` is False when that was sampled."""

    cell: int
    chance: float
    exact: bool = True


def choose(reasoning: Reasoning, allowed: Collection[int] | None = None) -> Guess | None:
    """See `Solver.best_guess`."""
    safe = reasoning.deduce(Tier.FULL)
    if allowed is not None:
        allowed = set(allowed)
        if not safe & allowed:
            reasoning.analyse()
        safe = safe & allowed
    if safe:
        return Guess(min(safe), 0.0)
    odds = reasoning.odds()
    cell = None
    if allowed is None:
        cell = search_to_the_end(reasoning, odds)
    if cell is None:
        cell = most_promising(reasoning, odds, allowed)
    return None if cell is None else Guess(cell, odds[cell], odds.exact)


def candidates(
    reasoning: Reasoning, odds: Odds, allowed: Collection[int] | None
) -> list[tuple[float, int]]:
    """Cells worth a look with their mine probability, the safest first."""
    inside = [
        (chance, cell)
        for component, chances in odds.components
        for group, chance in zip(component.groups, chances, strict=True)
        for cell in group
    ]
    found = inside
    if odds.rest:
        status = reasoning.known.status
        neighbours = reasoning.known.topology.neighbours
        frontier = {cell for _, cell in inside}
        outside = [
            cell
            for cell in odds.undecided()
            if cell not in frontier and (allowed is None or cell in allowed)
        ]
        outside.sort(key=lambda c: sum([status[n] == UNKNOWN for n in neighbours[c]]))
        picked = outside[:FEW_NEIGHBOURS]
        near = [
            cell for cell in outside[FEW_NEIGHBOURS:] if not frontier.isdisjoint(neighbours[cell])
        ]
        picked += near[:NEAR_FRONTIER]
        found = inside + [(odds.outside, cell) for cell in picked]
    if allowed is not None:
        found = [(chance, cell) for chance, cell in found if cell in allowed]
    found.sort()
    return found


def most_promising(
    reasoning: Reasoning, odds: Odds, allowed: Collection[int] | None = None
) -> int | None:
    """The cell with the best chance to survive this guess and the next."""
    found = candidates(reasoning, odds, allowed)
    if not found:
        return None
    lookahead = Lookahead(reasoning, odds)
    early = reasoning.known.unknown > EARLY * reasoning.known.topology.size
    stuck = STUCK_EARLY if early else 1.0
    best, best_cell = -1.0, None
    for chance, cell in found[:CANDIDATES]:
        if (1.0 + CELL_GAIN * MOST_CELLS) * (1.0 - chance) <= best:
            break
        outcomes = lookahead.outcomes(cell)
        if outcomes is None:
            value = USUAL_SAFETY
        else:
            value = 0.0
            for outcome in outcomes:
                if outcome.safe_cells:
                    more = min(outcome.safe_cells - 1, MOST_CELLS)
                    value += outcome.probability * (1.0 + CELL_GAIN * more)
                else:
                    value += outcome.probability * stuck * (1.0 - outcome.risk)
        value *= 1.0 - chance
        if value > best + 1e-9:
            best, best_cell = value, cell
    return best_cell
