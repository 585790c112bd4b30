"""The solver playing whole games against boards it can't see: for measuring its strength."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .guess import choose
from .reasoning import Reasoning, Tier
from .solver import STATE_CAP
from .topology import Topology

MINE_HERE = -1


@dataclass(frozen=True, slots=True)
class Game:
    """The result of a game: `opened` counts the safe cells opened."""

    won: bool
    guesses: int
    opened: int


def deal(topology: Topology, mines: int, start: int, opening: bool, rng: Random) -> list[int]:
    """The numbers of a random board, MINE_HERE for mines. The start is safe, or shows 0."""
    clear = {start, *topology.neighbours[start]} if opening else {start}
    numbers = [0] * topology.size
    chosen = rng.sample([cell for cell in range(topology.size) if cell not in clear], mines)
    for cell in chosen:
        for other in topology.neighbours[cell]:
            numbers[other] += 1
    for cell in chosen:
        numbers[cell] = MINE_HERE
    return numbers


def play(topology: Topology, mines: int, start: int, numbers: list[int]) -> Game:
    """Open the start, then what is proven, then the best guess, until the game is over."""
    reasoning = Reasoning(topology, mines, 0.5, STATE_CAP)
    known = reasoning.known
    known.reveal(start, numbers[start])
    closed = topology.size - mines - 1
    guesses = 0
    while closed:
        safe = reasoning.deduce(Tier.FULL)
        if safe:
            closed -= len(safe)
            while safe:
                cell = safe.pop()
                known.reveal(cell, numbers[cell])
            continue
        guess = choose(reasoning)
        assert guess is not None  # there are closed cells
        guesses += 1
        if numbers[guess.cell] == MINE_HERE:
            return Game(False, guesses, topology.size - mines - closed)
        known.reveal(guess.cell, numbers[guess.cell])
        closed -= 1
    return Game(True, guesses, topology.size - mines)
