"""Chooses the hidden cell to open, for every mode with numbers."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Any

from games.bots.decision import Decision, human_pause
from games.bots.reading import BoardReader
from games.bots.roster import Character
from games.bots.solver import Solver, Tier
from games.engine.board import HIDDEN

EFFORT_OF_A_GUESS = 2.5


class Sweeper:
    """A solver with a character: thinks only so hard, and is careless now and then."""

    def __init__(self, solver: Solver, character: Character, random: Random) -> None:
        self.solver = solver
        self._character = character
        self._random = random

    def choose(self, hidden: Collection[int], near: int | None, width: int) -> tuple[int, float]:
        """A cell of `hidden` (not empty) and the effort it took. `near` is where the last move
        was: people work on where they look."""
        if self._random.random() < self._character.errors:
            return self._careless(hidden), 0.6
        safe = self.solver.deduce(self._character.tier) & set(hidden)
        if safe:
            return self._closest(safe, near, width), 1.0
        return self._guess(hidden), EFFORT_OF_A_GUESS

    def _guess(self, hidden: Collection[int]) -> int:
        if self._character.tier is Tier.FULL:
            guess = self.solver.best_guess(hidden)
            if guess is not None:
                return guess.cell
        doubtful = sorted(set(hidden) - self.solver.mines) or sorted(hidden)
        if self._character.tier is Tier.SUBSET:
            return min(doubtful, key=lambda cell: by_eye(self.solver, cell))
        return self._random.choice(doubtful)

    def _careless(self, hidden: Collection[int]) -> int:
        """A cell beside an open number, without looking long."""
        neighbours = self.solver.topology.neighbours
        edge = [c for c in hidden if any(n in self.solver.numbers for n in neighbours[c])]
        return self._random.choice(edge or sorted(hidden))

    @staticmethod
    def _closest(cells: Collection[int], near: int | None, width: int) -> int:
        if near is None:
            return min(cells)
        x, y = near % width, near // width
        return min(cells, key=lambda c: (max(abs(c % width - x), abs(c // width - y)), c))


class BoardBot:
    """A bot on a minefield of its own (games/engine/board.py), with a solver that follows the
    view."""

    def __init__(self, character: Character, random: Random) -> None:
        self.character = character
        self.random = random
        self._reader: BoardReader | None = None
        self._last: int | None = None

    def open(self, cell: int, effort: float, wait: float = 0.0) -> Decision:
        """Reveal this cell, after a pause for so much effort and for whatever must end first."""
        self._last = cell
        pause = human_pause(self.character, self.random, effort)
        return Decision({"type": "reveal", "cell": cell}, pause + wait)

    def sweep(self, game: dict[str, Any], wait: float = 0.0) -> Decision | None:
        """The next reveal; None when nothing is left to open."""
        hidden = [cell for cell, shown in enumerate(game["cells"]) if shown == HIDDEN]
        if not hidden:
            return None
        if self._reader is None:
            self._reader = BoardReader(game)
        self._reader.look(game)
        sweeper = Sweeper(self._reader.solver, self.character, self.random)
        return self.open(*sweeper.choose(hidden, self._last, game["width"]), wait)


def by_eye(solver: Solver, cell: int) -> float:
    """The risk of an undecided cell as people see it: the worst that a number beside it says alone.

    Bots that think no harder guess by this: the true probabilities would tell them more than their
    tier can prove.
    """
    known = solver.reasoning.known
    shares = [
        known.need[number] / known.hidden[number].bit_count()
        for number in known.topology.neighbours[cell]
        if known.hidden[number]
    ]
    if shares:
        return max(shares)
    if known.mines_left is None:
        return solver.density
    return known.mines_left / known.unknown if known.unknown else 0.0
