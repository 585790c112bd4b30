"""What a view shows: whose land is where, and what the digits say of the land around."""

from __future__ import annotations

from typing import Any, Final

from games.bots.solver import Contradiction, Odds, Solver, Tier
from games.bots.sweeping import by_eye
from games.modes.minewars.rules.tiles import (
    BARRICADE,
    DIGIT,
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

STATES: Final = 4_000
"""A frontier with more to count is sampled: a bot has no time."""


class Board:
    """A view as a bot of this tier reads it. A tile that may hold an item is land that is not
    own."""

    def __init__(self, view: dict[str, Any], tier: Tier, now: int) -> None:
        game, options = view["game"], view["options"]
        self.codes: list[int] = game["tiles"]
        self.topo = topology(options["topology"], options["radius"])
        self.cities: list[int] = game["cities"]
        self._city_cells = set(self.cities)
        self.me: int = game["empire"]
        self._blind = game["blind"] > now
        mine = self.me << OWNER
        self.own = [c for c, code in enumerate(self.codes) if code & 7 << OWNER == mine]
        self.edge = sorted(
            {n for c in self.own for n in self.topo.neighbours[c] if self._is_open(n)}
        )
        """Land beside own land that can be captured by stepping on it, now or when it is no longer
        protected."""
        self._tier = tier
        self._density = (options["mine_percent"] + options["decoy_percent"]) / 100
        self._deduce()

    # -- tiles -----------------------------------------------------------------------------------

    def owner(self, cell: int) -> int:
        return self.codes[cell] >> OWNER & 7

    def is_enemy(self, cell: int) -> bool:
        return self.owner(cell) not in (0, self.me)

    def is_land(self, cell: int) -> bool:
        return IS_LAND[self.codes[cell] & KIND_MASK] and cell not in self._city_cells

    def is_protected(self, cell: int) -> bool:
        return bool(self.codes[cell] & SHIELD_BIT)

    def is_smoked(self, cell: int) -> bool:
        return bool(self.codes[cell] & SMOKE_BIT)

    def is_limited(self, cell: int) -> bool:
        return self.codes[cell] >> LEVEL & 3 == LIMITED

    def has_item(self, cell: int) -> bool:
        """An item is in sight there."""
        return bool(self.codes[cell] >> ITEM & 3)

    def is_empty(self, cell: int) -> bool:
        """Own land with nothing on it, finished or pending."""
        code = self.codes[cell]
        used = code >> ITEM & 3 or code >> STRUCTURE & 7 or code >> PENDING & 7
        return self.owner(cell) == self.me and self.is_land(cell) and not used

    def is_in_reach(self, cell: int, radius: int) -> bool:
        """Does an own tile have it in sight, so that a strike may go there?"""
        return any(self.owner(c) == self.me for c in self.topo.disc(cell, radius))

    def ring(self, number: int) -> tuple[int, ...]:
        """The tiles around a city."""
        return tuple(self.topo.neighbours[self.cities[number]])

    def _is_open(self, cell: int) -> bool:
        structure = self.codes[cell] >> STRUCTURE & 7
        return self._may_hold(cell) and structure not in (BARRICADE, TOWER)

    def _may_hold(self, cell: int) -> bool:
        return self.owner(cell) != self.me and self.is_land(cell)

    # -- digits ----------------------------------------------------------------------------------

    def _says(self, cell: int) -> bool:
        """An own tile shows a digit that can be believed."""
        if not self.codes[cell] >> DIGIT & 15:
            return False
        beside = self.topo.neighbours[cell]
        return not self._blind or all(self.owner(n) in (0, self.me) for n in beside)

    def _deduce(self) -> None:
        """The digits and the tiles around them are a small board of their own, for the solver."""
        around = {
            c: row
            for c in self.own
            if self._says(c) and (row := [n for n in self.topo.neighbours[c] if self._may_hold(n)])
        }
        tiles = sorted({n for row in around.values() for n in row})
        self._at = {tile: i for i, tile in enumerate(tiles)}
        near: list[list[int]] = [[] for _ in tiles]
        numbers = {}
        for cell, row in around.items():
            number = len(near)
            near.append([self._at[n] for n in row])
            for n in row:
                near[self._at[n]].append(number)
            numbers[number] = (self.codes[cell] >> DIGIT & 15) - 1
        density = min(0.95, max(0.05, self._density))
        self._solver = Solver(near, density=density, state_cap=STATES)
        self._odds: Odds | None = None
        try:
            self._solver.reveal_all(numbers)
            for i, tile in enumerate(tiles):
                if self.codes[tile] >> ITEM & 3:
                    self._solver.mark_mine(i)
            self._solver.deduce(self._tier)
            if self._tier is Tier.FULL and not self._solver.safe:
                self._odds = self._solver.probabilities()
        except Contradiction:
            # a digit that was lost from sight a moment ago; until the next look nothing is known
            self._solver = Solver(near, density=density)
        self.items = {tiles[i] for i in self._solver.mines}
        self.safe = {tiles[i] for i in self._solver.safe}

    def risk(self, cell: int) -> float:
        """How likely an item lies there."""
        if cell in self.items:
            return 1.0
        i = self._at.get(cell)
        if i is None:
            return float(self._density)
        return by_eye(self._solver, i) if self._odds is None else float(self._odds[i])
