"""Time: timers at their own times; one step or thousands, the state is the same."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from games.engine.game import Input, Kind, Setup
from games.engine.registry import MODES
from games.modes.minewars.contract import play

GAME = MODES["minewars"]


def match(number: int):
    options = GAME.parse_options({"radius": 9, "price_percent": 10, "ban_seconds": 3, "cities": 3})
    seed = sha256(b"time %d" % number).digest()
    return GAME.start(Setup("minewars", 1, seed, 2, options, 1000))


@pytest.mark.parametrize("number", range(4))
def test_one_step_or_thousands_give_the_same_state(number: int) -> None:
    random = Random(number)
    one, many = match(number), match(number)
    at = 1000
    for _ in range(25):
        for _ in range(random.randint(1, 4)):
            seat = random.randrange(2)
            raw = play(random, one.game, seat) if one.phase == "live" else None
            action = raw and GAME.parse_action(raw)
            for state in (one, many):
                if action:
                    GAME.apply(state, Input(at, Kind.ACTION, seat, action))
        until = at + random.choice([3, 130, 600, 2600, 9000])
        GAME.advance(one, until)
        for t in range(at, until + 1, 1 + (until - at) // 300):
            GAME.advance(many, t)
        GAME.advance(many, until)
        at = until
        assert GAME.dump(one) == GAME.dump(many)
        if one.outcome:
            break
    for viewer in (None, 0, 1):
        assert GAME.view(one, viewer) == GAME.view(many, viewer)


def test_timers_fire_at_their_own_times_even_when_time_passes_in_one_go() -> None:
    state = match(9)
    GAME.advance(state, 4000)
    game = state.game
    own = [c for c in range(game.topo.size) if game.owner[c] == 1]
    cell = next(
        n
        for c in own
        for n in game.topo.neighbours[c]
        if not game.owner[n] and game.kind[n] in (1, 2) and not game.item[n]
    )
    GAME.apply(
        state, Input(5000, Kind.ACTION, 0, GAME.parse_action({"type": "capture", "cell": cell}))
    )
    due = GAME.due(state)
    assert due == 5250
    GAME.advance(state, 5250)
    assert game.shield[cell] == 4250 + 2500
    GAME.advance(state, 1000 + 600_000)
    assert cell not in game.shield


def test_money_is_whole_thousandths_everywhere_in_the_snapshot() -> None:
    state = match(3)
    GAME.advance(state, 60_001)
    assert b"." not in GAME.dump(state).split(b'"game"')[1]


def test_a_snapshot_in_the_middle_of_everything_goes_on_the_same() -> None:
    random = Random(5)
    state = match(5)
    GAME.advance(state, 4000)
    at = 4000
    for step in range(120):
        at += random.randint(0, 700)
        seat = random.randrange(2)
        GAME.advance(state, at)
        raw = play(random, state.game, seat)
        action = GAME.parse_action(raw) if raw else None
        copy = GAME.load(GAME.dump(state)) if step % 6 == 0 else None
        for each in (state, copy):
            if each is not None and action is not None:
                GAME.apply(each, Input(at, Kind.ACTION, seat, action))
                if each is copy:
                    assert GAME.dump(copy) == GAME.dump(state)
                    for viewer in (None, 0, 1):
                        assert GAME.view(copy, viewer) == GAME.view(state, viewer)
        if state.outcome:
            break
