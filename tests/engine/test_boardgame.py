"""Games in the common board format: what each viewer is told, and what authors need not write."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine.boardgame import (
    EVENTS,
    FACES,
    Action,
    Board,
    BoardRules,
    Move,
    candidates,
    changes,
    fold_board,
    next_seat,
)
from games.engine.errors import BadAction, BadOptions, IllegalAction
from games.engine.fields import Fields
from games.engine.game import ALL, Rules, Setup, Spec, View, Viewer
from games.engine.lifecycle import Lifecycle
from tests.engine.table import Table

DIG = Action("dig", "Dig")
PASS = Action("pass", "Pass", "none")


@dataclass(frozen=True)
class Size:
    name: str = "size"

    def read(self, given: Fields) -> int:
        return given.whole("size", 2, 9, 3)


@dataclass(frozen=True, slots=True)
class Options:
    size: int = 3


@dataclass
class State:
    size: int
    turn: int
    ends: int = 0
    treasure: int = 4
    dug: list[int | None] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    """Per seat the cell that it has seen last, which nobody else may know."""
    points: list[int] = field(default_factory=list)


class DigRules(BoardRules[State]):
    """Dig for a treasure; what you have dug last is your secret."""

    spec = Spec(
        name="dig",
        version=1,
        min_seats=2,
        max_seats=3,
        realtime=False,
        hidden=True,
        actions=("dig", "pass"),
        events=EVENTS,
        codes={"dug": "Somebody has dug there."},
    )
    moves = (DIG, PASS)
    state_type = State
    options = (Size(),)
    options_type = Options

    def start(self, setup: Setup) -> State:
        size = setup.options.size
        return State(
            size,
            0,
            dug=[None] * size * size,
            seen=[-1] * setup.seats,
            points=[0] * setup.seats,
        )

    def turn(self, state: State) -> int | None:
        return state.turn

    def on_begin(self, state: State, t: int) -> None:
        state.ends = t + 5000

    def due(self, state: State) -> int | None:
        return state.ends

    def on_timer(self, state: State, t: int) -> None:
        state.turn = next_seat(state.turn, len(state.points))
        state.ends = t + 5000

    def on_retire(self, state: State, seat: int, t: int) -> None:
        if state.turn == seat:
            self.on_timer(state, t)

    def check(self, state: State, seat: int, move: Move, t: int) -> None:
        if move.type == "dig" and state.dug[move.cell] is not None:
            raise IllegalAction("dug", "Somebody has dug there.")

    def on_move(self, state: State, seat: int, move: Move, t: int) -> None:
        if move.type == "dig":
            state.dug[move.cell] = seat
            state.seen[seat] = move.cell
            state.points[seat] += move.cell == state.treasure
        self.on_timer(state, t)

    def finished(self, state: State) -> str | None:
        return "found" if any(state.points) else None

    def scores(self, state: State) -> list[int]:
        return state.points

    def look(self, state: State, viewer: Viewer) -> Board:
        board = Board.hex(state.size, state.size, "hidden")
        for cell, seat in enumerate(state.dug):
            if seat is not None:
                board.put(cell, "plain", seat)
        if viewer is not None and state.seen[viewer] >= 0:
            board.put(state.seen[viewer], "goal", viewer, "me")
        board.scores = [sum(seat == s for s in state.dug) for seat in range(len(state.points))]
        board.countdown("To move", state.ends)
        if viewer == state.turn:
            board.offer(*self.moves)
        return board

    def reveal(self, state: State) -> Board:
        board = Board.hex(state.size, state.size)
        board.put(state.treasure, "goal", text="!")
        return board


def table(seats: int = 2, **options: Any) -> Table:
    return Table(Lifecycle(DigRules()), seats, **options)


def test_each_viewer_is_told_what_changed_in_its_own_view() -> None:
    match = table()
    got = match.act(0, "dig", cell=0)
    assert [event["type"] for event in got[None]] == ["board"]
    assert got[None][0]["set"] == [[0, "plain", 0, ""]]
    assert got[0][0]["set"] == [[0, "goal", 0, "me"]]
    assert got[1][0] == {
        **got[None][0],
        "actions": [
            {"type": "dig", "label": "Dig", "target": "cell"},
            {"type": "pass", "label": "Pass", "target": "none"},
        ],
    }
    assert got[0][0]["actions"] == []
    assert got[None][0]["scores"] == ["1", "0"]


def test_viewers_who_are_told_the_same_share_an_event() -> None:
    match = table(3)
    match.act(0, "pass")
    told = match.game.act(match.state, 1, match.game.parse_action({"type": "dig", "cell": 3}), 0)
    assert [each.to for each in told] == [frozenset({None, 0}), frozenset({1}), frozenset({2})]
    rules, state = DigRules(), table().inner
    assert rules.begin(state, 9)[0].to is ALL
    assert rules.retire(state, 1, 9) == []  # it is the other seat's turn


def test_the_checks_that_every_game_needs() -> None:
    match = table()
    assert match.refused(1, "dig", cell=0) == "not_your_turn"
    assert match.refused(0, "dig", cell=9) == "out_of_range"
    assert match.refused(0, "dig", cell=-1) == "out_of_range"
    match.act(0, "dig", cell=0)
    assert match.refused(1, "dig", cell=0) == "dug"
    for raw in ({"type": "dig"}, {"type": "pass", "cell": 1}, {"type": "x"}, 7):
        with pytest.raises(BadAction):
            match.game.parse_action(raw)
    assert match.game.parse_options({}) == Options(3)
    with pytest.raises(BadOptions):
        match.game.parse_options({"size": 99})


def test_a_timer_and_a_surrender_pass_the_turn_on() -> None:
    match = table(3)
    match.wait_until(5000)
    assert match.inner.turn == 1
    match.act(1, "surrender")
    assert match.inner.turn == 2
    match.act(2, "dig", cell=4)
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    assert outcome.reason == "found"
    assert outcome.ranks == (2, 3, 1)
    assert match.views[0]["truth"]["board"]["texts"][4] == "!"
    assert match.views[0]["truth"].keys() == {"board"}, "the match's final scores are shown"


def test_a_revealed_board_may_have_scores_of_its_own() -> None:
    class Rules(DigRules):
        def reveal(self, state: State) -> Board:
            board = super().reveal(state)
            board.scores = [7, "none"]
            return board

    assert Rules().truth(table().inner)["scores"] == ["7", "none"]


def test_a_snapshot_gives_the_same_state() -> None:
    match = table()
    match.act(0, "dig", cell=2)
    before = match.inner
    match.reload()
    assert match.inner == before


def random_view(random: Random) -> View:
    grid: Any = random.choice(["square", "hex"])
    board = Board(grid, random.randint(1, 4), random.randint(1, 3), random.choice(list(FACES)))
    for cell in range(len(board.cells)):
        if random.random() < 0.5:
            owner = random.choice([None, 0, 1])
            board.put(cell, random.choice(list(FACES)), owner, random.choice(["", "3", "Ab"]))
    board.scores = random.choice([[], [1, 2], ["a", "b"]])
    board.note = random.choice([None, "Good."])
    if random.random() < 0.5:
        board.countdown("Left", random.randrange(9))
    if random.random() < 0.5:
        board.offer(DIG, PASS)
    if random.random() < 0.5:
        board.offer(DIG, cells=range(random.randrange(len(board.cells))))
    return board.as_view(random.choice([None, 0, 1]))


def test_changes_turn_one_view_into_the_other() -> None:
    random = Random(3)
    views = [random_view(random) for _ in range(60)]
    for before in views:
        for after in views:
            folded = json.loads(json.dumps(before))
            event = changes(before, after)
            assert (event is None) == (before == after)
            if event is not None:
                fold_board(folded, json.loads(json.dumps(event)))
            assert folded == after


def test_folding_a_whole_board_keeps_the_event() -> None:
    view = Board.square(1, 1).as_view(None)
    event = changes(view, Board.hex(2, 1).as_view(None))
    assert event is not None
    fold_board(view, event)
    fold_board(view, {"type": "board", "set": [[0, "mine", None, ""]]})
    assert event["board"]["cells"] == ["plain", "plain"]


def test_candidates_are_what_is_offered_on_the_cells_there_are() -> None:
    board = Board.square(2, 2)
    board.put(1, "void")
    board.put(2, "blocked")
    assert candidates(board.as_view(0)) == []
    board.offer(PASS, DIG)
    assert candidates(board.as_view(0)) == [
        {"type": "pass"},
        {"type": "dig", "cell": 0},
        {"type": "dig", "cell": 3},
    ]


def test_an_action_may_be_offered_on_some_cells_only() -> None:
    board = Board.square(2, 2)
    board.offer(DIG, cells=[3, 1, 3])
    board.offer(PASS)
    view = board.as_view(0)
    assert view["actions"] == [
        {"type": "dig", "label": "Dig", "target": "cell", "cells": [1, 3]},
        {"type": "pass", "label": "Pass", "target": "none"},
    ]
    assert candidates(view) == [
        {"type": "dig", "cell": 1},
        {"type": "dig", "cell": 3},
        {"type": "pass"},
    ]
    with pytest.raises(ValueError, match="cell 4"):
        board.offer(DIG, cells=[4])
    with pytest.raises(ValueError, match="no cell"):
        board.offer(PASS, cells=[0])


def test_mistakes_of_authors_are_named() -> None:
    board = Board.square(2, 2)
    for wrong in [(4, "plain", None, ""), (0, "sea", None, ""), (0, "plain", None, "abc")]:
        with pytest.raises(ValueError):
            board.put(*wrong)
    with pytest.raises(ValueError, match="not 100 x 100"):
        Board.square(100, 100)
    with pytest.raises(TypeError, match="name different actions"):
        type("Wrong", (DigRules,), {"moves": (DIG,)})
    with pytest.raises(TypeError, match="abstract"):
        type("Half", (BoardRules,), {})()


def test_the_next_seat_is_the_next_one_that_is_in() -> None:
    assert [next_seat(seat, 3) for seat in range(3)] == [1, 2, 0]
    assert next_seat(0, 3, out={1}) == 2
    assert next_seat(1, 2, out={0}) == 1


def test_the_format_is_described() -> None:
    text = (Path(__file__).parents[2] / "docs/board-format.md").read_text()
    assert [f for f, look in FACES.items() if f"| `{f}` | {look} |" not in text] == []
    view = Board.square(1, 1).as_view(None)
    fields = [*(f"board.{key}" for key in view.pop("board")), *view]
    assert [field for field in fields if f"`{field}`" not in text] == []
    own = [name for name in vars(BoardRules) if not name.startswith("_")]
    common = set(dir(Rules)) - {"dump", "load", "standing", "teams"}
    mine = [name for name in own if name not in common or name in ("due", "finished", "scores")]
    assert [name for name in mine if f"`{name}" not in text] == []
