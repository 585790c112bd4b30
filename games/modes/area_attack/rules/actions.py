"""The actions of a player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine.fields import action
from games.engine.moves import Chord, Flag

SHAPES: Final = {
    "pick": ("cell",),
    "confirm": (),
    "claim": ("cell",),
    "flag": ("cell", "on"),
    "chord": ("cell",),
}


@dataclass(frozen=True, slots=True)
class Pick:
    cell: int


@dataclass(frozen=True, slots=True)
class Confirm:
    pass


@dataclass(frozen=True, slots=True)
class Claim:
    cell: int


Action = Pick | Confirm | Claim | Flag | Chord


def parse_action(raw: object) -> Action:
    kind, given = action(raw, SHAPES)
    match kind:
        case "pick":
            return Pick(given.cell())
        case "confirm":
            return Confirm()
        case "claim":
            return Claim(given.cell())
        case "flag":
            return Flag(given.cell(), given.flag("on"))
        case _:
            return Chord(given.cell())
