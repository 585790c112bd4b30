"""The bot: legal fleets, and as few bombs as possible."""

from __future__ import annotations

import os
import sys
from collections import Counter
from itertools import product
from random import Random
from statistics import mean
from typing import Any

import pytest

from games.bots.roster import ROSTER, Character
from games.modes.battleship.bot import BattleshipBot, desire, random_fleet
from games.modes.battleship.fleets import FLEET, HIT, MISS, Sea, placements
from games.modes.battleship.last_ships import Search
from games.modes.battleship.rules.fleet import Ship, check_fleet

GAMES = int(os.environ.get("BATTLESHIP_GAMES", "200"))


def test_random_fleets_are_legal():
    random = Random(3)
    for _ in range(200):
        check_fleet([Ship(**ship) for ship in random_fleet(random)])


def shots_of(bot: BattleshipBot, random: Random) -> int:
    """The number of bombs that sink a random fleet, for a bot that knows what a player knows."""
    ships = [Ship(**ship) for ship in random_fleet(random)]
    tried: list[int] = [0] * 100
    sunk: list[dict[str, Any]] = []
    shots = 0
    while len(sunk) < len(ships):
        cell = bot.aim(tried, sunk)
        assert tried[cell] == 0
        shots += 1
        struck = [ship for ship in ships if cell in ship.cells]
        tried[cell] = HIT if struck else MISS
        if struck and all(tried[c] == HIT for c in struck[0].cells):
            sunk.append(struck[0].as_json())
    return shots


def test_the_best_bot_needs_few_shots_and_the_weakest_many():
    """The bar is a mean of 44. A game's shots have a standard deviation of 8.2, so the mean of some
    games is up to two standard errors off by chance alone: half a shot in 1,000 games."""

    def shots(bot: Character, games: int) -> float:
        # Every bot meets the same fleets, whatever it draws for itself.
        bots = [BattleshipBot(bot, Random(f"bot {game}")) for game in range(games)]
        return mean(shots_of(bot, Random(game)) for game, bot in enumerate(bots))

    best = shots(ROSTER[-1], GAMES)
    assert best <= 44 + 2 * 8.2 / GAMES**0.5
    assert shots(ROSTER[0], 40) > best + 5


def weights_by_hand(left: list[int], misses: set[int], hits: set[int]) -> list[float]:
    """The chance of a ship at each cell, from every fleet that fits."""
    found, fleets = [0] * 100, 0
    for ships in product(*[placements(length) for length in left]):
        cells = [cell for ship in ships for cell in ship]
        taken = set(cells)
        if len(taken) < len(cells) or taken & misses or not hits <= taken:
            continue
        if any(hits.issuperset(ship) for ship in ships):
            continue  # it would have sunk
        fleets += 1
        for cell in taken:
            found[cell] += 1
    return [count / fleets for count in found]


def at_sea(left: list[int], misses: set[int], hits: set[int]) -> Sea:
    """A sea with these ships afloat; the others lie sunk below one another in the first rows."""
    gone = Counter(FLEET) - Counter(left)
    sunk = [{"cell": 10 * row, "length": length, "vertical": False}
            for row, length in enumerate(gone.elements())]  # fmt: skip
    tried = [MISS if c in misses else HIT if c in hits else 0 for c in range(100)]
    for ship in sunk:
        for cell in range(ship["cell"], ship["cell"] + ship["length"]):
            tried[cell] = HIT
    return Sea(tried, sunk)


@pytest.mark.parametrize(
    ("left", "misses", "hits", "within"),
    [
        ([3], {44, 56}, {55}, 1e-9),
        ([4], {44}, {55, 56}, 1e-9),
        ([3, 2], {44}, {55, 56}, 0.03),  # one ship is elsewhere, or both were hit
        ([4, 3], {44, 75}, {55, 85}, 1e-9),
        ([5, 2], {44, 75}, {54, 55, 65}, 0.02),
    ],
)
def test_the_ways_to_explain_the_hits_are_weighed(left, misses, hits, within):
    rows = len(FLEET) - len(left)  # of ships that have sunk
    blocked = misses | set(range(10 * rows))
    weights = at_sea(left, blocked, hits).weights()
    expected = weights_by_hand(left, blocked, hits)
    near = [c for c in range(100) if c not in hits and expected[c] > 0.2]
    assert near
    for cell in near:
        assert weights[cell] == pytest.approx(expected[cell], abs=within)


def test_many_ways_to_explain_the_hits_are_not_all_gone_through():
    """Five hits far from each other, no miss: millions of fleets."""
    sea = at_sea([5, 4, 3, 3, 2], set(), {11, 17, 44, 71, 77})
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        weights = sea.weights()
    finally:
        sys.setprofile(None)
    assert calls < 30_000
    assert max(range(100), key=weights.__getitem__) in (1, 10, 12, 21, 11)


def test_a_hit_draws_the_next_bomb_beside_it():
    tried = [0] * 100
    tried[55] = HIT
    weights = desire(tried, [])
    assert weights.index(max(weights)) in (45, 54, 56, 65)


def test_the_last_ship_is_searched_for_with_as_few_bombs_as_possible():
    """Seven cells in a row: a bomb on the middle one tells as much as one beside it, but leaves two
    ends that need a bomb each, while from the third cell on one more is enough."""
    row = range(90, 97)
    sea = at_sea([3], set(range(100)) - set(row) - set(range(40)), set())
    weights = [float(cell in row) for cell in range(100)]
    assert set(Search(sea.left, sea.free, 1.0).best(weights)) == {92, 94}
