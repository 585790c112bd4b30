"""A race on copies of one board. The rules in full: games/modes/race/RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.board import Board
from games.engine.errors import IllegalAction
from games.engine.field import MineField
from games.engine.fields import action, options
from games.engine.game import ALL, ONLY, Addressed, Event, Setup, Spec, View, Viewer
from games.engine.grid import square8
from games.engine.laying import lay, make_room, read_deal
from games.engine.moves import (
    CODES,
    EVENTS,
    SHAPES,
    Move,
    check_move,
    fold_move,
    make_move,
    opening,
    parse_move,
)
from games.engine.options import Flag, Whole, gettext_noop
from games.engine.rng import derive

OPENING = 9
"""The start and its neighbours, which are always free of mines on a board that is not dealt."""

WIDTH: Final = Whole("width", 4, 100, 30, label=gettext_noop("Columns"), advanced=True)
HEIGHT: Final = Whole("height", 4, 100, 16, label=gettext_noop("Rows"), advanced=True)
MINES: Final = Whole("mines", 1, 10_000 - OPENING, 99, label=gettext_noop("Mines"), advanced=True)
PENALTY: Final = Whole(
    "penalty_seconds",
    1,
    60,
    5,
    label=gettext_noop("Penalty for the first mine"),
    help=gettext_noop("The second mine costs twice as much, the third three times as much."),
    unit=gettext_noop("s"),
)
NO_GUESS: Final = Flag("no_guess", True, label=gettext_noop("No-guess board"))
LIMIT: Final = Whole(
    "limit_seconds",
    10,
    3600,
    600,
    label=gettext_noop("Time limit"),
    unit=gettext_noop("s"),
    advanced=True,
)
OPTIONS: Final = (WIDTH, HEIGHT, MINES, PENALTY, NO_GUESS, LIMIT)


@dataclass(frozen=True, slots=True)
class Options:
    width: int
    height: int
    mines: int
    no_guess: bool
    """The site deals a board that needs no guess; without a deal the board is any."""
    limit_seconds: int
    penalty_seconds: int


@dataclass(slots=True)
class Runner:
    board: Board
    clicks: int = 0
    locked_until: int = 0
    finished: int | None = None
    """Match time at which the board was cleared."""
    out: bool = False


@dataclass(slots=True)
class State:
    options: Options
    field: MineField
    start: int
    given: int
    """The number of safe cells that the start opens for everybody."""
    runners: list[Runner]
    began: int | None = None
    time_up: bool = False


class RaceRules:
    """First to clear the board wins; a mine costs time."""

    spec = Spec(
        name="race",
        version=1,
        min_seats=2,
        max_seats=4,
        realtime=True,
        hidden=True,
        actions=tuple(SHAPES),
        events=(*EVENTS, "began", "progress", "locked", "finished"),
        codes={
            **CODES,
            "locked": "You hit a mine. Wait until the penalty is over.",
        },
        ready_check=True,
    )

    def parse_options(self, raw: object) -> Options:
        given = options(
            raw, "width", "height", "mines", "no_guess", "limit_seconds", "penalty_seconds"
        )
        width, height = WIDTH.read(given), HEIGHT.read(given)
        most = width * height - OPENING
        return Options(
            width=width,
            height=height,
            mines=MINES.read(given, high=most, default=min(MINES.default, most)),
            no_guess=NO_GUESS.read(given),
            limit_seconds=LIMIT.read(given),
            penalty_seconds=PENALTY.read(given),
        )

    def parse_action(self, raw: object) -> Move:
        return parse_move(*action(raw, SHAPES))

    def start(self, setup: Setup) -> State:
        field, start = _lay(setup)
        runners = [Runner(Board(field)) for _ in range(setup.seats)]
        return State(setup.options, field, start, len(field.flood(start)), runners)

    def setup_seconds(self, state: State) -> int | None:
        return 30

    def is_ready(self, state: State, seat: int) -> bool:
        return True

    def setup_timeout(self, state: State, t: int) -> list[Addressed] | None:
        return None

    def begin(self, state: State, t: int) -> list[Addressed]:
        state.began = t
        out = [Addressed(ALL, {"type": "began", "t": t, "ends": _ends(state)})]
        for seat, runner in enumerate(state.runners):
            shown = opening(runner.board, runner.board.reveal(state.start))
            out.append(Addressed(ONLY[seat], shown))
        for seat in range(len(state.runners)):
            out += _reach(state, seat, 0, t)
        return out

    def due(self, state: State) -> int | None:
        return None if state.time_up else _ends(state)

    def advance(self, state: State, t: int) -> list[Addressed]:
        ends = _ends(state)
        state.time_up = ends is not None and t >= ends
        return []

    def check_action(self, state: State, seat: int, action: Move, t: int, live: bool) -> None:
        if not live:
            raise IllegalAction("not_started", "The match hasn't started yet.")
        runner = state.runners[seat]
        if runner.finished is not None:
            raise IllegalAction("finished", "You have already finished.")
        if t < runner.locked_until:
            raise IllegalAction("locked", self.spec.codes["locked"])
        check_move(runner.board, action)

    def apply_action(self, state: State, seat: int, action: Move, t: int) -> list[Addressed]:
        runner = state.runners[seat]
        board = runner.board
        percent, strikes = _percent(state, board), len(board.struck)
        runner.clicks += 1
        out = [Addressed(ONLY[seat], event) for event in make_move(board, action)]
        if len(board.struck) > strikes:
            penalty = state.options.penalty_seconds * 1000 * len(board.struck)
            runner.locked_until = t + penalty
            out.append(Addressed(ALL, _locked(seat, runner)))
        return out + _reach(state, seat, percent, t)

    def retire(self, state: State, seat: int, t: int) -> list[Addressed]:
        state.runners[seat].out = True
        return []

    def settled(self, state: State, seat: int) -> bool:
        return state.runners[seat].finished is not None

    def finish(self, state: State, t: int) -> list[Addressed]:
        return []

    def finished(self, state: State) -> str | None:
        running = sum(r.finished is None and not r.out for r in state.runners)
        if any(r.finished is not None for r in state.runners) and running < 2:
            return "finished"
        return "time" if state.time_up else None

    def standing(self, state: State) -> Sequence[tuple[int, ...]]:
        return [
            (0, r.board.safe - r.board.left) if r.finished is None else (1, -r.finished)
            for r in state.runners
        ]

    def scores(self, state: State) -> Sequence[int]:
        return [_percent(state, r.board) for r in state.runners]

    def teams(self, state: State) -> Sequence[int]:
        return range(len(state.runners))

    def view(self, state: State, viewer: Viewer) -> View:
        return {
            "width": state.options.width,
            "height": state.options.height,
            "mines": state.options.mines,
            "began": state.began,
            "ends": _ends(state),
            "cells": None if viewer is None else state.runners[viewer].board.cells(),
            "players": [
                {
                    "percent": _percent(state, r.board),
                    "strikes": len(r.board.struck),
                    "locked_until": r.locked_until,
                    "finished": r.finished,
                }
                for r in state.runners
            ],
        }

    def truth(self, state: State) -> View:
        return {
            "mines": sorted(state.field.mines),
            "start": state.start,
            "bbbv": state.field.bbbv(),
            "players": [
                {
                    "opened": r.board.safe - r.board.left,
                    "struck": list(r.board.struck),
                    "clicks": r.clicks,
                    "time_ms": None if r.finished is None else r.finished - (state.began or 0),
                }
                for r in state.runners
            ],
        }

    def fold(self, view: View, event: Event) -> None:
        kind = event["type"]
        if kind in EVENTS:
            fold_move(view["cells"], event)
        elif kind == "began":
            view["began"], view["ends"] = event["t"], event["ends"]
        else:
            player = view["players"][event["seat"]]
            if kind == "progress":
                player["percent"] = event["percent"]
            elif kind == "locked":
                player["strikes"] = event["strikes"]
                player["locked_until"] = event["until"]
            else:
                player["finished"] = event["t"]

    def dump(self, state: State) -> Any:
        runners = [
            [r.board.dump(), r.clicks, r.locked_until, r.finished, r.out] for r in state.runners
        ]
        return [state.began, state.time_up, runners]

    def load(self, raw: Any, setup: Setup) -> State:
        state = self.start(setup)
        state.began, state.time_up, runners = raw
        state.runners = [Runner(Board.load(board, state.field), *r) for board, *r in runners]
        return state


def _lay(setup: Setup) -> tuple[MineField, int]:
    """The field and where it is opened for everybody."""
    given: Options = setup.options
    grid = square8(given.width, given.height)
    deal = read_deal(setup.deal, grid, given.mines)
    if deal is not None:
        return deal.field, deal.start
    start = derive(setup.seed, "start").below(grid.size)
    mines = lay(derive(setup.seed, "mines"), grid.size, given.mines)
    return MineField(grid, make_room(derive(setup.seed, "room"), grid, mines, start)), start


def _ends(state: State) -> int | None:
    return None if state.began is None else state.began + state.options.limit_seconds * 1000


def _percent(state: State, board: Board) -> int:
    """Of the safe cells that the start left to open; 100 only for a cleared board."""
    if state.began is None:
        return 0
    to_open = board.safe - state.given
    return (to_open - board.left) * 100 // to_open if to_open else 100


def _reach(state: State, seat: int, before: int, t: int) -> list[Addressed]:
    """Tell everybody when a board's percentage has changed, and when it is cleared."""
    runner = state.runners[seat]
    percent = _percent(state, runner.board)
    out: list[Addressed] = []
    if percent != before:
        out.append(Addressed(ALL, {"type": "progress", "seat": seat, "percent": percent}))
    if runner.board.left == 0:
        runner.finished = t
        out.append(Addressed(ALL, {"type": "finished", "seat": seat, "t": t}))
    return out


def _locked(seat: int, runner: Runner) -> Event:
    strikes = len(runner.board.struck)
    return {"type": "locked", "seat": seat, "until": runner.locked_until, "strikes": strikes}
