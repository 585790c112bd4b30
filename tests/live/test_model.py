"""The protocol of the log under every schedule that is short, and many that are long."""

from __future__ import annotations

import os
import pickle

import pytest
from hypothesis import settings, target
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from games.live.row import decode
from tests.live.model import bugs
from tests.live.model.explorer import Found, explore
from tests.live.model.process import Process
from tests.live.model.world import Luck, World

STATES = int(os.environ.get("MODEL_STATES", "1500"))
"""States to explore in each scenario; `make model` tries many more."""

SCENARIOS: dict[str, World] = {
    "two players move": World(Luck(commands=2, moves=1, ticks=1)),
    "three processes": World(Luck(commands=3, moves=1), processes=3),
    "hints are lost": World(Luck(commands=3, lost_hints=2), processes=3),
    "connections break": World(Luck(commands=2, moves=1, breaks=2)),
    "processes die": World(Luck(commands=2, moves=1, crashes=2)),
    "one move needs another": World(Luck(commands=3, lost_hints=1, breaks=1, dependent=True)),
    "a process starts late": World(Luck(commands=2, crashes=1, dependent=True)),
    "timers": World(Luck(commands=1, ticks=3, breaks=1)),
    "the end": World(Luck(commands=2, ends=1, ticks=1, moves=1)),
    "the end after trouble": World(Luck(commands=1, ends=1, breaks=1, crashes=1)),
    "the match goes from Redis": World(Luck(commands=2, ends=1, expiries=1)),
    "fail-over, one host": World(Luck(commands=3, fail_overs=2), processes=1, replicas=1),
    "fail-over": World(Luck(commands=2, moves=1, fail_overs=1), replicas=2, ack_replicas=1),
    "fail-over, two replicas waited for": World(
        Luck(commands=2, moves=1, fail_overs=2), replicas=2, ack_replicas=2
    ),
    "fail-over and death": World(
        Luck(commands=1, moves=1, fail_overs=1, crashes=1), replicas=1, ack_replicas=1
    ),
    "fail-over that nobody waits for": World(Luck(commands=2, fail_overs=1), replicas=1),
}

PLANTED: dict[type[Process], str] = {
    bugs.ResendsBlindly: "fail-over, one host",
    bugs.AcknowledgesEarly: "processes die",
    bugs.DoesNotCheckAgain: "two players move",
    bugs.IgnoresJoinRows: "two players move",
    bugs.IgnoresGapsInHints: "hints are lost",
    bugs.AppliesHintsBlindly: "hints are lost",
    bugs.NeverLooks: "hints are lost",
    bugs.DoesNotRestore: "fail-over, one host",
    bugs.ForgetsIdleMatches: "fail-over, one host",
    bugs.WritesAfterTheEnd: "the end",
    bugs.TicksTwice: "timers",
    bugs.TakesTheClockAsItIs: "two players move",
    bugs.RefusesWithoutALook: "one move needs another",
    bugs.TrustsAnOlderRead: "a process starts late",
    bugs.MakesTheStreamAgain: "the match goes from Redis",
    bugs.DoesNotWait: "fail-over",
    bugs.WaitsForItsOwnRowsOnly: "fail-over and death",
}
ENOUGH = 60_000
"""States within which every planted bug is found; most within a few hundred."""


def fresh(name: str, process_class: type[Process] = Process) -> World:
    world = SCENARIOS[name]
    return World(
        world.luck, world.processes, world.replicas, world.ack_replicas, process_class=process_class
    )


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_short_schedule_breaks_a_promise(name: str):
    explored = explore(fresh(name), STATES)
    print(f"{name}: {explored}")
    assert explored.complete or explored.states >= STATES


@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.__name__)
def test_every_planted_bug_is_found(bug: type[Process]):
    with pytest.raises(Found) as found:
        explore(fresh(PLANTED[bug], bug), ENOUGH)
    print(found.value)


def test_every_bug_is_planted():
    written = {each for each in vars(bugs).values() if isinstance(each, type)}
    assert {each for each in written if issubclass(each, Process)} - {Process} == set(PLANTED)


class Play(RuleBasedStateMachine):
    """Long schedules of three processes with all kinds of bad luck."""

    luck = Luck(
        commands=8, moves=4, ticks=3, breaks=4, lost_hints=4, crashes=3, ends=1, fail_overs=2
    )

    def __init__(self) -> None:
        super().__init__()
        self.world = World(self.luck, processes=3, replicas=2, ack_replicas=1)

    @precondition(lambda self: self.world.steps())
    @rule(which=st.integers(0, 10**6), times=st.integers(1, 3))
    def something_happens(self, which: int, times: int) -> None:
        for number in range(times):
            if steps := self.world.steps():
                self.world.do(steps[(which + number) % len(steps)])

    @rule()
    def all_is_well_for_a_while(self) -> None:
        self.world.calm_down()

    @rule()
    def everybody_could_come_to_rest_now(self) -> None:
        pickle.loads(pickle.dumps(self.world)).finish()

    @invariant()
    def rows_are_gapless_and_time_never_goes_back(self) -> None:
        rows = [decode(*item) for item in self.world.redis.rows or []]
        assert [row.number for row in rows] == list(range(1, len(rows) + 1))
        assert [row.time for row in rows] == sorted(row.time for row in rows)

    def teardown(self) -> None:
        target(float(self.world.redis.length()))
        self.world.finish()


class DependentPlay(Play):
    luck = Luck(
        commands=8, moves=3, breaks=4, lost_hints=4, crashes=2, fail_overs=1, dependent=True
    )


for machine in (Play, DependentPlay):
    machine.TestCase.settings = settings(max_examples=150, stateful_step_count=60)
TestPlay, TestDependentPlay = Play.TestCase, DependentPlay.TestCase
