"""One game of the contest: a state out, a move in. The player never sees these objects."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.board import FLAG, HIDDEN, MINE, Board
from games.engine.field import MineField
from games.engine.grid import SquareGrid
from games.engine.laying import lay, make_room
from games.engine.rng import Rng

MAX_TURNS = 1000

Cell = str | int


class WrongMove(Exception):
    """The player returned something that is not a move on this board."""


@dataclass(frozen=True, slots=True)
class Result:
    won: bool
    reason: str
    turns: int


class ContestGame:
    """Reveals and flags until the board is cleared, a mine is hit or the turns run out."""

    def __init__(self, grid: SquareGrid, mines: int, rng: Rng, safe_first: bool = False) -> None:
        self._grid = grid
        self._rng = rng
        self._safe_first = safe_first
        self.board = Board(MineField(grid, lay(rng, grid.size, mines)))
        self.turns = 0
        self.result: Result | None = None

    def state(self) -> list[list[Cell]]:
        """`state[y][x]`: 'unknown', 'flag', 'mine' or the number of adjacent mines."""
        words: dict[int, Cell] = {HIDDEN: "unknown", FLAG: "flag", MINE: "mine"}
        cells = [words.get(cell, cell) for cell in self.board.cells()]
        width = self._grid.width
        return [cells[start : start + width] for start in range(0, len(cells), width)]

    def play(self, move: object) -> None:
        """Carry out `(x, y)` or `(x, y, flag)`; raises WrongMove and changes nothing."""
        cell, flag = self._parse(move)
        self.turns += 1
        if flag:
            if self.board.is_hidden(cell):
                self.board.flag(cell, cell not in self.board.flags)
        else:
            self._reveal(cell)
        if self.board.struck:
            self.lose("revealed a mine")
        elif not self.board.left:
            self.result = Result(True, "cleared the board", self.turns)
        elif self.turns >= MAX_TURNS:
            self.lose(f"not finished after {MAX_TURNS} turns")

    def _reveal(self, cell: int) -> None:
        board = self.board
        if self._safe_first and board.left == board.safe:
            moved = make_room(self._rng, self._grid, board.field.mines, cell)
            self.board = Board(MineField(self._grid, moved))
            self.board.flags.update(board.flags)
        self.board.reveal(cell)

    def lose(self, reason: str) -> None:
        self.result = Result(False, reason, self.turns)

    def _parse(self, move: object) -> tuple[int, bool]:
        if not isinstance(move, (list, tuple)) or len(move) not in (2, 3):
            raise WrongMove("a move is (x, y) or (x, y, flag)")
        x, y = move[0], move[1]
        if type(x) is not int or type(y) is not int:
            raise WrongMove("x and y are whole numbers")
        cell = self._grid.cell(x, y)
        if cell is None:
            raise WrongMove("x and y are not on the board")
        return cell, len(move) == 3 and bool(move[2])
