"""MineWars: capture what the digits show to be safe, strike what they show to be mined, and guess
only when nothing else is left."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from games.bots.decision import Decision, human_pause
from games.bots.roster import Character
from games.bots.solver import Contradiction, Odds, Solver, Tier
from games.bots.sweeping import by_eye
from games.modes.minewars.rules.ruleset import Ruleset
from games.modes.minewars.rules.tiles import (
    BARRICADE,
    DIGIT,
    IS_LAND,
    ITEM,
    KIND_MASK,
    OWNER,
    SHIELD_BIT,
    STRUCTURE,
    TOWER,
)
from games.modes.minewars.rules.topology import topology

RULES: Final = Ruleset()
STATES: Final = 20_000
"""A frontier with more to count is sampled: a bot has no time."""
WORST_GUESS: Final = 0.5
"""It would rather wait than step on a tile that is a mine more likely than this."""


class MineWarsBot:
    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        game, empire = view["game"], view["game"]["empire"]
        out = game["scores"][empire - 1][5] is not None or game.get("watching")
        if view["phase"] != "live" or out:
            return None
        if game["stunned"] > now:
            return None
        board = Board(view, self._character.tier, now)
        pause = human_pause(self._character, self._random) / 2
        ordered = {c for order in game["orders"].values() for c in order["cells"]}
        edge = [c for c in board.edge if c not in ordered and not board.codes[c] & SHIELD_BIT]
        if edge and self._random.random() < self._character.errors:
            return self._when("capture", game, now, pause, cell=self._random.choice(edge))
        safe = [c for c in edge if c in board.safe]
        if safe:
            return self._when("capture", game, now, pause, cell=self._random.choice(safe))
        price = _strike_price(game["unit"], view["options"]["price_percent"])
        struck = [c for c in board.edge if c in board.items and board.can_pay(c, 2 * price, now)]
        struck = [c for c in struck if c not in ordered]
        if struck and self._random.random() < 0.5 + self._character.aggression / 2:
            return self._when("strike", game, now, pause, cells=[self._random.choice(struck)])
        if ordered & board.safe:
            return None  # what that shows comes before any guess
        risks = {c: board.risk(c) for c in edge if c not in board.items}
        cell = min(risks, key=risks.__getitem__, default=None)
        if cell is None or risks[cell] > WORST_GUESS:
            return None
        return self._when("capture", game, now, 2 * pause, cell=cell)

    @staticmethod
    def _when(kind: str, game: dict[str, Any], now: int, pause: float, **fields: Any) -> Decision:
        cooldown = (game["ready"].get(kind, 0) - now + 1) / 1000
        return Decision({"type": kind, **fields}, max(pause, cooldown))


def _strike_price(unit: int, percent: int) -> int:
    cost = RULES.strike_cost + RULES.strike_tile_cost
    return -(-unit * cost * percent // 10_000 // 100_000) * 100_000


class Board:
    """What the digits of a view say, as far as a tier thinks. A tile that may hold an item is land
    that is not own."""

    def __init__(self, view: dict[str, Any], tier: Tier, now: int) -> None:
        game, options = view["game"], view["options"]
        self.codes: list[int] = game["tiles"]
        self._topo = topology(options["topology"], options["radius"])
        self._cities = set(game["cities"])
        self._banks, self._regions = game["banks"], game["regions"]
        self._me, self._blind = game["empire"], game["blind"] > now
        own = [c for c in range(len(self.codes)) if self._owner(c) == self._me]
        self.edge = sorted({n for c in own for n in self._topo.neighbours[c] if self._is_open(n)})
        self._tier = tier
        self._density = (options["mine_percent"] + options["decoy_percent"]) / 100
        self._deduce(own)

    def _owner(self, cell: int) -> int:
        return self.codes[cell] >> OWNER & 7

    def _is_open(self, cell: int) -> bool:
        """Land that can be captured by stepping on it."""
        structure = self.codes[cell] >> STRUCTURE & 7
        return self._may_hold(cell) and structure not in (BARRICADE, TOWER)

    def _may_hold(self, cell: int) -> bool:
        kind = self.codes[cell] & KIND_MASK
        return IS_LAND[kind] and self._owner(cell) != self._me and cell not in self._cities

    def _says(self, cell: int) -> bool:
        """An own tile shows a digit that can be believed."""
        if not self.codes[cell] >> DIGIT & 15:
            return False
        beside = self._topo.neighbours[cell]
        return not self._blind or all(self._owner(n) in (0, self._me) for n in beside)

    def _deduce(self, own: list[int]) -> None:
        """The digits and the tiles around them are a small board of their own, for the solver."""
        around = {c: [n for n in self._topo.neighbours[c] if self._may_hold(n)]
                  for c in own if self._says(c)}  # fmt: skip
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
        self._solver.reveal_all(numbers)
        for i, tile in enumerate(tiles):
            if self.codes[tile] >> ITEM & 3:
                self._solver.mark_mine(i)
        self._odds: Odds | None = None
        try:
            self._solver.deduce(self._tier)
            if self._tier is Tier.FULL and not self._solver.safe:
                self._odds = self._solver.probabilities()
        except Contradiction:
            # a digit that was lost from sight a moment ago; until the next look nothing is known
            self._solver = Solver(near, density=density)
        self.items = {tiles[i] for i in self._solver.mines}
        self.safe = {tiles[i] for i in self._solver.safe}

    def risk(self, cell: int) -> float:
        i = self._at.get(cell)
        if i is None:
            return float(self._density)
        return by_eye(self._solver, i) if self._odds is None else float(self._odds[i])

    def can_pay(self, cell: int, amount: int, now: int) -> bool:
        """The city of this tile's region is own and has so much."""
        letter = self._regions[cell]
        bank = None if letter == "." else self._banks[ord(letter) - ord("a")]
        if bank is None:
            return False
        earned = 0 if bank["built"] else bank["rate"] * (now - bank["at"])
        return bool(bank["bank"] + earned >= amount)
