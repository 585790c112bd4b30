"""Non-interference, for every mode with hidden information.

CONTRACT_PAIRS sets how many pairs of states a mode gets.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from games.contract import mode_module, weight
from games.contract.playing import Replay, encode, play
from games.engine.registry import MODES, TEST_MODES, game

HIDDEN = [name for name in (*MODES, *TEST_MODES) if game(name).spec.hidden]
PAIRS = int(os.environ.get("CONTRACT_PAIRS", "1000"))


@pytest.mark.parametrize("name", HIDDEN)
def test_what_a_viewer_may_not_know_does_not_reach_it(name: str) -> None:
    """Pairs of states that differ in what a viewer may not know: it sees the same view and gets
    the same bytes for everything that tells it nothing by the rules."""
    pairs, wanted = 0, PAIRS // weight(name)

    def compare(table: Replay, random: Random) -> None:
        nonlocal pairs
        if pairs < wanted and random.random() < 0.25 and table.game.outcome(table.state) is None:
            viewer = random.choice(list(table.streams))
            pairs += same_for(viewer, table, name, random)

    for number in range(200 * wanted):
        play(name, f"pairs {number}", 40, compare)
        if pairs >= wanted:
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
