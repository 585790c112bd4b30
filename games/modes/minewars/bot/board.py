"""Reads a view: whose land is where, and what the digits say of the land around."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from games.bots.solver import Tier
from games.bots.solver.knowledge import MINE as HOLDS
from games.bots.solver.knowledge import SAFE as EMPTY
from games.bots.solver.knowledge import UNKNOWN as DOUBTFUL
from games.modes.minewars.rules.tiles import (
    BARRICADE,
    BRIDGE,
    DIGIT,
    FLAG_BIT,
    FULL,
    IS_LAND,
    ITEM,
    KIND_MASK,
    LEVEL,
    LIMITED,
    OWNER,
    PENDING,
    SHIELD_BIT,
    SMOKE_BIT,
    STRUCTURE,
    TOWER,
)
from games.modes.minewars.rules.topology import topology

from .digits import Digits

_WALLS: Final = (BARRICADE, TOWER)


class Board:
    """The map as a bot of this tier reads it from its views, kept up to date from look to look.
    A tile that may hold an item is land that is not own."""

    def __init__(self, options: dict[str, Any], tier: Tier) -> None:
        name, radius = options["topology"], options["radius"]
        self.topo = topology(name, radius)
        self._density = (options["mine_percent"] + options["decoy_percent"]) / 100
        self._digits = Digits(name, radius, tier, self._density)
        size = self.topo.size
        self.codes: list[int] = [-1] * size
        self.me = 0
        self.cities: list[int] = []
        self._city_cells: set[int] = set()
        self._no_bases: set[int] = set()
        """Tiles from which others' land can't be captured."""
        self._ground = bytearray(size)
        self._was_blind = False
        self.own: set[int] = set()
        self.edge: set[int] = set()
        """Land beside own land that can be captured by stepping on it, now or when it is no longer
        protected."""
        self.border: set[int] = set()
        """Own land beside another empire's."""
        self._beside: set[int] = set()
        self._bridges: set[int] = set()
        self._rim: set[int] = set()
        """Own land beside land that may hold an item."""
        self.safe: set[int] = set()
        self.items: set[int] = set()
        self.changes = 0
        """The number of looks that have shown something new."""

    def look(self, game: dict[str, Any], now: int) -> None:
        """Bring everything up to date with a view."""
        new: list[int] = game["tiles"]
        if self.me != game["empire"] or self.cities != game["cities"]:
            self.me, self.cities = game["empire"], list(game["cities"])
            self._city_cells = set(self.cities)
            from_cities = game.get("rules", {}).get("capture_from_cities", True)
            self._no_bases = set() if from_cities else self._city_cells
            self.codes = [-1] * self.topo.size
        blind = game["blind"] > now
        if new == self.codes and blind == self._was_blind:
            return
        old, self.codes, self._was_blind = self.codes, list(new), blind
        self._redraw([c for c, code in enumerate(new) if code != old[c]])
        self.edge = self._beside | self._across()
        numbers = {c: digit - 1 for c in self._rim if (digit := self._said(c))}
        safe, items = self._digits.read(self._ground, numbers)
        ground = self._ground
        self.safe = safe | {c for c in self.edge if ground[c] == EMPTY}
        self.items = items | {c for c in self.edge if ground[c] == HOLDS}
        self.changes += 1

    def _redraw(self, changed: Iterable[int]) -> None:
        codes, me, neighbours, ground = self.codes, self.me, self.topo.neighbours, self._ground
        touched = set(changed)
        for cell in changed:
            code = codes[cell]
            touched.update(neighbours[cell])
            is_bridge = code >> STRUCTURE & 7 == BRIDGE
            (self._bridges.add if is_bridge else self._bridges.discard)(cell)
            if code >> OWNER & 7 == me:
                self.own.add(cell)
                ground[cell] = EMPTY
                continue
            self.own.discard(cell)
            if not IS_LAND[code & KIND_MASK] or cell in self._city_cells:
                ground[cell] = EMPTY
            elif code >> ITEM & 3:
                ground[cell] = HOLDS
            else:
                ground[cell] = EMPTY if code >> LEVEL & 3 == FULL else DOUBTFUL
        own = self.own
        for cell in touched:
            code = codes[cell]
            edge = border = rim = False
            if IS_LAND[code & KIND_MASK] and cell not in self._city_cells:
                if cell in own:
                    for n in neighbours[cell]:
                        if n not in own:
                            border = border or codes[n] >> OWNER & 7 != 0
                            rim = rim or ground[n] != EMPTY
                else:
                    taken = code >> OWNER & 7
                    edge = code >> STRUCTURE & 7 not in _WALLS and any(
                        n in own and not (taken and n in self._no_bases) for n in neighbours[cell]
                    )
            (self._beside.add if edge else self._beside.discard)(cell)
            (self.border.add if border else self.border.discard)(cell)
            (self._rim.add if rim else self._rim.discard)(cell)

    def _across(self) -> set[int]:
        """Land that own land reaches over a bridge."""
        return {
            n
            for bridge in self._bridges
            if not self.own.isdisjoint(ends := self.topo.neighbours[bridge])
            for n in ends
            if n not in self.own and self.is_land(n) and self.structure(n) not in _WALLS
        }

    def _said(self, cell: int) -> int:
        """The digit of an own tile, plus 1; 0 if there is none that can be believed."""
        if self._was_blind and cell in self.border:
            return 0
        return self.codes[cell] >> DIGIT & 15

    def risk(self, cell: int) -> float:
        """The probability that an item lies there."""
        if cell in self.items:
            return 1.0
        return 0.0 if cell in self.safe else self._digits.risk(cell)

    # -- tiles -----------------------------------------------------------------------------------

    def owner(self, cell: int) -> int:
        return self.codes[cell] >> OWNER & 7

    def is_enemy(self, cell: int) -> bool:
        return self.codes[cell] >> OWNER & 7 not in (0, self.me)

    def is_land(self, cell: int) -> bool:
        return IS_LAND[self.codes[cell] & KIND_MASK] and cell not in self._city_cells

    def is_protected(self, cell: int) -> bool:
        return bool(self.codes[cell] & SHIELD_BIT)

    def is_smoked(self, cell: int) -> bool:
        return bool(self.codes[cell] & SMOKE_BIT)

    def is_flagged(self, cell: int) -> bool:
        return bool(self.codes[cell] & FLAG_BIT)

    def is_limited(self, cell: int) -> bool:
        return self.codes[cell] >> LEVEL & 3 == LIMITED

    def has_item(self, cell: int) -> bool:
        """An item is in sight there."""
        return bool(self.codes[cell] >> ITEM & 3)

    def structure(self, cell: int) -> int:
        return self.codes[cell] >> STRUCTURE & 7

    def is_empty(self, cell: int) -> bool:
        """Own land with nothing on it, finished or pending."""
        code = self.codes[cell]
        used = code >> ITEM & 3 or code >> STRUCTURE & 7 or code >> PENDING & 7
        return cell in self.own and self.is_land(cell) and not used

    def is_in_reach(self, cell: int, radius: int) -> bool:
        """Does an own tile have it in sight, so that a strike may go there?"""
        return not self.own.isdisjoint(self.topo.disc(cell, radius))

    def ring(self, number: int) -> tuple[int, ...]:
        """The tiles around a city."""
        return tuple(self.topo.neighbours[self.cities[number]])
