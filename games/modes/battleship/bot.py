"""Battleship: place at random, then bomb where the ships that are left most probably lie."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from games.bots.decision import Decision, human_pause
from games.bots.roster import Character
from games.bots.solver import Tier

from .fleets import CELLS, FLEET, HIT, SIDE, UNTRIED, Sea, placements
from .last_ships import Search

OFF_PATTERN_HUNTING, OFF_PATTERN_FOLLOWING = 0.8, 0.93
"""No ship fits between the diagonals of a pattern: other cells count for less."""
FEW_SHIPS = 2
"""So many ships afloat are searched for with a look at the whole search: with more of them the next
hit changes too much."""


def desire(tried: Sequence[int], sunk: list[dict[str, Any]]) -> list[float]:
    """The weight of each untried cell as the next bomb."""
    return _desire(tried, Sea(tried, sunk))


def _desire(tried: Sequence[int], sea: Sea) -> list[float]:
    weights = sea.weights()
    for cell in range(CELLS):
        if tried[cell] != UNTRIED:
            weights[cell] = 0.0
    off = OFF_PATTERN_FOLLOWING if sea.hits else OFF_PATTERN_HUNTING
    return _patterned(weights, min(sea.left), off)


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


class BattleshipBot:
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
        if self._random.random() < 4 * self._character.errors:
            return self._random.choice(untried)
        if self._character.tier is Tier.SINGLE and not _wounded(tried, sunk):
            return self._random.choice(untried)  # hunts anywhere, but follows up a hit
        sea = Sea(tried, sunk)
        weights = _desire(tried, sea)
        if self._character.tier is Tier.FULL and not sea.hits and sea.left.total() <= FEW_SHIPS:
            best_cells = Search(sea.left, sea.free, OFF_PATTERN_HUNTING).best(weights)
            return self._random.choice(best_cells)
        best = max(weights[cell] for cell in untried)
        return self._random.choice([cell for cell in untried if weights[cell] >= best * 0.999])


def _wounded(tried: list[int], sunk: list[dict[str, Any]]) -> bool:
    """Is there a hit on a ship that has not sunk?"""
    return tried.count(HIT) > sum(int(ship["length"]) for ship in sunk)
