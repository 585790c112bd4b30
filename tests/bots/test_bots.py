"""House bots: from a seat's view alone, and well enough."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from statistics import mean
from time import process_time
from typing import Any

import pytest

from games.bots.decision import bot_for
from games.bots.roster import ROSTER, Character, character_of, nearest
from games.bots.solver import Solver, Tier, rectangle
from games.bots.sweeping import Sweeper, by_eye
from games.engine.game import Input, Kind, Setup
from games.engine.registry import game, modes
from games.modes.battleship.bot import BattleshipBot, desire, random_fleet
from games.modes.battleship.fleets import FLEET, HIT, MISS, Sea, placements
from games.modes.battleship.last_ships import Search
from games.modes.battleship.rules.fleet import Ship, check_fleet
from games.modes.minewars.bot import Board

GAMES = int(os.environ.get("BATTLESHIP_GAMES", "200"))


def play_out(mode: str, options: dict[str, Any], strengths: list[int], seed: int) -> Any:
    """A match between bots on the engine alone; their pauses become match time."""
    rules = game(mode)
    setup = Setup(mode, rules.spec.version, bytes([seed]) * 32, len(strengths),
                  rules.parse_options(options), 0)  # fmt: skip
    state = rules.start(setup)
    bots = [bot_for(mode, ROSTER[s], Random(seed + i)) for i, s in enumerate(strengths)]
    at = 0
    for _ in range(20_000):
        if rules.outcome(state) is not None:
            return rules.outcome(state)
        plans = []
        for seat, bot in enumerate(bots):
            decision = bot.decide(rules.view(state, seat), at)
            if decision is not None:
                plans.append((decision.after, seat, decision.action))
        due = rules.due(state)
        if plans and (due is None or at + min(plans)[0] * 1000 < due):
            after, seat, action = min(plans, key=lambda plan: plan[:2])
            at += int(after * 1000)
            given = Input(at, Kind.ACTION, seat, rules.parse_action(action))
        else:
            assert due is not None
            at = max(at, due)
            given = Input(at, Kind.TICK)
        for told in rules.apply(state, given):
            assert told.event["type"] != "refused", (mode, told.event, given.action)
    raise AssertionError("the match did not end")


RACE = {"width": 9, "height": 9, "mines": 10, "no_guess": False, "limit_seconds": 300}
WARS = {"radius": 9, "cities": 3, "limit_seconds": 120, "price_percent": 20}
AREA = {"size": 16, "attack_at_seconds": 20, "lock_at_seconds": 50, "lock_seconds": 20}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("mode", "options", "seats"),
    [
        ("race", RACE, [0, 3, 5]),
        ("area-attack", AREA, [1, 4, 5]),
        ("battleship", {}, [2, 5]),
        ("minewars", WARS, [2, 5]),
    ],
)
def test_bots_play_every_match_to_its_end_without_a_refused_move(mode, options, seats, seed):
    outcome = play_out(mode, options, seats, seed)
    assert not outcome.aborted


def test_the_strong_beat_the_weak():
    races = [play_out("race", RACE, [0, 5], seed) for seed in range(6)]
    assert sum(outcome.ranks[1] == 1 for outcome in races) >= 5


def minewars_views(seed: int, moves: int) -> Iterator[tuple[dict[str, Any], bytearray]]:
    """What a bot in MineWars sees before each of its moves, and where the items truly are."""
    rules = game("minewars")
    options = rules.parse_options({"radius": 9, "cities": 3, "ban_seconds": 0})
    state = rules.start(Setup("minewars", rules.spec.version, bytes([seed]) * 32, 2, options, 0))
    bot = bot_for("minewars", ROSTER[-1], Random(seed))
    at = 0
    for _ in range(moves):
        view = rules.view(state, 0)
        if view["phase"] == "over":
            return
        if view["phase"] == "live":
            yield view, state.game.item
        decision = bot.decide(view, at)
        at = rules.due(state) if decision is None else at + int(decision.after * 1000)
        action = decision and rules.parse_action(decision.action)
        kind = Kind.ACTION if action else Kind.TICK
        rules.apply(state, Input(at, kind, 0 if action else None, action))


def test_in_minewars_who_thinks_harder_knows_more_and_nothing_wrong():
    found = dict.fromkeys(Tier, 0)
    for seed in range(2):
        for view, item in minewars_views(seed, 80):
            for tier in Tier:
                board = Board(view, tier, 10**9)
                assert not any(item[cell] for cell in board.safe)
                assert all(item[cell] for cell in board.items)
                found[tier] += len(board.safe) + len(board.items)
    assert found[Tier.SINGLE] < found[Tier.FULL]


def test_a_bot_that_looks_at_pairs_is_not_told_what_only_everything_proves():
    """The mine count proves the far cells safe; by eye they look worse than the corner."""
    solver = Solver(rectangle(8, 1), mines=1)
    solver.reveal(1, 1)
    assert by_eye(solver, 0) == by_eye(solver, 2) == pytest.approx(1 / 2)
    assert by_eye(solver, 7) == pytest.approx(1 / 7)
    pairs = replace(character_of("Ember-bot"), errors=0.0)
    cell, _ = Sweeper(solver, pairs, Random(1)).choose([0, 2], None, 8)
    assert cell == 0
    assert not solver.safe  # it has not thought any harder than it can


def test_there_is_a_bot_for_every_mode_with_a_queue():
    from games.engine.registry import MODES

    queued = {name for name, mode in MODES.items() if mode.spec.max_seats > 1}
    assert queued <= {mode.name for mode in modes() if mode.bot}


def test_random_fleets_are_legal():
    random = Random(3)
    for _ in range(200):
        check_fleet([Ship(**ship) for ship in random_fleet(random)])


def shots_of(bot: BattleshipBot, random: Random) -> int:
    """How many bombs it takes to sink a random fleet, told what a player is told."""
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
    before = process_time()
    weights = sea.weights()
    assert process_time() - before < 2  # some hundredths of a second on a quiet machine
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


def test_the_roster_covers_the_scale():
    assert character_of("Fuse-bot").strength == 1500
    assert [bot.name for bot in nearest(720, 2)] == ["Pebble-bot", "Marble-bot"]
    assert len({bot.name for bot in ROSTER}) == len(ROSTER)
