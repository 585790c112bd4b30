"""The contract of every registered mode, by random play. How a mode joins: modes/__init__.py.

CONTRACT_MATCHES sets how many random matches a mode gets.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from games.contract import mode_module, weight
from games.contract.playing import Replay, encode, play
from games.engine.registry import MODES, REGISTRY, TEST_MODES, game

GAMES = {name: game(name) for name in (*MODES, *TEST_MODES)}
MATCHES = int(os.environ.get("CONTRACT_MATCHES", "2000"))
# The matches of a mode are split, so that a failure is near its seed.
PARTS = 8


def steps_of(number: int) -> int:
    """Most matches are short; every twentieth is long enough to come to its end."""
    return 150 if number % 20 == 0 else 6 + number % 18


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", GAMES)
def test_random_matches_replay_to_the_same_bytes(name: str, part: int) -> None:
    """Folded views and refusals are checked while playing (`play`). Here: the log alone, without
    the ticks, gives every viewer the same bytes and ends in the same state; and so does going on
    from a snapshot taken in the middle."""
    for number in range(part, MATCHES // weight(name), PARTS):
        played = play(name, number, steps_of(number))
        entries, first = played.entries, played.table
        again, copy = Replay.open(played.setup), None
        middle = Random(number).randrange(len(entries))
        for i, entry in enumerate(entries):
            if entry["k"] == "tick" and not says_that_time_passed(entries, i):
                continue
            if i >= middle and copy is None:
                state = again.game.load(again.game.dump(again.state))
                copy = Replay(again.game, state, {v: list(s) for v, s in again.streams.items()})
            again.apply(entry)
            if copy is not None:
                copy.apply(entry)
        assert again.streams == first.streams, f"{name} {number}: the replay's events differ"
        assert again.views() == first.views(), f"{name} {number}: the replay's views differ"
        assert again.game.dump(again.state) == first.game.dump(first.state), f"{name} {number}"
        assert copy is not None
        assert copy.streams == first.streams, f"{name} {number}: events after a snapshot differ"
        assert copy.views() == first.views(), f"{name} {number}: views after a snapshot differ"
        assert copy.game.dump(copy.state) == first.game.dump(first.state), f"{name} {number}"


def says_that_time_passed(entries: list[dict[str, Any]], tick: int) -> bool:
    """A tick that counts: the last entry, or one that bounds how far back an outage reaches."""
    return tick == len(entries) - 1 or entries[tick + 1]["k"] == "outage"


@pytest.mark.parametrize("name", GAMES)
def test_the_spec_is_in_order(name: str) -> None:
    game = GAMES[name]
    spec = game.spec
    assert spec.name == name
    assert 1 <= spec.min_seats <= spec.max_seats <= 6
    assert spec.version >= 1
    game.parse_options({})
    for preset in REGISTRY[name].presets if name in REGISTRY else ():
        game.parse_options(dict(preset.options))
    assert all(text.endswith(".") for text in spec.codes.values())


@pytest.mark.parametrize("name", GAMES)
def test_options_survive_the_log(name: str) -> None:
    """The parsed options, written as JSON, parse to the same again."""
    game, random = GAMES[name], Random(name)
    for _ in range(200):
        options = game.parse_options(mode_module(name).options(random))
        assert game.parse_options(json.loads(encode(asdict(options)))) == options
