"""MineWars: capture what the digits show to be safe, strike what they show to be mined, and guess
only when nothing else is left."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from games.bots.roster import Character
from games.engine.minewars.ruleset import Ruleset
from games.engine.minewars.tiles import (
    BARRICADE,
    DIGIT,
    IS_LAND,
    KIND_MASK,
    OWNER,
    SHIELD_BIT,
    STRUCTURE,
    TOWER,
)
from games.engine.minewars.topology import Topology, topology

from .decision import Decision, human_pause

RULES: Final = Ruleset()
WORST_GUESS: Final = 0.5
"""It would rather wait than step on a tile that is a mine more likely than this."""


class MineWarsMind:
    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        game, empire = view["game"], view["game"]["empire"]
        if view["phase"] != "live" or game["scores"][empire - 1][5] is not None:
            return None
        if game["stunned"] > now:
            return None
        board = _Board(game, topology(view["options"]["topology"], view["options"]["radius"]))
        pause = human_pause(self._character, self._random) / 2
        ordered = {c for order in game["orders"].values() for c in order["cells"]}
        edge = [c for c in board.edge if c not in ordered and not board.codes[c] & SHIELD_BIT]
        safe = [c for c in edge if c in board.safe]
        if safe:
            return self._when("capture", game, now, pause, cell=self._random.choice(safe))
        price = _strike_price(game["unit"], view["options"]["price_percent"])
        struck = [c for c in board.edge if c in board.items and board.can_pay(c, 2 * price, now)]
        struck = [c for c in struck if c not in ordered]
        if struck and self._random.random() < 0.5 + self._character.aggression / 2:
            return self._when("strike", game, now, pause, cells=[self._random.choice(struck)])
        open_ = [c for c in edge if c not in board.items and board.risk(c) <= WORST_GUESS]
        if not open_:
            return None
        return self._when("capture", game, now, 2 * pause, cell=min(open_, key=board.risk))

    @staticmethod
    def _when(kind: str, game: dict[str, Any], now: int, pause: float, **fields: Any) -> Decision:
        cooldown = (game["ready"].get(kind, 0) - now + 1) / 1000
        return Decision({"type": kind, **fields}, max(pause, cooldown))


def _strike_price(unit: int, percent: int) -> int:
    cost = RULES.strike_cost + RULES.strike_tile_cost
    return -(-unit * cost * percent // 10_000 // 100_000) * 100_000


class _Board:
    """What the digits of a view say. A tile that may hold an item is land that is not own."""

    def __init__(self, game: dict[str, Any], topo: Topology) -> None:
        self.codes: list[int] = game["tiles"]
        self.topo = topo
        self.cities = set(game["cities"])
        self.banks, self.jobs, self.regions = game["banks"], game["jobs"], game["regions"]
        me = game["empire"]
        own = [c for c, code in enumerate(self.codes) if code >> OWNER & 7 == me]
        self.own = set(own)
        self.edge = sorted(
            {n for c in own for n in topo.neighbours[c] if n not in self.own and self._is_open(n)}
        )
        self.items: set[int] = set()
        self.safe: set[int] = set()
        self._digits = [
            (code_digit - 1, tuple(n for n in topo.neighbours[c] if self._may_hold(n)))
            for c in own
            if (code_digit := self.codes[c] >> DIGIT & 15)
        ]
        self._deduce()

    def _is_open(self, cell: int) -> bool:
        """Land that can be captured by stepping on it."""
        structure = self.codes[cell] >> STRUCTURE & 7
        return self._may_hold(cell) and structure not in (BARRICADE, TOWER)

    def _may_hold(self, cell: int) -> bool:
        kind = self.codes[cell] & KIND_MASK
        return IS_LAND[kind] and cell not in self.own and cell not in self.cities

    def _deduce(self) -> None:
        """Single digits, again and again until they tell nothing new."""
        found = True
        while found:
            found = False
            for digit, around in self._digits:
                unknown = [c for c in around if c not in self.items and c not in self.safe]
                left = digit - sum(c in self.items for c in around)
                if unknown and left in (0, len(unknown)):
                    (self.items if left else self.safe).update(unknown)
                    found = True

    def risk(self, cell: int) -> float:
        """The greatest share of items that a digit beside it leaves for this tile."""
        worst = 0.0
        for digit, around in self._digits:
            if cell in around:
                unknown = sum(c not in self.items and c not in self.safe for c in around)
                left = digit - sum(c in self.items for c in around)
                worst = max(worst, left / unknown if unknown else 0.0)
        return worst

    def can_pay(self, cell: int, amount: int, now: int) -> bool:
        """The city of this tile's region is own and has so much."""
        letter = self.regions[cell]
        bank = None if letter == "." else self.banks[ord(letter) - ord("a")]
        if bank is None:
            return False
        earned = 0 if bank["built"] else bank["rate"] * (now - bank["at"])
        return bool(bank["bank"] + earned >= amount)
