"""House bots play whole matches: nothing they do is refused, and no decision takes long."""

from __future__ import annotations

from random import Random
from time import process_time
from typing import Any

import pytest

from games.bots.roster import ROSTER
from games.engine.game import Input, Kind
from games.modes.minewars.bot import MineWarsBot
from games.modes.minewars.bot.simulation import Match
from games.modes.minewars.bot.skill import skill_of

SMALL = {"radius": 9, "cities": 3, "limit_seconds": 120, "ban_seconds": 0}


@pytest.mark.parametrize(
    ("options", "strengths"),
    [
        (SMALL, [0, 1]),
        (SMALL | {"price_percent": 20}, [4, 5]),
        (SMALL | {"topology": "square"}, [2, 3]),
        (SMALL | {"team_size": 2, "price_percent": 40}, [5, 4, 3, 2]),
    ],
)
def test_bots_are_never_refused(options: dict[str, Any], strengths: list[int]):
    match = Match(options, [ROSTER[i] for i in strengths], seed=7)
    assert match.play().refused == []


def test_the_strong_use_more_than_the_weak():
    weak, strong = (skill_of(ROSTER[i]) for i in (0, 5))
    assert not weak.traps
    assert {"mine", "decoy", "flashbang"} == set(strong.traps)
    assert [skill_of(c).strikes for c in ROSTER] == sorted(skill_of(c).strikes for c in ROSTER)


@pytest.mark.parametrize(("preset", "seats"), [("duel", 2), ("mayhem", 6)])
def test_a_decision_takes_less_than_ten_milliseconds(preset: str, seats: int):
    """In the processor's time, for the hardest thinker; one in twenty may be disturbed."""
    options = {"preset": preset, "ban_seconds": 0}
    match = Match(options, [ROSTER[5]] * seats, seed=3)
    match.play(until_ms=40_000)
    bot = MineWarsBot(ROSTER[5], Random(1))
    took = []
    for _ in range(10):
        for seat in range(seats):
            view = match.rules.view(match.state, seat)
            began = process_time()
            bot.decide(view, match.now)
            took.append(process_time() - began)
    assert sorted(took)[len(took) * 19 // 20] < 0.010


def test_bots_wait_while_they_are_stunned():
    match = Match(SMALL, [ROSTER[5]] * 2, seed=1)
    match.rules.apply(match.state, Input(0, Kind.TICK))
    view = match.rules.view(match.state, 0)
    bot = MineWarsBot(ROSTER[5], Random(1))
    assert bot.decide(view, 0) is not None
    view["game"]["stunned"] = 5000
    assert bot.decide(view, 0) is None
