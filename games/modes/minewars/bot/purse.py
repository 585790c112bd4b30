"""Works out what an order costs, which cities pay for it, and whether they can."""

from __future__ import annotations

from typing import Any

from games.modes.minewars.rules.ruleset import Ruleset
from games.modes.minewars.rules.topology import Topology


class Purse:
    """The banks of a view at match time `now`. Everything is in thousandths, as in the view."""

    def __init__(self, game: dict[str, Any], rules: Ruleset, topo: Topology, now: int) -> None:
        self._game, self._rules, self._topo, self._now = game, rules, topo, now
        self.cities = [i for i, bank in enumerate(game["banks"]) if bank is not None]
        """The numbers of the own cities."""
        self.unit: int = game["unit"]

    def region(self, cell: int) -> int | None:
        letter = self._game["regions"][cell]
        return None if letter == "." else ord(letter) - ord("a")

    def is_own(self, cell: int) -> bool:
        """Does the tile lie in a region whose city is own?"""
        return self.region(cell) in self.cities

    def price(self, cost: int, cells: list[int]) -> int:
        """Of a cost in hundredths of a base unit, with the surcharge of foreign regions."""
        rules = self._rules
        foreign = any(self.region(c) is not None and not self.is_own(c) for c in cells)
        surcharge = rules.foreign_percent if foreign else 100
        step = rules.price_step * 1000
        exact = self.unit * cost * rules.price_percent * surcharge
        return -(-exact // (1_000_000 * step)) * step

    def money(self, cell: int) -> int:
        """The money for an order on this tile: in the region's city if it is own, else in the
        nearest own one, and in all that roads connect with it."""
        if not self.cities:
            return 0
        group = [self._payer(cell)]
        for at in group:
            for a, b in self._game["links"]:
                other = b if a == at else a if b == at else at
                if other not in group:
                    group.append(other)
        return sum(self._bank(i) for i in group)

    def total(self) -> int:
        return sum(self._bank(i) for i in self.cities)

    def can_pay(self, cost: int, cells: list[int], keep: int = 0) -> bool:
        """Is there enough for this order, and `keep` hundredths of a unit on top?"""
        reserve = self.unit * keep * self._rules.price_percent // 10_000
        return self.money(cells[0]) >= self.price(cost, cells) + reserve

    def _payer(self, cell: int) -> int:
        region = self.region(cell)
        if region in self.cities:
            assert region is not None
            return region
        places = self._game["cities"]
        return min(self.cities, key=lambda i: (self._topo.distance(places[i], cell), i))

    def _bank(self, number: int) -> int:
        bank = self._game["banks"][number]
        if self._game["jobs"][number]:
            return int(bank["bank"])
        return int(bank["bank"] + bank["rate"] * max(0, self._now - bank["at"]))
