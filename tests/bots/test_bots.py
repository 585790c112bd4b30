"""House bots: from a seat's view alone, and well enough."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.bots.decision import bot_for
from games.bots.roster import ROSTER, character_of, nearest
from games.bots.solver import Solver, rectangle
from games.bots.sweeping import Sweeper, by_eye
from games.engine.game import Input, Kind, Setup
from games.engine.registry import game, modes


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


def test_the_roster_covers_the_scale():
    assert character_of("Fuse-bot").strength == 1500
    assert [bot.name for bot in nearest(720, 2)] == ["Pebble-bot", "Marble-bot"]
    assert len({bot.name for bot in ROSTER}) == len(ROSTER)
