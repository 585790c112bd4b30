"""Boards that can be solved from their start without a single guess.

A random board is solved as far as proofs go. Where they end, a number at the frontier is repaired:
its mines move elsewhere (or mines from elsewhere move to it), so that it can be read. Changed
numbers may have been used before, so a board counts only after it was solved from the start to the
end with nothing changed on the way. Proofs are complete and know the number of mines: a board is
free of guesses exactly if the solver needs none.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from games.bots.solver.knowledge import UNKNOWN, Knowledge
from games.bots.solver.reasoning import Reasoning, Tier
from games.bots.solver.topology import Topology, rectangle

STATE_CAP = 20_000
PASSES = 60  # solving from the start, on one random board
BOARDS = 12  # random boards to begin with


class Rng(Protocol):
    """The part of `games.engine.rng.Rng` that is needed here."""

    def below(self, n: int, /) -> int: ...


class NoGuessError(Exception):
    """There is no board to hand out; `code` is stable."""

    code = "no_guess"


class ImpossibleBoard(NoGuessError):
    """No board has this many mines and a safe start."""

    code = "no_guess_impossible"


class OutOfBudget(NoGuessError):
    """No board was found within the budget: too dense, most likely."""

    code = "no_guess_budget"


@dataclass(frozen=True, slots=True)
class Board:
    """A board that needs no guess when `start` is opened first."""

    size: int
    mines: frozenset[int]
    start: int

    def deal(self) -> bytes:
        """The form in which a match takes a board made elsewhere."""
        return json.dumps({"mines": sorted(self.mines), "start": self.start}).encode()


def generate(width: int, height: int, mines: int, start: int, rng: Rng) -> Board:
    """A board of the usual kind; raises NoGuessError rather than return one with guesses."""
    return generate_on(rectangle(width, height), mines, start, rng)


def generate_on(
    topology: Topology, mines: int, start: int, rng: Rng, *, boards: int = BOARDS
) -> Board:
    """A board on any grid. The start shows 0 if there is room for that, else it is just safe."""
    size = topology.size
    if not 0 <= start < size:
        raise ImpossibleBoard("the start is not on the board")
    if not 0 <= mines < size:
        raise ImpossibleBoard(f"{mines} mines don't fit on {size} cells with a safe start")
    keep_clear = {start, *topology.neighbours[start]}
    if mines > size - len(keep_clear):
        keep_clear = {start}
    for _ in range(boards):
        layout = _Layout(topology, mines, keep_clear, rng)
        if _repair_until_solved(layout, mines, start, rng):
            return Board(size, frozenset(layout.mines()), start)
    raise OutOfBudget(f"no board without guessing found for {mines} mines on {size} cells")


class _Layout:
    """The mines of a board, and the numbers that follow from them."""

    __slots__ = ("fixed", "mine", "neighbours", "numbers", "topology")

    def __init__(self, topology: Topology, mines: int, keep_clear: set[int], rng: Rng) -> None:
        self.topology = topology
        self.neighbours = topology.neighbours
        self.fixed = keep_clear
        self.mine = bytearray(topology.size)
        self.numbers = [0] * topology.size
        cells = [cell for cell in range(topology.size) if cell not in keep_clear]
        for i in range(mines):
            j = i + rng.below(len(cells) - i)
            cells[i], cells[j] = cells[j], cells[i]
            self.put(cells[i])

    def put(self, cell: int) -> None:
        self.mine[cell] = 1
        for other in self.neighbours[cell]:
            self.numbers[other] += 1

    def take(self, cell: int) -> None:
        self.mine[cell] = 0
        for other in self.neighbours[cell]:
            self.numbers[other] -= 1

    def mines(self) -> list[int]:
        return [cell for cell, mine in enumerate(self.mine) if mine]


def _repair_until_solved(layout: _Layout, mines: int, start: int, rng: Rng) -> bool:
    for _ in range(PASSES):
        reasoning = Reasoning(layout.topology, mines, 0.5, STATE_CAP)
        known = reasoning.known
        known.reveal(start, layout.numbers[start])
        closed = layout.topology.size - mines - 1
        repaired = False
        while closed:
            safe = reasoning.deduce(Tier.FULL)
            if safe:
                closed -= len(safe)
                for cell in list(safe):
                    known.reveal(cell, layout.numbers[cell])
            else:
                repaired = True
                if not _repair(layout, known, rng):
                    break
        if not repaired:
            return True
    return False


def _repair(layout: _Layout, known: Knowledge, rng: Rng) -> bool:
    """Move mines so that a number at the frontier can be read.

    Only undecided cells change, and the numbers that are open follow, so solving can go on. When
    nothing can be done that way a mine moves anywhere, and the result is False: the
    board has to be solved from its start again.
    """
    hidden, need, status = known.hidden, known.need, known.status
    mine = layout.mine
    number = -1
    active = [n for n, mask in enumerate(hidden) if mask]
    if active:
        # of a few numbers the one with the fewest mines to move
        tries = [active[rng.below(len(active))] for _ in range(3)]
        number = min(tries, key=lambda n: need[n])
    around = known.topology.expand(number, hidden[number]) if active else ()
    elsewhere = [c for c, state in enumerate(status) if state == UNKNOWN and c not in around]
    with_mine = [c for c in around if mine[c]]
    clear = [c for c in elsewhere if not mine[c]]
    far = [c for c in clear if not any(hidden[n] for n in layout.neighbours[c])]
    if active and len(clear) >= len(with_mine):
        moves = _pairs(with_mine, far if len(far) >= len(with_mine) else clear, rng)
    else:
        without = [c for c in around if not mine[c]]
        mines = [c for c in elsewhere if mine[c]]
        if not active or len(mines) < len(without):
            sources = [c for c, state in enumerate(status) if state == UNKNOWN and mine[c]]
            goals = [c for c in range(len(mine)) if not mine[c] and c not in layout.fixed]
            if goals:
                layout.take(sources[rng.below(len(sources))])
                layout.put(goals[rng.below(len(goals))])
            return False
        moves = [(source, goal) for goal, source in _pairs(without, mines, rng)]
    for source, goal in moves:
        layout.take(source)
        layout.put(goal)
        for cells, change in ((source, -1), (goal, 1)):
            for n in layout.neighbours[cells]:
                if hidden[n]:
                    need[n] += change
                    known.queue.add(n)
    return True


def _pairs(first: Sequence[int], pool: list[int], rng: Rng) -> list[tuple[int, int]]:
    """Each of the first with a different one of the pool, at random."""
    for i in range(len(first)):
        j = i + rng.below(len(pool) - i)
        pool[i], pool[j] = pool[j], pool[i]
    return list(zip(first, pool, strict=False))
