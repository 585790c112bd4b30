"""House bots play whole matches: nothing they do is refused, and no decision takes much work."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

from games.bots.roster import ROSTER
from games.engine.game import Input, Kind
from games.modes.minewars.bot import MineWarsBot
from games.modes.minewars.bot.figures import ACTIONS, thinking
from games.modes.minewars.bot.simulation import Match
from games.modes.minewars.bot.skill import skill_of
from games.modes.minewars.rules.tiles import NO_REGION

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


class Work:
    """Counts calls of functions while a bot decides: the same on a slow machine and a busy one. As
    a match asks its clock before and after each decision, it counts between the two."""

    def __init__(self) -> None:
        self._calls = 0
        self._deciding = False

    def __call__(self) -> float:
        self._deciding = not self._deciding
        sys.setprofile(self._count if self._deciding else None)
        return self._calls / 1000

    def _count(self, frame: Any, event: str, argument: Any) -> None:
        self._calls += event in ("call", "c_call")


@pytest.mark.parametrize(
    ("preset", "seats", "seconds"), [("duel", 2, 60), ("mayhem", 6, 15), ("classic", 4, 20)]
)
def test_a_decision_takes_bounded_work(preset: str, seats: int, seconds: int):
    """Every one, of the hardest thinkers. `bench.minewars` prints the milliseconds."""
    options = {"preset": preset, "ban_seconds": 0}
    match = Match(options, [ROSTER[5]] * seats, seed=3, clock=Work())
    match.play(until_ms=seconds * 1000)
    usual, most, longest = thinking([match.report])
    assert usual < 2_000
    assert most < 50_000
    assert longest < 60_000


def test_bots_vote_in_the_ban_stage():
    """The strong against the two poorest regions, the weak against one city or other."""
    match = Match({"preset": "duel"}, [ROSTER[5], ROSTER[0]], seed=5)
    match.play(until_ms=10_000)
    regions = match.state.game.regions
    worth = [0] * len(match.state.game.cities)
    for kind, region in zip(match.state.game.kind, regions, strict=True):
        if region != NO_REGION:
            worth[region] += match.state.game.rules.income[kind]
    strong, weak = (commander.votes for commander in match.state.game.commanders)
    assert sorted(strong) == sorted(sorted(range(5), key=worth.__getitem__)[:2])
    assert len(weak) == 1
    assert match.report.actions[0, "vote"] == match.report.actions[1, "vote"] == 1


def test_the_strong_use_every_action():
    found: set[str] = set()
    for seed in range(1, 13):
        report = Match({"preset": "duel"}, [ROSTER[5]] * 2, seed).play()
        assert report.refused == []
        found |= {kind for _, kind in report.actions}
        if found >= set(ACTIONS):
            return
    pytest.fail(f"never used: {set(ACTIONS) - found}")


def test_a_bot_without_money_is_asked_again_when_it_has_some():
    """Money comes in without news: nobody stops for good."""
    match = Match({"preset": "duel", "ban_seconds": 0}, [ROSTER[2]] * 2, seed=9)
    match.play(until_ms=300_000)
    before = match.report.actions.total()
    match.play(until_ms=360_000)
    assert match.report.reason or match.report.actions.total() > before + 20


def test_bots_wait_while_they_are_stunned():
    match = Match(SMALL, [ROSTER[5]] * 2, seed=1)
    match.rules.apply(match.state, Input(0, Kind.TICK))
    view = match.rules.view(match.state, 0)
    bot = MineWarsBot(ROSTER[5], Random(1))
    assert bot.decide(view, 0) is not None
    view["game"]["stunned"] = 5000
    assert bot.decide(view, 0) is None
