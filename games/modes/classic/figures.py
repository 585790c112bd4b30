"""The figures of a finished game, for statistics and leaderboards."""

from __future__ import annotations

from collections import Counter
from typing import Final

from games.engine.figures import Figures, Moves
from games.engine.standard import BOARDS

from .rules import Options, State

COUNTED: Final = ("reveal", "flag", "chord")


def figures(state: State, moves: Moves) -> Figures | None:
    """None of a game that ended before its first reveal."""
    started, ended = state.started, state.ended
    if started is None or ended is None:
        return None
    kinds = Counter(action["type"] for _t, action in moves)
    return Figures(
        board=_board(state.options),
        no_guess=state.options.no_guess,
        won=state.board.left == 0 and not state.board.struck,
        time_ms=ended - started,
        bbbv=state.board.field.bbbv(),
        bbbv_done=state.board.bbbv_done(),
        reveals=kinds["reveal"],
        flags=kinds["flag"],
        chords=kinds["chord"],
        beats=tuple(t - started for t, action in moves if action["type"] in COUNTED),
    )


def _board(options: Options) -> str:
    """The standard board of this size, if there is one."""
    size = {"width": options.width, "height": options.height, "mines": options.mines}
    return next((board.name for board in BOARDS if board.options == size), "")
