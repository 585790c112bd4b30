"""One player's board: a mine field, and what of it is open, flagged or blown up.

No rules of a match are here, and no size limit: every mode in which a player has a board of their
own plays on it, and so do the AI manager and the contest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from .field import MineField

HIDDEN: Final = -1
FLAG: Final = -2
MINE: Final = -3

_DIGITS: Final = bytes([ord("0"), ord("1")]) + bytes(254)


class Board:
    """A cell that is open never closes again. `left` is the number of safe cells still hidden, so
    the board is cleared when it is 0. A struck mine stays in `struck`, in the order of the
    strikes."""

    __slots__ = ("field", "flags", "left", "opened", "struck")

    def __init__(self, field: MineField) -> None:
        self.field = field
        self.opened = bytearray(field.grid.size)
        self.flags: set[int] = set()
        self.struck: list[int] = []
        self.left = field.grid.size - len(field.mines)

    @property
    def safe(self) -> int:
        """The number of safe cells of the field."""
        return self.field.grid.size - len(self.field.mines)

    def is_hidden(self, cell: int) -> bool:
        """Neither open nor a struck mine; perhaps flagged."""
        return not self.opened[cell] and cell not in self.struck

    def reveal(self, cell: int) -> list[int]:
        """The cells that open: this one, or its whole opening; flags on them go. None when it is
        a mine, which is then struck, or when it was not hidden."""
        if not self.is_hidden(cell):
            return []
        if cell in self.field.mines:
            self.flags.discard(cell)
            self.struck.append(cell)
            return []
        opened = self.opened
        fresh = [c for c in self.field.flood(cell) if not opened[c]]
        for c in fresh:
            opened[c] = 1
        self.flags.difference_update(fresh)
        self.left -= len(fresh)
        return fresh

    def flag(self, cell: int, on: bool) -> None:
        """Mark a hidden cell, or take the mark away."""
        if on:
            self.flags.add(cell)
        else:
            self.flags.discard(cell)

    def chord(self, cell: int) -> list[int] | None:
        """The cells that a chord on this open cell would reveal: its hidden neighbours without a
        flag, in the grid's order. None when flags and struck mines around it are not its number."""
        around = self.field.grid.neighbours[cell]
        known = sum(c in self.flags or c in self.struck for c in around)
        if known != self.field.numbers[cell]:
            return None
        return [c for c in around if self.is_hidden(c) and c not in self.flags]

    def cells(self) -> list[int]:
        """The player's sight of each cell: HIDDEN, FLAG, MINE (struck), or an open cell's
        number."""
        numbers = self.field.numbers
        cells = [numbers[c] if is_open else HIDDEN for c, is_open in enumerate(self.opened)]
        for c in self.flags:
            cells[c] = FLAG
        for c in self.struck:
            cells[c] = MINE
        return cells

    def numbers(self, cells: Iterable[int]) -> list[int]:
        return [self.field.numbers[c] for c in cells]

    def bbbv_done(self) -> int:
        """The part of the field's 3BV that is open."""
        in_opening: set[int] = set()
        done = 0
        for opening in self.field.openings:
            in_opening.update(opening)
            done += self.opened[opening[0]]
        return done + sum(is_open and c not in in_opening for c, is_open in enumerate(self.opened))

    def dump(self) -> Any:
        """JSON from which `load` makes an equal board on an equal field."""
        return [self.opened.translate(_DIGITS).decode(), sorted(self.flags), self.struck]

    @classmethod
    def load(cls, raw: Any, field: MineField) -> Board:
        opened, flags, struck = raw
        board = cls(field)
        board.opened = bytearray(map(int, opened))
        board.flags.update(flags)
        board.struck.extend(struck)
        board.left -= sum(board.opened)
        return board
