"""Bridge: connect your two sides of a board of hexagons."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.boardgame import EVENTS, Action, Board, BoardRules, Move
from games.engine.errors import IllegalAction
from games.engine.game import Setup, Spec, Viewer
from games.engine.grid import hex_rows
from games.engine.mode import Mode
from games.engine.options import Preset, Whole, gettext_noop

PLACE = Action("place", gettext_noop("Place a stone"))
OPTIONS = (Whole("size", 3, 15, 7, label=gettext_noop("Size"), unit=gettext_noop("cells")),)
MOVE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Options:
    size: int = 7


@dataclass
class State:
    size: int
    stones: list[int | None]
    turn: int = 0
    ends: int = 0
    winner: int | None = None
    late: bool = False


class BridgeRules(BoardRules[State]):
    """Seat 0 connects top and bottom, seat 1 left and right."""

    spec = Spec(
        name="bridge",
        version=1,
        min_seats=2,
        max_seats=2,
        realtime=False,
        hidden=False,
        actions=("place",),
        events=EVENTS,
        codes={"taken": "There is a stone already."},
    )
    moves = (PLACE,)
    state_type = State
    options = OPTIONS
    options_type = Options

    def start(self, setup: Setup) -> State:
        return State(setup.options.size, [None] * setup.options.size**2)

    def turn(self, state: State) -> int | None:
        return state.turn

    def on_begin(self, state: State, t: int) -> None:
        state.ends = t + MOVE_MS

    def due(self, state: State) -> int | None:
        return state.ends if state.winner is None else None

    def on_timer(self, state: State, t: int) -> None:
        state.winner, state.late = 1 - state.turn, True

    def check(self, state: State, seat: int, move: Move, t: int) -> None:
        if state.stones[move.cell] is not None:
            raise IllegalAction("taken", "There is a stone already.")

    def on_move(self, state: State, seat: int, move: Move, t: int) -> None:
        state.stones[move.cell] = seat
        if self.connected(state, seat):
            state.winner = seat
        state.turn, state.ends = 1 - seat, t + MOVE_MS

    def connected(self, state: State, seat: int) -> bool:
        grid, last = hex_rows(state.size, state.size), state.size - 1
        along = 1 if seat == 0 else 0  # which coordinate grows from side to side
        mine = [cell for cell, owner in enumerate(state.stones) if owner == seat]
        reached = {cell for cell in mine if grid.coords(cell)[along] == 0}
        while (
            more := {near for cell in reached for near in grid.neighbours[cell] if near in mine}
            - reached
        ):
            reached |= more
        return any(grid.coords(cell)[along] == last for cell in reached)

    def finished(self, state: State) -> str | None:
        if state.winner is None:
            return None
        return "time" if state.late else "connected"

    def scores(self, state: State) -> list[int]:
        return [int(state.winner == seat) for seat in range(2)]

    def look(self, state: State, viewer: Viewer) -> Board:
        board = Board.hex(state.size, state.size)
        for cell, seat in enumerate(state.stones):
            if seat is not None:
                board.put(cell, "stone", seat)
        board.scores = [state.stones.count(seat) for seat in range(2)]
        board.note = ("Connect top and bottom.", "Connect left and right.", None)[
            2 if viewer is None else viewer
        ]
        if state.winner is not None and not state.late:
            board.note = "The bridge stands."
        board.countdown("To move", state.ends)
        if viewer == state.turn:
            board.offer(PLACE)
        return board


MODE = Mode(
    name="bridge",
    title=gettext_noop("Bridge"),
    blurb=gettext_noop("Connect your two sides before the other does."),
    in_short=(gettext_noop("Place one stone a turn. A chain from side to side wins."),),
    rules=BridgeRules(),
    options=OPTIONS,
    presets=(Preset("small", gettext_noop("Small"), {"size": 3}),),
    reasons={"connected": gettext_noop("connected")},
)
