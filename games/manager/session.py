"""The manager's side of the protocol: a line in, lines out. No IO, no clock."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from games.engine.board import FLAG, HIDDEN, MINE, Board
from games.engine.field import MineField
from games.engine.grid import square8
from games.engine.laying import scatter
from games.engine.rng import Rng

MAX_SIDE = 1000
DEFAULT_SIZE = (10, 10)
DEFAULT_RATE = 0.15

_PAIR = re.compile(r"\s*([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})\s*", re.ASCII)
_RATE = re.compile(r"[+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Result:
    """One finished game."""

    won: bool
    discovery: float
    """Share of the safe cells that were found, 0 to 100."""
    reason: str


class Refusal(Exception):
    """A command that exists but can't be carried out."""


class ManagerSession:
    """One AI's games, one after another. `rng_for(n)` gives the generator of the nth grid.

    `command` never raises: what it can't do it answers with UNKWOWN or ERROR, and the game goes on.
    """

    def __init__(
        self,
        rng_for: Callable[[int], Rng],
        on_end: Callable[[Result], None],
        hidden: str = "#",
        safe_first: bool = False,
    ) -> None:
        self._rng_for = rng_for
        self._on_end = on_end
        self._hidden = hidden
        self._safe_first = safe_first
        self.board: Board | None = None
        """Of the last game, if there was one."""
        self._grid = square8(1, 1)
        self._ended = False
        self._started = 0
        self.picks = 0

    @property
    def playing(self) -> bool:
        return self.board is not None and not self._ended

    def command(self, line: bytes) -> list[str]:
        """The lines that answer this one."""
        text = line.decode("ascii", "replace").strip()
        verb, _, rest = text.partition(" ")
        try:
            if verb.upper() == "START":
                return self._start(rest)
            if verb.upper() == "PICK":
                return self._pick(rest)
        except Refusal as refusal:
            return [f"ERROR {refusal}"]
        return [f"UNKWOWN there is no command {verb[:32]!a}; there are START and PICK"]

    def lose(self, reason: str) -> None:
        """The AI can't go on: the game it plays, or owes, is lost."""
        discovery = self._discovery(self.board) if self.board and self.playing else 0.0
        self._ended = True
        self._on_end(Result(False, discovery, reason))

    def _start(self, rest: str) -> list[str]:
        width, height = DEFAULT_SIZE
        rate = DEFAULT_RATE
        words = rest.split()
        while words:
            option = words.pop(0)
            if option not in ("--dimensions", "--mines-spawning-rate"):
                raise Refusal(f"START has no option {option[:32]!a}")
            if not words:
                raise Refusal(f"{option} needs a value")
            value = words.pop(0)
            if option == "--dimensions":
                width, height = _dimensions(value)
            else:
                rate = _rate(value)
        self._grid = square8(width, height)
        mines = scatter(self._rng_for(self._started), self._grid.size, rate)
        self.board = Board(MineField(self._grid, mines))
        self._started += 1
        self._ended = False
        return self._picture(self.board)

    def _pick(self, rest: str) -> list[str]:
        pair = _PAIR.fullmatch(rest)
        if pair is None:
            raise Refusal("PICK takes a column and a row: PICK 3,4")
        board = self.board
        if board is None:
            raise Refusal("START a game first")
        if self._ended:
            raise Refusal("the game is over; START a new one")
        x, y = int(pair[1]), int(pair[2])
        cell = self._grid.cell(x, y)
        if cell is None:
            raise Refusal(f"{x},{y} is outside the grid of {self._grid.width},{self._grid.height}")
        if not board.is_hidden(cell):
            raise Refusal(f"{x},{y} is open already")
        if self._safe_first and board.left == board.safe:
            # Cells are mines independently of each other: without this one it is still such a grid.
            board = self.board = Board(MineField(self._grid, board.field.mines - {cell}))
        board.reveal(cell)
        self.picks += 1
        lines = self._picture(board)
        if board.struck or not board.left:
            self._ended = True
            won = not board.struck
            discovery = self._discovery(board)
            lines.append(f"END {percent(discovery, won)}%")
            self._on_end(Result(won, discovery, "cleared" if won else "mine"))
        return lines

    @staticmethod
    def _discovery(board: Board) -> float:
        return 100 * (board.safe - board.left) / board.safe if board.safe else 0.0

    def _picture(self, board: Board) -> list[str]:
        signs = {0: " ", HIDDEN: self._hidden, FLAG: self._hidden, MINE: "X"}
        text = "".join([signs.get(cell) or str(cell) for cell in board.cells()])
        width = self._grid.width
        rows = [text[start : start + width] for start in range(0, len(text), width)]
        return ["GRID", "---", *rows, "---"]


def percent(value: float, won: bool) -> str:
    """At most two decimals, no trailing zeros; 100 is only for a game that was won."""
    shown = value if won else min(value, 99.99)
    return f"{shown:.2f}".rstrip("0").rstrip(".")


def _dimensions(value: str) -> tuple[int, int]:
    pair = _PAIR.fullmatch(value)
    if pair is None:
        raise Refusal("--dimensions takes columns and rows: --dimensions 10,10")
    width, height = int(pair[1]), int(pair[2])
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise Refusal(f"dimensions must be from 1,1 to {MAX_SIDE},{MAX_SIDE}")
    return width, height


def _rate(value: str) -> float:
    if len(value) > 32 or _RATE.fullmatch(value) is None or float(value) > 1:
        raise Refusal("--mines-spawning-rate must be from 0 to 1")
    return float(value)
