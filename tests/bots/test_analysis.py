"""Moves of finished matches judged: by hand-made positions, and over whole matches."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.analysis import Summary, analyse
from games.bots.decision import bot_for
from games.bots.judging import (
    AVOIDABLE,
    FORCED,
    KNOWN_MINE,
    PROVEN,
    Verdict,
    judge,
)
from games.bots.roster import ROSTER
from games.bots.solver import Solver, rectangle
from games.live import entry as kinds
from games.live.entry import Entry
from games.live.match_state import MatchState
from games.live.setup import MatchSetup, SeatInfo
from games.replay import Replay, replay_entries

RACE = {"width": 16, "height": 16, "mines": 40, "no_guess": False}
AREA = {"size": 16, "attack_at_seconds": 20, "lock_at_seconds": 50, "lock_seconds": 20}
ANY: Callable[[int], bool] = lambda cell: True  # noqa: E731


def row(numbers: dict[int, int], width: int, mines: int) -> Solver:
    """A board of one row."""
    solver = Solver(rectangle(width, 1), mines=mines)
    for cell, number in numbers.items():
        solver.reveal(cell, number)
    return solver


def test_labels_of_single_moves():
    # . 1 1 . . .: cell 0 is a mine (its only number says so with 3), or cell 3 is.
    solver = row({1: 1, 2: 1}, 6, 2)
    # cell 1 sees 0 only (2 is open): a mine. cell 2 sees 3 only: a mine. The rest is safe.
    assert judge(solver, [4], ANY) == Verdict(PROVEN, 0.0)
    assert judge(solver, [0], ANY).label == KNOWN_MINE


def test_a_fifty_fifty_is_forced_and_has_its_chance():
    # Beside the open 1 lie two hidden cells, one of them the only mine.
    verdict = judge(row({1: 1}, 3, 1), [0], ANY)
    assert verdict.label == FORCED
    assert verdict.chance == pytest.approx(0.5)


def test_a_guess_beside_a_proven_cell_is_avoidable():
    solver = row({0: 0, 3: 1}, 8, 2)
    # 1 is safe by the 0; one of 2 and 4 is a mine, and one of 5, 6, 7.
    verdict = judge(solver, [2], ANY)
    assert verdict.label == AVOIDABLE
    assert verdict.chance == pytest.approx(0.5)
    assert judge(solver, [2], lambda cell: cell != 1).label == FORCED


def test_the_cells_of_a_chord_are_judged_together():
    # One mine in cells 0 and 2: opening both strikes it for certain, though each is 1/2.
    assert judge(row({1: 1}, 3, 1), [0, 2], ANY).chance == pytest.approx(1.0)
    # Two of four cells at the ends are mines, independently by pairs: both safe in one of four.
    assert judge(row({1: 1, 4: 1}, 6, 2), [0, 5], ANY).chance == pytest.approx(0.75)


def test_luck_is_the_chance_of_the_guesses_that_went_well():
    summary = Summary(0, 80)
    for verdict, struck in [
        (Verdict(PROVEN, 0.0), False),
        (Verdict(FORCED, 0.5), False),
        (Verdict(FORCED, 0.5), True),
        (Verdict(AVOIDABLE, 0.2), False),
        (Verdict(KNOWN_MINE, 1.0), True),
    ]:
        summary.moves += 1
        summary.add(verdict, struck)
    told = summary.as_json()
    assert (told["mines"], told["expected_mines"], told["luck"]) == (2, 1.2, 0.2)
    assert told["survival"] == 0
    assert told["adjusted_score"] == pytest.approx(80 * (5 - 1.2) / (5 - 1))


class Table:
    """A log written by hand."""

    def __init__(self, mode: str, seats: int, options: dict[str, Any], seed: int = 7) -> None:
        people = [SeatInfo(None, f"p{i}", "guest") for i in range(seats)]
        setup = MatchSetup(
            mode, 1, bytes([seed]).hex() * 32, people, options, rated=False, source="queue"
        )
        self.now = 1_000_000
        self.entries = [Entry(0, self.now, kinds.SETUP, None, "", setup.encode())]
        self.course = MatchState(self.entries[0])

    def add(self, kind: str, seat: int | None, data: bytes, after: int) -> None:
        self.now += after
        number = len(self.entries)
        self.entries.append(Entry(number, self.now, kind, seat, f"c{number}", data))
        self.course.apply(self.entries[-1])

    def act(self, seat: int, after: int = 300, **action: Any) -> None:
        self.add(kinds.ACTION, seat, json.dumps(action).encode(), after)

    def view(self, seat: int) -> dict[str, Any]:
        return self.course.view(seat)

    @property
    def mines(self) -> set[int]:
        return set(self.course.game.rules.truth(self.course.state.game)["mines"])

    def replay(self) -> Replay:
        return replay_entries(self.entries)


def test_a_whole_classic_game_played_by_proofs_and_one_blunder():
    table = Table("classic", 1, {"width": 9, "height": 9, "mines": 10})
    table.act(0, type="reveal", cell=40)
    proven = 1
    solver = Solver(rectangle(9, 9), mines=10)

    def look() -> None:
        for cell, code in enumerate(table.view(0)["game"]["cells"]):
            if code >= 0:
                solver.reveal(cell, code)

    for _ in range(4):
        look()
        solver.analyse()
        assert solver.safe
        table.act(0, type="reveal", cell=min(solver.safe))
        proven += 1
    look()
    solver.analyse()
    known = min(solver.mines & table.mines)
    table.act(0, type="reveal", cell=known)
    found = analyse(table.replay())
    assert [mark["label"] for mark in found.marks] == [PROVEN] * proven + [KNOWN_MINE]
    assert found.marks[-1]["cell"] == known
    assert found.players[0]["analysed"] == found.players[0]["moves"] == proven + 1


def test_the_first_reveal_is_a_guess_where_the_rules_do_not_protect_it():
    table = Table("classic", 1, {"width": 9, "height": 9, "mines": 10, "safe_first": False})
    table.act(0, type="reveal", cell=40)
    table.act(0, type="surrender")
    first = analyse(table.replay()).marks[0]
    assert first["label"] == FORCED
    assert first["chance"] == pytest.approx(10 / 81, abs=1e-6)


def played_by_bots(mode: str, options: dict[str, Any], seed: int) -> Replay:
    """A careless player in seat 0, a careful one in seat 1; both as quick."""
    table = Table(mode, 2, options, seed)
    careful = ROSTER[-1]
    characters = [replace(careful, errors=0.4), careful]
    bots = [bot_for(mode, c, Random(seed + i)) for i, c in enumerate(characters)]
    for _ in range(3000):
        if table.course.outcome() is not None:
            return table.replay()
        plans = []
        match_time = table.course.state.now
        for seat, bot in enumerate(bots):
            decision = bot.decide(table.view(seat), match_time)
            if decision is not None:
                plans.append((decision.after, seat, decision.action))
        due = table.course.game.due(table.course.state)
        if plans and (due is None or match_time + min(plans)[0] * 1000 < due):
            after, seat, action = min(plans, key=lambda plan: plan[:2])
            table.act(seat, int(after * 1000), **action)
        else:
            table.add(kinds.TICK, None, b"", max(0, due - match_time))
    raise AssertionError("the match did not end")


@pytest.mark.parametrize(
    ("mode", "options"),
    [
        ("race", RACE),
        ("area-attack", AREA),
    ],
)
def test_a_whole_match_of_bots(mode, options):
    again = played_by_bots(mode, options, 3)
    found = analyse(again, budget=60)
    careless, careful = found.players
    for player in (careless, careful):
        assert player["analysed"] == player["moves"] > 0
        counts = sum(player[name] for name in (PROVEN, AVOIDABLE, FORCED, KNOWN_MINE))
        assert counts == player["analysed"]
    assert careful[AVOIDABLE] == 0
    assert careless[AVOIDABLE] + careless[KNOWN_MINE] > 0
    # Nothing that was proven safe was a mine.
    for mark in found.marks:
        assert (mark["label"] == PROVEN) == (mark["chance"] == 0)
    told = {(m["t"], m["cell"]): m for m in found.marks if m["label"] == PROVEN}
    for seat in range(2):
        for said in again.events(seat):
            if said.event["type"] in ("mine", "struck") and said.event.get("seat", seat) == seat:
                assert (said.t, said.event["cell"]) not in told


def thawed_and_moved(tick: bool) -> list[dict[str, Any]]:
    """The marks of a player who strikes a mine, is frozen, and moves on when that is over: with a
    tick at the end of the freeze, or with nothing in the log before the move."""
    table = Table("area-attack", 2, {**AREA, "attack_at_seconds": 300, "lock_at_seconds": 400}, 3)
    bots = [bot_for("area-attack", ROSTER[-1], Random(i)) for i in range(2)]
    while table.view(0)["phase"] == "setup":
        for seat, bot in enumerate(bots):
            decision = bot.decide(table.view(seat), table.course.state.now)
            if decision is not None:
                table.act(seat, **decision.action)

    def odds(known_mine: int | None) -> list[float]:
        solver = Solver(rectangle(16, 16), density=table.view(0)["options"]["density"])
        for cell, code in enumerate(table.view(0)["game"]["cells"]):
            if code < 9:
                solver.reveal(cell, code)
        if known_mine is not None:
            solver.mark_mine(known_mine)
        return list(solver.probabilities().values())

    before = odds(None)
    mine, target = next(
        (mine, cell)
        for mine in sorted(table.mines)
        if 0 < before[mine] < 1
        for cell, chance in enumerate(odds(mine))
        if cell not in table.mines and 0 < before[cell] < 1 and abs(chance - before[cell]) > 0.05
    )
    table.act(0, type="claim", cell=mine)
    freeze = table.view(0)["options"]["freeze_seconds"] * 1000
    if tick:
        table.add(kinds.TICK, None, b"", freeze)
    table.act(0, 10 if tick else freeze + 10, type="claim", cell=target)
    table.act(0, type="surrender")
    return analyse(table.replay()).marks


def test_a_timer_in_the_same_entry_as_a_move_is_seen_before_it():
    """The mine that the player struck is exposed at the end of the freeze, just before the move."""
    with_tick, without = thawed_and_moved(True), thawed_and_moved(False)
    assert len(with_tick) == len(without) == 2
    assert with_tick == without


def test_moves_beyond_the_budget_are_counted_but_not_analysed():
    again = played_by_bots("race", RACE, 5)
    ticks = iter(range(10_000))
    found = analyse(again, budget=10, clock=lambda: float(next(ticks)))
    assert sum(p["analysed"] for p in found.players) == 9
    assert sum(p["moves"] for p in found.players) > 9
