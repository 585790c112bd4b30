"""The contract of every registered mode, by random play. How a mode joins: modes/__init__.py.

CONTRACT_MATCHES and CONTRACT_PAIRS set how many random matches and pairs of states a mode gets.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from games.engine.registry import MODES, TEST_MODES

from .modes import has_module, mode_module
from .playing import Replay, encode, play

GAMES = {name: game for name, game in {**MODES, **TEST_MODES}.items() if has_module(name)}
HIDDEN = [name for name, game in GAMES.items() if game.spec.hidden]
MATCHES = int(os.environ.get("CONTRACT_MATCHES", "2000"))
PAIRS = int(os.environ.get("CONTRACT_PAIRS", "1000"))
# The matches of a mode are split, so that a failure is near its seed.
PARTS = 8


def steps_of(number: int) -> int:
    """Most matches are short; every tenth is long enough to come to its end."""
    return 150 if number % 10 == 0 else 8 + number % 25


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", GAMES)
def test_random_matches_replay_to_the_same_bytes(name: str, part: int) -> None:
    """Folded views and refusals are checked while playing (`play`). Here: the log alone, without
    the ticks, gives every viewer the same bytes and ends in the same state; and so does going on
    from a snapshot taken in the middle."""
    for number in range(part, MATCHES, PARTS):
        played = play(name, number, steps_of(number))
        entries, first = played.entries, played.table
        again, copy = Replay.open(played.setup), None
        middle = Random(number).randrange(len(entries))
        for i, entry in enumerate(entries):
            # The last tick stays, and one before an outage: they say up to when time has passed.
            if entry["k"] == "tick" and i < len(entries) - 1 and entries[i + 1]["k"] != "outage":
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


@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_viewer_may_not_know_does_not_reach_it(name: str) -> None:
    """Pairs of states that differ in what a viewer may not know: it sees the same view and gets
    the same bytes for everything that tells it nothing by the rules."""
    pairs = 0

    def compare(table: Replay, random: Random) -> None:
        nonlocal pairs
        if pairs < PAIRS and random.random() < 0.25 and table.game.outcome(table.state) is None:
            viewer = random.choice(list(table.streams))
            pairs += same_for(viewer, table, name, random)

    for number in range(200 * PAIRS):
        play(name, f"pairs {number}", 40, compare)
        if pairs >= PAIRS:
            return
    pytest.fail(f"only {pairs} pairs of states came about")


def same_for(viewer: int | None, table: Replay, name: str, random: Random) -> bool:
    game, module = table.game, mode_module(name)
    snapshot = game.dump(table.state)
    true, other = (fork(table, snapshot) for _ in range(2))
    if not module.perturb(random, other.state, viewer):
        return False
    rules: Any = game
    assert game.dump(other.state) != snapshot or (
        rules.rules.truth(other.state.game) != rules.rules.truth(true.state.game)
    ), "perturb said that it changed something"
    assert encode(game.view(true.state, viewer)) == encode(game.view(other.state, viewer))
    t = true.state.origin + true.state.now
    quiet = list(module.quiet(random, true.state, viewer)) if hasattr(module, "quiet") else []
    seat = random.randrange(len(true.state.seats))
    for entry in (*quiet, {"k": "drop", "s": seat}, {"k": "return", "s": seat}):
        t += entry.pop("wait", 1)
        got, expected = (each.apply({"t": t, **entry}) for each in (other, true))
        ended = [game.outcome(each.state) is not None for each in (true, other)]
        assert ended[0] == ended[1]
        if ended[0]:  # everything is disclosed
            return True
        assert got.get(viewer) == expected.get(viewer), f"{viewer} was told by {entry}"
    assert encode(game.view(true.state, viewer)) == encode(game.view(other.state, viewer))
    return True


def fork(table: Replay, snapshot: bytes) -> Replay:
    return Replay(table.game, table.game.load(snapshot), {v: [] for v in table.streams})


@pytest.mark.parametrize("name", GAMES)
def test_the_spec_is_in_order(name: str) -> None:
    game = GAMES[name]
    spec = game.spec
    assert spec.name == name
    assert 1 <= spec.min_seats <= spec.max_seats <= 6
    assert spec.version >= 1
    assert spec.title
    game.parse_options({})
    for options in spec.presets.values():
        game.parse_options(dict(options))
    assert all(text.endswith(".") for text in spec.codes.values())


@pytest.mark.parametrize("name", GAMES)
def test_options_survive_the_log(name: str) -> None:
    """The parsed options, written as JSON, parse to the same again."""
    game, random = GAMES[name], Random(name)
    for _ in range(200):
        options = game.parse_options(mode_module(name).options(random))
        assert game.parse_options(json.loads(encode(asdict(options)))) == options
