"""Battleship: place at random, then bomb where most of the ships that are left could lie."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any, Final

from games.bots.roster import Character
from games.bots.solver import Tier

from .decision import Decision, human_pause

SIDE: Final = 10
CELLS: Final = SIDE * SIDE
FLEET: Final = (5, 4, 3, 3, 2)
UNTRIED, MISS, HIT = 0, 1, 2
HIT_WEIGHT: Final = 100.0
"""A placement through hits counts by so much, and the cube of their number, above one through
untried water: hits in a row are mostly one ship."""
OFF_PATTERN_HUNTING, OFF_PATTERN_FOLLOWING = 0.8, 0.9
"""No ship fits between the diagonals of a pattern: other cells count for less. (All figures were
tuned on a thousand games.)"""


@cache
def placements(length: int) -> tuple[tuple[int, ...], ...]:
    """Every way a ship of this length can lie on the board."""
    across = [
        tuple(range(y * SIDE + x, y * SIDE + x + length))
        for y in range(SIDE)
        for x in range(SIDE - length + 1)
    ]
    return (*across, *(tuple(c % SIDE * SIDE + c // SIDE for c in ship) for ship in across))


@cache
def _masks(length: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple((_mask(cells), cells) for cells in placements(length))


def _mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def density(tried: list[int], sunk: Iterable[dict[str, Any]]) -> list[float]:
    """How much speaks for a ship at each untried cell."""
    left, gone = list(FLEET), 0
    for ship in sunk:
        left.remove(ship["length"])
        step = SIDE if ship["vertical"] else 1
        gone |= _mask(range(ship["cell"], ship["cell"] + ship["length"] * step, step))
    blocked = gone | _mask(cell for cell in range(CELLS) if tried[cell] == MISS)
    hits = _mask(cell for cell in range(CELLS) if tried[cell] == HIT) & ~gone
    weights = [0.0] * CELLS
    for length in left:
        for mask, cells in _masks(length):
            if mask & blocked:
                continue
            weight = 1.0 + HIT_WEIGHT * (mask & hits).bit_count() ** 3
            for cell in cells:
                weights[cell] += weight
    for cell in range(CELLS):
        if tried[cell] != UNTRIED:
            weights[cell] = 0.0
    return _patterned(weights, min(left), OFF_PATTERN_FOLLOWING if hits else OFF_PATTERN_HUNTING)


def _patterned(weights: list[float], shortest: int, off: float) -> list[float]:
    """Prefer every n-th diagonal, n the length of the shortest ship, on the sparsest of them."""
    diagonals = [(cell % SIDE + cell // SIDE) % shortest for cell in range(CELLS)]
    counts = [0] * shortest
    for cell, weight in enumerate(weights):
        counts[diagonals[cell]] += weight > 0
    chosen = counts.index(min(counts))
    return [
        weight if diagonals[cell] == chosen else weight * off for cell, weight in enumerate(weights)
    ]


def random_fleet(random: Random) -> list[dict[str, Any]]:
    """Five ships that do not overlap."""
    while True:
        taken: set[int] = set()
        ships = []
        for length in FLEET:
            cells = random.choice(placements(length))
            taken.update(cells)
            vertical = cells[1] - cells[0] == SIDE
            ships.append({"cell": cells[0], "length": length, "vertical": vertical})
        if len(taken) == sum(FLEET):
            return ships


class BattleshipMind:
    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        seat, game = view["you"], view["game"]
        pause = human_pause(self._character, self._random, 1.5)
        if view["phase"] == "setup":
            if game["fleet"] is not None:
                return None
            return Decision({"type": "place", "ships": random_fleet(self._random)}, pause)
        if view["phase"] != "live" or game["turn"] != seat:
            return None
        sea = game["seas"][1 - seat]
        return Decision({"type": "bomb", "cell": self.aim(sea["tried"], sea["sunk"])}, pause)

    def aim(self, tried: list[int], sunk: list[dict[str, Any]]) -> int:
        """The cell to bomb, from what bombs have told so far."""
        untried = [cell for cell in range(CELLS) if tried[cell] == UNTRIED]
        weights = density(tried, sunk)
        if self._random.random() < 4 * self._character.errors:
            return self._random.choice(untried)
        if self._character.tier is Tier.SINGLE and not _wounded(tried, sunk):
            return self._random.choice(untried)  # hunts anywhere, but follows up a hit
        best = max(weights[cell] for cell in untried)
        return self._random.choice([cell for cell in untried if weights[cell] >= best * 0.999])


def _wounded(tried: list[int], sunk: list[dict[str, Any]]) -> bool:
    """Is there a hit on a ship that has not sunk?"""
    return tried.count(HIT) > sum(ship["length"] for ship in sunk)
