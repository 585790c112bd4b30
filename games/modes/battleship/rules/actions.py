"""What strangers send: the options of a match, and the two actions."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import fields

from .fleet import LENGTHS, Fleet, Ship


@dataclass(frozen=True, slots=True)
class Options:
    turn_seconds: int = 30
    first: int = 0
    """The seat that attacks first."""
    setup_seconds: int = 90


@dataclass(frozen=True, slots=True)
class Place:
    ships: Fleet


@dataclass(frozen=True, slots=True)
class Bomb:
    cell: int


Action = Place | Bomb


def parse_options(raw: object) -> Options:
    given = fields.options(raw, "turn_seconds", "first", "setup_seconds")
    return Options(
        turn_seconds=given.whole("turn_seconds", 1, 600, 30),
        first=given.whole("first", 0, 1, 0),
        setup_seconds=given.whole("setup_seconds", 1, 600, 90),
    )


def parse_action(raw: object) -> Action:
    kind, given = fields.action(raw, {"place": ("ships",), "bomb": ("cell",)})
    if kind == "bomb":
        return Bomb(given.cell())
    ships = given.objects("ships", ("cell", "length", "vertical"), len(LENGTHS))
    return Place(
        tuple(
            Ship(ship.cell(), ship.whole("length", 1, 5), ship.flag("vertical")) for ship in ships
        )
    )
