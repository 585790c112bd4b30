"""Lines of the Battleship text protocol: bytes to requests, and boards of digits to fleets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from games.engine.errors import IllegalAction
from games.modes.battleship.rules.fleet import CELLS, SIDE, Ship, check_fleet

VERBS = ("PLAY", "REDY", "BOM1", "SURR", "AGAN", "QUIT", "AUTH", "BACK")
_WITHOUT_ARGUMENT = ("SURR", "QUIT")

_LINE = re.compile(r"([A-Za-z0-9]{4})(?:[ ,]+(.*))?", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9_-]{1,20}", re.ASCII)
_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)
_BOARD = re.compile(r"[0-6]{100}", re.ASCII)
_CELL = re.compile(r"[0-9]{2}", re.ASCII)


class BadLine(Exception):
    """The line can't be read; the text is the reason for ERRO."""


@dataclass(frozen=True, slots=True)
class Request:
    """A verb in upper case and its argument, not yet looked at."""

    verb: str
    argument: str


def read(line: bytes) -> Request:
    """The request of a line; raises BadLine."""
    try:
        text = line.decode("ascii").strip(" \t")
    except UnicodeDecodeError:
        raise BadLine("only ASCII, please") from None
    match = _LINE.fullmatch(text)
    if match is None or match[1].upper() not in VERBS:
        raise BadLine("unknown command; there are " + ", ".join(VERBS))
    verb, argument = match[1].upper(), (match[2] or "").strip(" \t")
    if bool(argument) == (verb in _WITHOUT_ARGUMENT):
        raise BadLine(f"{verb} takes no argument" if argument else f"{verb} needs an argument")
    return Request(verb, argument)


def read_name(argument: str) -> tuple[str, str]:
    """A name, and the key after it, which is empty when there is none."""
    name, _, key = argument.partition(" ")
    if not _NAME.fullmatch(name):
        raise BadLine("a name is 1 to 20 ASCII letters, digits, _ and -")
    key = key.strip(" ")
    if key and not _KEY.fullmatch(key):
        raise BadLine("a key is 8 to 64 ASCII letters, digits, _ and -")
    return name, key


def read_cell(argument: str) -> int:
    """`xy`: the column, then the row."""
    if not _CELL.fullmatch(argument):
        raise BadLine("BOM1 takes two digits, the column and the row")
    return int(argument[1]) * SIDE + int(argument[0])


def read_again(argument: str) -> bool:
    if argument not in ("0", "1"):
        raise BadLine("AGAN takes 1 for yes or 0 for no")
    return argument == "1"


def read_board(argument: str) -> list[dict[str, Any]]:
    """The ships of a board of 100 digits, row by row: equal digits 1 to 6 form one ship."""
    if not _BOARD.fullmatch(argument):
        raise BadLine("a board is 100 digits from 0 to 6, row by row")
    ships = []
    for digit in "123456":
        cells = [cell for cell in range(CELLS) if argument[cell] == digit]
        if cells:
            ships.append(_ship(digit, cells))
    try:
        check_fleet(ships)
    except IllegalAction as error:
        raise BadLine(error.text) from None
    return [ship.as_json() for ship in ships]


def _ship(digit: str, cells: list[int]) -> Ship:
    vertical = len(cells) > 1 and cells[1] - cells[0] == SIDE
    ship = Ship(cells[0], len(cells), vertical)
    if not ship.inside or list(ship.cells) != cells:
        raise BadLine(f"the ship of the digit {digit} is not one straight line")
    return ship


def result(cell: int, hit: bool) -> str:
    return f"RES1 {cell % SIDE}{cell // SIDE}{int(hit)}"
