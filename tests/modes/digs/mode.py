"""Digs: find the treasure under a square field; your flags are your secret."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.boardgame import EVENTS, Action, Board, BoardRules, Move, next_seat
from games.engine.errors import IllegalAction
from games.engine.game import Setup, Spec, Viewer
from games.engine.grid import square8
from games.engine.mode import Mode
from games.engine.options import gettext_noop
from games.engine.rng import derive

DIG = Action("dig", gettext_noop("Dig"))
FLAG = Action("flag", gettext_noop("Flag"))
PASS = Action("pass", gettext_noop("Pass"), "none")
WIDTH, HEIGHT = 6, 4
HOLES = (0, 5)
"""Corners that are no part of the field."""


@dataclass
class State:
    turn: int
    treasure: int
    dug: list[int | None]
    flags: list[list[int]]
    out: list[int]
    finder: int | None = None


class DigsRules(BoardRules[State]):
    """Players dig in turn. The treasure is in the lower half; a 1 is next to it."""

    spec = Spec(
        name="digs",
        version=1,
        min_seats=2,
        max_seats=4,
        realtime=False,
        hidden=True,
        actions=("dig", "flag", "pass"),
        events=EVENTS,
        codes={"dug": "Somebody has dug there."},
        ready_check=True,
    )
    moves = (DIG, FLAG, PASS)
    state_type = State

    def start(self, setup: Setup) -> State:
        random = derive(setup.seed, "treasure")
        treasure = random.choice(range(WIDTH * HEIGHT // 2, WIDTH * HEIGHT))
        dug: list[int | None] = [None] * WIDTH * HEIGHT
        return State(0, treasure, dug, [[] for _ in range(setup.seats)], [])

    def turn(self, state: State) -> int | None:
        return state.turn

    def check(self, state: State, seat: int, move: Move, t: int) -> None:
        if move.type != "pass" and state.dug[move.cell] is not None:
            raise IllegalAction("dug", "Somebody has dug there.")

    def on_move(self, state: State, seat: int, move: Move, t: int) -> None:
        if move.type == "flag":
            flags = state.flags[seat]
            (flags.remove if move.cell in flags else flags.append)(move.cell)
            return
        if move.type == "dig":
            state.dug[move.cell] = seat
            if move.cell == state.treasure:
                state.finder = seat
        state.turn = next_seat(seat, len(state.flags), state.out)

    def on_retire(self, state: State, seat: int, t: int) -> None:
        state.out.append(seat)
        if state.turn == seat:
            state.turn = next_seat(seat, len(state.flags), state.out)

    def finished(self, state: State) -> str | None:
        return None if state.finder is None else "found"

    def scores(self, state: State) -> list[int]:
        return [int(seat == state.finder) for seat in range(len(state.flags))]

    def field(self, state: State) -> Board:
        """The facts that everybody knows."""
        board = Board.square(WIDTH, HEIGHT, "hidden")
        for cell in HOLES:
            board.put(cell, "void")
        for cell, seat in enumerate(state.dug):
            if seat is not None:
                near = state.treasure in square8(WIDTH, HEIGHT).neighbours[cell]
                board.put(cell, "plain", seat, "1" if near else "")
        if state.finder is not None:
            board.put(state.treasure, "goal", state.finder)
        return board

    def look(self, state: State, viewer: Viewer) -> Board:
        board = self.field(state)
        dug = [state.dug.count(seat) for seat in range(len(state.flags))]
        board.scores = [count if seat == viewer else "?" for seat, count in enumerate(dug)]
        if viewer is not None:
            for cell in state.flags[viewer]:
                if state.dug[cell] is None:
                    board.put(cell, "flag")
        if viewer == state.turn:
            free = [cell for cell, face in enumerate(board.cells) if face in ("hidden", "flag")]
            board.offer(DIG, cells=free)
            board.offer(FLAG, PASS)
        return board

    def reveal(self, state: State) -> Board:
        board = self.field(state)
        board.put(state.treasure, "goal", state.finder)
        return board


MODE = Mode(
    name="digs",
    title=gettext_noop("Digs"),
    blurb=gettext_noop("Find the treasure before the others do."),
    rules=DigsRules(),
    reasons={"found": gettext_noop("treasure found")},
)
