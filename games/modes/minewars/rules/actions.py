"""The actions of players as they arrive: checked for form only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from games.engine import fields

from .ruleset import Ruleset
from .tiles import ITEMS, STRUCTURES

SHAPES: Final[dict[str, tuple[str, ...]]] = {
    "vote": ("cities",),
    "capture": ("cell",),
    "strike": ("cells",),
    "reveal": ("cell",),
    "smoke": ("cell",),
    "deploy": ("item", "cell"),
    "build": ("structure", "cells"),
    "cancel": ("cell",),
    "bulldoze": ("cell",),
    "harvest": ("cell",),
    "flag": ("cell", "on"),
    "ping": ("cell",),
}
_MOST: Final = {"strike": Ruleset().strike_most, "build": Ruleset().build_most}


@dataclass(frozen=True, slots=True)
class Action:
    """`cells` are cities for a vote; `what` is the number of an item or structure, or 1 for a flag
    set and 0 for one taken away."""

    type: str
    cells: tuple[int, ...]
    what: int = 0

    def as_json(self) -> list[Any]:
        return [self.type, list(self.cells), self.what]

    @classmethod
    def from_json(cls, raw: list[Any]) -> Action:
        return cls(raw[0], tuple(raw[1]), raw[2])


def parse_action(raw: object) -> Action:
    kind, given = fields.action(raw, SHAPES)
    if kind == "vote":
        return Action(kind, given.numbers("cities", 0, Ruleset().votes))
    if kind in _MOST:
        cells = given.numbers("cells", 1, _MOST[kind])
        if kind == "strike":
            return Action(kind, cells)
        return Action(kind, cells, STRUCTURES.index(given.word("structure", STRUCTURES[1:])))
    what = 0
    if kind == "deploy":
        what = ITEMS.index(given.word("item", ITEMS[1:]))
    elif kind == "flag":
        what = int(given.flag("on"))
    return Action(kind, (given.cell(),), what)
