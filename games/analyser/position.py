"""A position: the board as a player sees it. Read from a link, or from text that was pasted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from games.engine.board import FLAG, HIDDEN, MINE
from games.engine.grid import square8

MOST_CELLS: Final = 2_500
MOST_TEXT: Final = 20_000
"""Characters of a pasted text."""
MOST_RUN: Final = 26

_SIGN: Final = {HIDDEN: "H", FLAG: "F", MINE: "M", **{n: str(n) for n in range(9)}}
_CODES: Final = {sign: code for code, sign in _SIGN.items()}
_CODE: Final = re.compile(r"(\d{1,4})x(\d{1,4})x(\d{1,5})[-:]([0-8HFMb-z]*)")
_HEADER: Final = re.compile(r"(\d{1,4})\s*[x×,;]\s*(\d{1,4})(?:\s*[x×,;]\s*(\d{1,5}))?")
_MINES: Final = re.compile(r"(?:mines?\s*[:=]?\s*(\d{1,5})|(\d{1,5})\s*mines?)", re.IGNORECASE)
_TEXT: Final = {
    **{str(n): n for n in range(9)},
    **dict.fromkeys(" _□⬜", 0),
    **dict.fromkeys("#Hh?.■█▒▓⬛🟦🟩", HIDDEN),
    **dict.fromkeys("Ff!🚩⚑", FLAG),
    **dict.fromkeys("*MmXxBb💣💥", MINE),
}
_UNSEEN: Final = dict.fromkeys(map(ord, "\ufe0f\ufe0e\u20e3\u200b\u200d\ufeff\r"))
"""Parts of emoji, such as those of the keycap 1, and characters without width."""

CODES: Final = {
    "position_empty": "There is no board in this text.",
    "position_too_large": "A position has at most {most} cells.",
    "position_sign": "“{sign}” in row {row}, column {column} isn’t a cell. Use 0 to 8 for open "
    "cells, # for closed ones, F for flags and * for mines.",
    "position_row": "Row {row} has {found} cells, and row 1 has {wanted}.",
    "position_size": "The text says {wanted} cells and has {found}.",
    "position_mines": "Say how many mines the board has: from 0 to {most}.",
    "position_cell": "That isn’t a cell of this board.",
}
"""Why a text is no position."""


class PositionError(ValueError):
    """`code` is one of CODES, and `about` fills its text."""

    def __init__(self, code: str, **about: Any) -> None:
        super().__init__(CODES[code].format(**about))
        self.code, self.about = code, about


@dataclass(frozen=True, slots=True)
class Position:
    """`cells` as in games/engine/board.py: a number, HIDDEN, FLAG, or MINE for a known mine.
    `mines` are all mines of the board, the known ones included."""

    width: int
    height: int
    mines: int
    cells: tuple[int, ...]

    @property
    def code(self) -> str:
        """The position in a line that is safe in a web address; `read` reads it."""
        runs = []
        for cell, run in groupby(self.cells):
            left = len(list(run))
            while left:
                length = min(left, MOST_RUN)
                repeat = chr(ord("a") + length - 1) if length > 1 else ""
                runs.append(_SIGN[cell] + repeat)
                left -= length
        return f"{self.width}x{self.height}x{self.mines}-{''.join(runs)}"

    @property
    def neighbours(self) -> Sequence[tuple[int, ...]]:
        return square8(self.width, self.height).neighbours


def read(text: str, mines: int | None = None) -> Position:
    """The position in this text: a code, or rows of cells; raises PositionError. `mines` counts
    when the text doesn't say how many there are."""
    if len(text) > MOST_TEXT:
        raise PositionError("position_too_large", most=MOST_CELLS)
    if found := _CODE.fullmatch(text.strip()):
        width, height, said = (int(found[n]) for n in (1, 2, 3))
        return _checked(width, height, said, _unpacked(found[4]))
    return _from_rows(text, mines)


def _unpacked(runs: str) -> list[int]:
    cells: list[int] = []
    for sign in runs:
        if sign in _CODES:
            cells.append(_CODES[sign])
        elif cells:
            cells += [cells[-1]] * (ord(sign) - ord("a"))
        if len(cells) > MOST_CELLS:
            raise PositionError("position_too_large", most=MOST_CELLS)
    return cells


def _from_rows(text: str, mines: int | None) -> Position:
    lines = text.translate(_UNSEEN).expandtabs(1).split("\n")
    lines = [line for line in lines if line.strip("-=+ ") and line.strip().upper() != "GRID"]
    size: tuple[int, int] | None = None
    while lines and (said := _header(lines[0])):
        size, mines = said[0] or size, mines if said[1] is None else said[1]
        lines.pop(0)
    if not lines:
        raise PositionError("position_empty")
    rows = _squared([_row(line, y) for y, line in enumerate(lines)], " " in "".join(lines))
    width, height = len(rows[0]), len(rows)
    if size is not None and size != (width, height):
        asked = f"{size[0]}×{size[1]}"
        raise PositionError("position_size", wanted=asked, found=f"{width}×{height}")
    return _checked(width, height, mines, [cell for row in rows for cell in row])


def _header(line: str) -> tuple[tuple[int, int] | None, int | None] | None:
    """Size and mines, as far as this line says them; None when it is no header."""
    if found := _MINES.fullmatch(line.strip()):
        return None, int(found[1] or found[2])
    if found := _HEADER.fullmatch(line.strip()):
        return (int(found[1]), int(found[2])), int(found[3]) if found[3] else None
    return None


def _row(line: str, y: int) -> list[int]:
    for x, sign in enumerate(line):
        if sign not in _TEXT:
            raise PositionError("position_sign", sign=sign, row=y + 1, column=x + 1)
    return [_TEXT[sign] for sign in line]


def _squared(rows: list[list[int]], spaces: bool) -> list[list[int]]:
    """Spaces at the ends of lines get lost: if spaces are cells, short rows end in open ones."""
    width = max(map(len, rows)) if spaces else len(rows[0])
    for y, row in enumerate(rows):
        if spaces:
            row += [0] * (width - len(row))
        elif len(row) != width:
            raise PositionError("position_row", row=y + 1, found=len(row), wanted=width)
    return rows


def _checked(width: int, height: int, mines: int | None, cells: list[int]) -> Position:
    size = width * height
    if size > MOST_CELLS or len(cells) > MOST_CELLS:
        raise PositionError("position_too_large", most=MOST_CELLS)
    if not size:
        raise PositionError("position_empty")
    if len(cells) != size:
        raise PositionError("position_size", wanted=size, found=len(cells))
    if mines is None or not 0 <= mines <= size:
        raise PositionError("position_mines", most=size)
    return Position(width, height, mines, tuple(cells))
