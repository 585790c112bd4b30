"""Everything that a decision is made from, gathered once."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from games.bots.roster import Character
from games.modes.minewars.rules.ruleset import Ruleset
from games.modes.minewars.rules.tiles import FOG, LEVEL

from .aim import Aim
from .board import Board
from .purse import Purse
from .skill import Skill

Proposal = dict[str, Any]
"""An action as it is sent."""
RICH: Final = 3000
"""Hundredths of a unit: with so much even a cautious bot spends."""


@dataclass(frozen=True, slots=True)
class Desk:
    game: dict[str, Any]
    rules: Ruleset
    board: Board
    purse: Purse
    aim: Aim
    skill: Skill
    character: Character
    random: Random
    now: int
    ordered: frozenset[int]
    """Tiles that an order of this seat or its allies is already about."""

    def is_ready(self, kind: str) -> bool:
        """Is this action's cooldown over?"""
        return bool(self.game["ready"].get(kind, 0) <= self.now)

    @property
    def is_late(self) -> bool:
        """Has the late phase begun?"""
        late = self.game.get("late")
        return late is not None and self.now >= late

    @property
    def is_rich(self) -> bool:
        return self.purse.total() > self.units(RICH)

    def units(self, hundredths: int) -> int:
        """So many hundredths of a base unit at the match's prices, in thousandths."""
        return self.purse.unit * hundredths * self.rules.price_percent // 10_000

    def strike(self, cells: list[int], keep: int = 0) -> Proposal | None:
        """As many of these tiles, from the first on, as may be struck and can be paid."""
        rules, board = self.rules, self.board
        if not self.is_ready("strike"):
            return None
        cells = [
            c
            for c in dict.fromkeys(cells)
            if c not in self.ordered
            and board.owner(c) != board.me
            and board.codes[c] >> LEVEL & 3 != FOG
            and board.is_in_reach(c, rules.sight_radius)
        ][: min(self.skill.strikes * (2 if self.is_rich or self.is_late else 1), rules.strike_most)]
        while cells:
            cost = rules.strike_units(len(cells), self.is_late)
            if self.purse.can_pay(cost, cells, keep):
                return {"type": "strike", "cells": cells}
            cells.pop()
        return None

    def capture(self, cell: int) -> Proposal:
        return {"type": "capture", "cell": cell}

    def deploy(self, item: str, cell: int, keep: int = 0) -> Proposal | None:
        cost = {"mine": self.rules.mine_cost, "decoy": self.rules.decoy_cost}
        price = cost.get(item, self.rules.flashbang_cost)
        if not self.is_ready("deploy") or not self.purse.can_pay(price, [cell], keep):
            return None
        return {"type": "deploy", "item": item, "cell": cell}
