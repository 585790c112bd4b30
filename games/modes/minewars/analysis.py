"""Judges captures. A capture is an order: it is judged by what its seat knew when it gave the
order, and what became of it is told by a later event, when the order takes effect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from games.bots.judging import AVOIDABLE, FORCED, KNOWN_MINE, PROVEN, Held, Played, Verdict
from games.bots.solver import Contradiction, Solver
from games.engine.game import Event

from .rules.ruleset import Ruleset
from .rules.tiles import (
    BARRICADE,
    DECOY,
    DIGIT,
    IS_LAND,
    ITEM,
    KIND_MASK,
    MINE,
    OWNER,
    SHIELD_BIT,
    STAR_BIT,
    STRUCTURE,
    TOWER,
)
from .rules.topology import topology

RULES: Final = Ruleset()
STATES: Final = 20_000
"""A frontier with more to count is sampled: a match has many captures."""


class MineWarsJudge:
    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self._cells: dict[int, int] = {}
        """The tile of each capture under way, by its order."""
        self._now = 0

    def played(self, action: dict[str, Any], events: Iterable[Event]) -> Held | None:
        if action.get("type") != "capture":
            return None
        for event in events:
            if event["type"] == "ordered" and event["action"] == "capture" and "order" in event:
                self._cells[event["order"]] = event["cells"][0]
                self._now = event["due"] - RULES.capture_delay
                return Held(event["order"])
        return None

    def settled(self, events: Iterable[Event]) -> dict[int, Played]:
        """The captures that these events tell the outcome of. One that came to nothing, because
        somebody was faster, is no move."""
        found: dict[int, Played] = {}
        for event in events:
            if event["type"] == "done":
                cell = self._cells.pop(event["order"], None)
                if cell is not None and event["code"] is None:
                    found[event["order"]] = Played(cell, False)
            elif event["type"] == "killed" and event["victim"] == self.view["game"]["empire"]:
                for order, played in found.items():
                    if played.cell == event["cell"]:
                        found[order] = Played(played.cell, True)
        return found

    def verdict(self, action: dict[str, Any]) -> Verdict | None:
        try:
            return Sight(self.view, self._now).judge(action["cell"])
        except Contradiction:
            return None  # a digit that was lost from sight a moment ago


class Sight:
    """The tiles around a seat's digits, and what the digits say of them. A tile that may hold an
    item is land that is not own."""

    def __init__(self, view: dict[str, Any], now: int) -> None:
        game, options = view["game"], view["options"]
        self._codes: list[int] = game["tiles"]
        self._near = topology(options["topology"], options["radius"]).neighbours
        self._cities = set(game["cities"])
        self._me = game["empire"]
        self._ordered = {c for order in game["orders"].values() for c in order["cells"]}
        self._is_blind = game["blind"] > now
        self._mines, self._decoys = options["mine_percent"], options["decoy_percent"]
        own = [c for c in range(len(self._codes)) if self._owner(c) == self._me]
        self._edge = {n for c in own for n in self._near[c] if self._can_step_on(n)}
        self._digits = {c: [n for n in self._near[c] if self._may_hold(n)]
                        for c in own if self._is_readable(c)}  # fmt: skip
        self._solve()

    def _owner(self, cell: int) -> int:
        return self._codes[cell] >> OWNER & 7

    def _may_hold(self, cell: int) -> bool:
        kind = self._codes[cell] & KIND_MASK
        return IS_LAND[kind] and self._owner(cell) != self._me and cell not in self._cities

    def _can_step_on(self, cell: int) -> bool:
        code = self._codes[cell]
        stands = code >> STRUCTURE & 7
        return self._may_hold(cell) and stands not in (BARRICADE, TOWER) and not code & SHIELD_BIT

    def _is_readable(self, cell: int) -> bool:
        """This own tile shows a digit that is no nonsense."""
        if not self._codes[cell] >> DIGIT & 15:
            return False
        if not self._is_blind:
            return True
        return all(self._owner(n) in (0, self._me) for n in self._near[cell])

    def _solve(self) -> None:
        """The digits and the tiles around them are a small board of their own, for the solver."""
        edge = {c for c in self._edge if not self._codes[c] >> ITEM & 3}
        self._tiles = sorted(edge.union(*self._digits.values()))
        self._at = {tile: i for i, tile in enumerate(self._tiles)}
        near: list[list[int]] = [[] for _ in self._tiles]
        numbers = {}
        for cell, row in self._digits.items():
            number = len(near)
            near.append([self._at[n] for n in row])
            for n in row:
                near[self._at[n]].append(number)
            numbers[number] = (self._codes[cell] >> DIGIT & 15) - 1
        density = min(0.95, max(0.05, (self._mines + self._decoys) / 100))
        self._solver = Solver(near, density=density, state_cap=STATES)
        self._solver.reveal_all(numbers)
        for i, tile in enumerate(self._tiles):
            if self._codes[tile] >> ITEM & 3:
                self._solver.mark_mine(i)
        self._solver.analyse()
        self._safe = {self._tiles[i] for i in self._solver.safe if i < len(self._tiles)}
        self._items = {self._tiles[i] for i in self._solver.mines}

    def judge(self, cell: int) -> Verdict:
        """A capture of this tile, judged by whether a mine may be there."""
        item = self._codes[cell] >> ITEM & 3
        if item:
            return Verdict(KNOWN_MINE, 1.0) if item == MINE else Verdict(PROVEN, 0.0)
        if self._owner(cell) == self._me or cell in self._safe or self._is_decoy(cell):
            return Verdict(PROVEN, 0.0)
        may_be_decoy = self._may_be_decoy(cell)
        others = (self._safe & self._edge) - self._ordered
        if cell in self._items and not may_be_decoy:
            return Verdict(KNOWN_MINE, 1.0, best=0.0 if others else self._best(1.0))
        chance, exact = self._chance(cell)
        if others:
            return Verdict(AVOIDABLE, chance, exact)
        return Verdict(FORCED, chance, exact, self._best(chance) if exact else chance)

    def _chance(self, cell: int) -> tuple[float, bool]:
        """The probability of a mine on this undecided tile, and whether it is exact."""
        if cell in self._at:
            odds = self._solver.probabilities()
            chance, exact = float(odds[self._at[cell]]), odds.exact
        else:
            chance, exact = self._solver.density, False
        if self._decoys and self._may_be_decoy(cell):
            return chance * self._mines / (self._mines + self._decoys), False
        return chance, exact

    def _best(self, chance: float) -> float:
        """The smallest chance that is known exactly, of the tiles that may be captured; at most
        `chance`."""
        found = (self._chance(cell) for cell in self._edge - self._items - self._ordered)
        return min([chance, *(other for other, exact in found if exact)])

    def _may_be_decoy(self, cell: int) -> bool:
        """Every digit beside it has a star; one without says that no decoy is around."""
        item = self._codes[cell] >> ITEM & 3
        if item:
            return item == DECOY
        return all(self._codes[n] & STAR_BIT for n in self._near[cell] if n in self._digits)

    def _is_decoy(self, cell: int) -> bool:
        """A star beside it can mean no other tile."""
        for digit in self._near[cell]:
            row = self._digits.get(digit)
            if row is None or not self._codes[digit] & STAR_BIT:
                continue
            if [n for n in row if n not in self._safe and self._may_be_decoy(n)] == [cell]:
                return True
        return False
