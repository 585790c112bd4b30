"""Parses untrusted input: the options of a match, and the two actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine import fields
from games.engine.options import Whole, gettext_noop

from .fleet import LENGTHS, Fleet, Ship

TURN: Final = Whole(
    "turn_seconds",
    1,
    600,
    30,
    label=gettext_noop("Time per turn"),
    unit=gettext_noop("s"),
)
FIRST: Final = Whole(
    "first",
    0,
    1,
    0,
    label=gettext_noop("Who starts"),
    choices=((0, gettext_noop("the first seat")), (1, gettext_noop("the second seat"))),
    advanced=True,
)
SETUP: Final = Whole(
    "setup_seconds",
    1,
    600,
    90,
    label=gettext_noop("Time to place the fleet"),
    unit=gettext_noop("s"),
    advanced=True,
)
OPTIONS: Final = (TURN, FIRST, SETUP)


@dataclass(frozen=True, slots=True)
class Options:
    turn_seconds: int = TURN.default
    first: int = FIRST.default
    """The seat that attacks first."""
    setup_seconds: int = SETUP.default


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
        turn_seconds=TURN.read(given),
        first=FIRST.read(given),
        setup_seconds=SETUP.read(given),
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
