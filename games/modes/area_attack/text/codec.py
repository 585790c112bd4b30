"""Messages of the Area Attack text protocol."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.errors import BadOptions
from games.modes.area_attack.rules.options import parse_options

MAX_NAME = 32
LEAVE = "\x00"

_POSITION = re.compile(r"\s*([+-]?[0-9]{1,6})\s*\n\s*([+-]?[0-9]{1,6})\s*", re.ASCII)
_NAME = re.compile(rf"(?=.{{1,{MAX_NAME}}}\Z)[A-Za-z0-9_-]+( [A-Za-z0-9_-]+)*", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,4}(\.[0-9]{0,9})?|\.[0-9]{1,9}", re.ASCII)


class BadMessage(Exception):
    """The message can't be read; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game as its creator wrote it: `density` is kept as text for the first message."""

    name: str
    size: int
    density: str

    def as_json(self) -> dict[str, Any]:
        """The game as its room keeps it; the room has the name."""
        return {"size": self.size, "density": self.density}


def options(game: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the match that a room's game becomes."""
    return {"size": game["size"], "density": float(game["density"])}


def name_problem(name: str) -> str | None:
    """The reason why this can't be a player's name."""
    if "\n" in name or "\r" in name:
        return "Names cannot contain newlines."
    if not _NAME.fullmatch(name):
        return f"A name has 1 to {MAX_NAME} letters a to z, digits, _, - and single spaces."
    return None


def _is_game_name(name: str) -> bool:
    return 1 <= len(name) <= MAX_NAME and name.isprintable() and name == name.strip()


def read_new_game(text: str) -> NewGame:
    """`<game>\\narea attack\\n<size>\\n<p>`, without the command letter."""
    parts = text.split("\n")
    if len(parts) != 4:
        raise BadMessage("A new game is n<game>, area attack, the size and p, a line each.")
    name, kind, size, density = parts
    if kind.strip().lower() != "area attack":
        raise BadMessage("This game type is not supported.")
    if not _is_game_name(name):
        raise BadMessage(f"A game's name has 1 to {MAX_NAME} printable characters.")
    if not re.fullmatch(r"[0-9]{1,4}", size.strip(), re.ASCII):
        raise BadMessage("The size is a whole number from 16 to 100.")
    if not _NUMBER.fullmatch(density.strip()):
        raise BadMessage("p is a number from 0.05 to 0.35.")
    game = NewGame(name, int(size), density.strip())
    try:
        parse_options(options(game.as_json()))
    except BadOptions as bad:
        raise BadMessage(bad.text) from None
    return game


def read_position(text: str, size: int) -> int:
    """The cell of `x\\ny`."""
    match = _POSITION.fullmatch(text)
    if match is None:
        raise BadMessage("Send a square as x and y, a line each.")
    x, y = int(match[1]), int(match[2])
    if not (0 <= x < size and 0 <= y < size):
        raise BadMessage(f"That square is not on the board: x and y are from 0 to {size - 1}.")
    return y * size + x


def opening(size: int, density: str) -> str:
    return f"multiplayer minesweeper\n{size}\n{density}"


def at(cell: int, size: int, code: str, data: str = "") -> str:
    return f"{cell % size}\n{cell // size}\n{code}{data}"


def message(text: str) -> str:
    """A text for the player; its place has no meaning."""
    return f"0\n0\nm{text}"


def joined(name: str) -> str:
    return f"0\n0\nj{name}"
