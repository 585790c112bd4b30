"""Classic minesweeper for one player. The rules in full: games/modes/classic/RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.board import Board
from games.engine.errors import IllegalAction
from games.engine.field import MineField
from games.engine.fields import action, options
from games.engine.game import ALL, Addressed, Event, Setup, Spec, View, Viewer
from games.engine.grid import square8
from games.engine.laying import lay, make_room, read_deal
from games.engine.moves import (
    CODES,
    EVENTS,
    SHAPES,
    Move,
    Reveal,
    check_move,
    fold_move,
    make_move,
    parse_move,
)
from games.engine.options import Flag, Whole, gettext_noop
from games.engine.rng import derive

WIDTH: Final = Whole("width", 2, 100, 9, label=gettext_noop("Columns"))
HEIGHT: Final = Whole("height", 2, 100, 9, label=gettext_noop("Rows"))
MINES: Final = Whole("mines", 1, 9999, 10, label=gettext_noop("Mines"))
NO_GUESS: Final = Flag(
    "no_guess",
    False,
    label=gettext_noop("No guessing"),
    help=gettext_noop("You can solve the board by logic alone. It shows you where to start."),
)
SAFE_FIRST: Final = Flag(
    "safe_first",
    True,
    label=gettext_noop("Safe first click"),
    help=gettext_noop("Your first click always opens an area."),
    advanced=True,
)
OPTIONS: Final = (WIDTH, HEIGHT, MINES, NO_GUESS, SAFE_FIRST)


@dataclass(frozen=True, slots=True)
class Options:
    width: int
    height: int
    mines: int
    safe_first: bool
    no_guess: bool
    """The site deals a board that needs no guess; without a deal the board is any."""


@dataclass(frozen=True, slots=True)
class Hinted:
    """The site gave a hint: the game counts as aided."""


@dataclass(slots=True)
class State:
    seed: bytes
    options: Options
    board: Board
    start: int | None
    """The first cell of a dealt board."""
    first: int | None = None
    """The first cell revealed."""
    started: int | None = None
    ended: int | None = None
    clicks: int = 0
    hints: int = 0


class ClassicRules:
    """Open every safe cell; a mine ends the game."""

    spec = Spec(
        name="classic",
        version=1,
        min_seats=1,
        max_seats=1,
        realtime=True,
        hidden=True,
        actions=(*SHAPES, "hinted"),
        events=(*EVENTS, "timer", "hinted"),
        codes={**CODES, "start_first": "Start at the marked cell."},
        # Nobody waits for a solo player.
        grace_seconds=600,
        leave_grace_seconds=600,
    )

    def parse_options(self, raw: object) -> Options:
        given = options(raw, "width", "height", "mines", "safe_first", "no_guess")
        width, height = WIDTH.read(given), HEIGHT.read(given)
        most = width * height - 1
        return Options(
            width=width,
            height=height,
            mines=MINES.read(given, high=most, default=min(MINES.default, most)),
            safe_first=SAFE_FIRST.read(given),
            no_guess=NO_GUESS.read(given),
        )

    def parse_action(self, raw: object) -> Move | Hinted:
        kind, given = action(raw, {**SHAPES, "hinted": ()})
        return Hinted() if kind == "hinted" else parse_move(kind, given)

    def start(self, setup: Setup) -> State:
        field, start = _lay(setup, None)
        return State(setup.seed, setup.options, Board(field), start)

    def setup_seconds(self, state: State) -> int | None:
        return None

    def is_ready(self, state: State, seat: int) -> bool:
        return True

    def setup_timeout(self, state: State, t: int) -> list[Addressed] | None:
        return None

    def begin(self, state: State, t: int) -> list[Addressed]:
        return []

    def due(self, state: State) -> int | None:
        return None

    def advance(self, state: State, t: int) -> list[Addressed]:
        return []

    def check_action(
        self, state: State, seat: int, action: Move | Hinted, t: int, live: bool
    ) -> None:
        if isinstance(action, Hinted):
            return
        check_move(state.board, action)
        first = state.first is None and isinstance(action, Reveal)
        if first and state.start not in (None, action.cell):
            raise IllegalAction("start_first", "Start at the marked cell.")

    def apply_action(
        self, state: State, seat: int, action: Move | Hinted, t: int
    ) -> list[Addressed]:
        if isinstance(action, Hinted):
            state.hints += 1
            return [Addressed(ALL, {"type": "hinted", "hints": state.hints})]
        events: list[Event] = []
        if state.first is None and isinstance(action, Reveal):
            state.first, state.started = action.cell, t
            if state.start is None and state.options.safe_first:
                state.board.field = _protect(state.board.field, state.seed, action.cell)
            events.append(_timer(state))
        state.clicks += 1
        events += make_move(state.board, action)
        return [Addressed(ALL, event) for event in events]

    def retire(self, state: State, seat: int, t: int) -> list[Addressed]:
        return []

    def finish(self, state: State, t: int) -> list[Addressed]:
        state.ended = t
        return [Addressed(ALL, _timer(state))]

    def finished(self, state: State) -> str | None:
        if state.board.struck:
            return "mine"
        return None if state.board.left else "cleared"

    def standing(self, state: State) -> Sequence[tuple[int, ...]]:
        return [(0,)]

    def scores(self, state: State) -> Sequence[int]:
        """The share of safe cells opened, in percent."""
        board = state.board
        return [(board.safe - board.left) * 100 // board.safe]

    def teams(self, state: State) -> Sequence[int]:
        return (0,)

    def view(self, state: State, viewer: Viewer) -> View:
        return {
            "width": state.options.width,
            "height": state.options.height,
            "mines": state.options.mines,
            "cells": state.board.cells(),
            "start": state.start,
            "started": state.started,
            "ended": state.ended,
            "hints": state.hints,
        }

    def truth(self, state: State) -> View:
        """The mines and the figures of the game. `efficiency` is in percent."""
        board, done = state.board, state.board.bbbv_done()
        started, ended = state.started, state.ended
        return {
            "mines": sorted(board.field.mines),
            "won": board.left == 0,
            "aided": state.hints > 0,
            "time_ms": 0 if started is None or ended is None else ended - started,
            "bbbv": board.field.bbbv(),
            "bbbv_done": done,
            "clicks": state.clicks,
            "efficiency": done * 100 // state.clicks if state.clicks else 0,
        }

    def fold(self, view: View, event: Event) -> None:
        if event["type"] == "timer":
            view["started"], view["ended"] = event["started"], event["ended"]
        elif event["type"] == "hinted":
            view["hints"] = event["hints"]
        else:
            fold_move(view["cells"], event)

    def dump(self, state: State) -> Any:
        rest = [state.first, state.started, state.ended, state.clicks, state.hints]
        return [state.board.dump(), *rest]

    def load(self, raw: Any, setup: Setup) -> State:
        board, first, *rest = raw
        field, start = _lay(setup, first)
        return State(setup.seed, setup.options, Board.load(board, field), start, first, *rest)


def _lay(setup: Setup, first: int | None) -> tuple[MineField, int | None]:
    """The field as it is after this first reveal, and where to start on a dealt one."""
    given: Options = setup.options
    grid = square8(given.width, given.height)
    deal = read_deal(setup.deal, grid, given.mines)
    if deal is not None:
        return deal.field, deal.start
    field = MineField(grid, lay(derive(setup.seed, "mines"), grid.size, given.mines))
    if first is not None and given.safe_first:
        field = _protect(field, setup.seed, first)
    return field, None


def _protect(field: MineField, seed: bytes, first: int) -> MineField:
    mines = make_room(derive(seed, "room"), field.grid, field.mines, first)
    return field if mines == field.mines else MineField(field.grid, mines)


def _timer(state: State) -> Event:
    return {"type": "timer", "started": state.started, "ended": state.ended}
