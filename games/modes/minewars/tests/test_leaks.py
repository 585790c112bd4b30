"""Nothing hidden leaves the engine: 1,000 random matches, each forked into two that differ in all
that a viewer cannot see, and what the viewer receives is byte-identical, sizes and counts included.

MINEWARS_LEAKS sets another number of matches.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from games.contract.playing import new_setup
from games.contract.replay import Replay
from games.contract.secrecy import fork, same_for
from games.contract.subject import subject_of
from games.engine.game import Viewer
from games.modes.minewars import contract as minewars
from games.modes.minewars.rules import items, sight, views
from games.modes.minewars.rules.state import State
from games.modes.minewars.rules.tiles import FOG

MATCHES = int(os.environ.get("MINEWARS_LEAKS", "1000"))
PARTS = 8


def random_match(random: Random) -> Replay:
    """Some way into a match; orders and sieges are not under way: they may tell by the rules."""
    setup = new_setup(subject_of("minewars"), random)
    setup["options"].update(limit_seconds=600, ban_seconds=0)
    table = Replay.open(setup)
    at = setup["t"]
    for _ in range(random.randint(4, 40)):
        at += random.randint(0, 900)
        seat = random.randrange(setup["seats"])
        action = minewars.act(random, table.state, seat)
        if action is not None:
            table.apply({"t": at, "k": "action", "s": seat, "d": action})
    table.apply({"t": at + 12_000, "k": "tick"})
    return table


@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(PARTS))
def test_secrets_change_nothing_that_a_seat_receives(part: int) -> None:
    compared = 0
    for number in range(part, 4 * MATCHES, PARTS):
        random = Random(f"leaks {number}")
        table = random_match(random)
        if table.game.outcome(table.state) is None:
            viewer = random.choice(list(table.streams))
            compared += same_for(viewer, table, subject_of("minewars"), random)
        if compared >= MATCHES // PARTS:
            return
    pytest.fail(f"only {compared} pairs of matches came about")


def far_strikes(random: Random, table: Replay, me: int) -> list[list[int]]:
    """Two different strikes of another empire that are out of the sight of this one."""
    state: State = table.state.game
    for foe in state.alive():
        cells = [
            c
            for c in range(state.topo.size)
            if foe != me
            and state.near[foe][c]
            and state.owner[c] != foe
            and sight.level(state, me, c) == FOG
        ]
        if len(cells) >= 4:
            drawn = random.sample(cells, 4)
            return [drawn[:1], drawn[1:]]
    return []


def test_a_strike_in_fog_tells_neither_its_place_nor_its_size() -> None:
    compared = 0
    for number in range(60):
        random = Random(f"tremors {number}")
        table = random_match(random)
        if table.game.outcome(table.state) is not None:
            continue
        state: State = table.state.game
        seat = random.choice(sorted(state.players, key=str))
        assert seat is not None
        me = state.empire_of[seat]
        strikes = far_strikes(random, table, me)
        if not strikes:
            continue
        snapshot = table.game.dump(table.state)
        told = [strike(fork(table, snapshot), me, cells) for cells in strikes]
        assert told[0][seat] == told[1][seat] == [b'{"type":"tremor"}']
        compared += 1
    assert compared >= 5


def strike(table: Replay, me: int, cells: list[int]) -> dict[Viewer, list[bytes]]:
    """The events to everybody when another empire's strike hits these tiles; nothing opens by
    it."""
    state: State = table.state.game
    by = next(e for e in state.alive() if e != me)
    items.explode(state, tuple(cells), "strike", by)
    return table.receive(views.flush(state))
