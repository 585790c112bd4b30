"""A house bot: what it does first, and how fast."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from games.bots.decision import Decision, human_pause
from games.bots.roster import Character
from games.modes.minewars.rules.ruleset import Ruleset

from . import build, trap, war
from .aim import Aim
from .board import Board
from .desk import Desk, Proposal
from .purse import Purse
from .skill import skill_of

THRIFT: Final = 300
"""Hundredths of a unit that the bot keeps when it clears its way without need."""
PLENTY: Final = 800
"""With so much on top it strikes although there is safe land to take."""


class MineWarsBot:
    """Decides from its seat's view alone. Between decisions it remembers only the way to the city
    it goes for, which follows from the view, too."""

    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random
        self._skill = skill_of(character)
        self._aim = Aim()

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        game = view["game"]
        out = game["scores"][game["empire"] - 1][5] is not None or game.get("watching")
        if view["phase"] != "live" or out or game["stunned"] > now:
            return None
        desk = self._desk(view, now)
        if desk.skill.aims:
            desk.aim.update(desk.board, now)
        proposal = next((p for p in self._proposals(desk) if p is not None), None)
        if proposal is None:
            return None
        effort = 0.5 if proposal["type"] == "capture" else 0.8
        cooldown = (game["ready"].get(proposal["type"], 0) - now + 1) / 1000
        return Decision(proposal, max(human_pause(self._character, self._random, effort), cooldown))

    def _desk(self, view: dict[str, Any], now: int) -> Desk:
        game = view["game"]
        board = Board(view, self._character.tier, now)
        rules = Ruleset(**game["rules"]) if "rules" in game else Ruleset.for_version(1)
        orders = [*game["orders"].values()]
        for others in game.get("allies", {}).values():
            orders += others.values()
        return Desk(
            game=game,
            rules=rules,
            board=board,
            purse=Purse(game, rules, board.topo, now),
            aim=self._aim,
            skill=self._skill,
            character=self._character,
            random=self._random,
            now=now,
            ordered=frozenset(c for order in orders for c in order["cells"]),
        )

    def _proposals(self, desk: Desk) -> Iterator[Proposal | None]:
        """What it might do, the most urgent first; the rest is not worked out."""
        skill, chance = self._skill, self._random.random
        yield self._careless(desk)
        yield war.hold_cities(desk)
        yield trap.mine_siege(desk)
        if skill.smokes:
            yield war.smoke_defenders(desk)
        if skill.aims:
            yield war.storm_city(desk)
        # Land is free and always within reach: money would never be spent if land came first.
        if chance() < 0.3:
            yield trap.guard_cities(desk)
        if chance() < 0.4 * self._character.aggression:
            yield trap.guard_border(desk)
        if chance() < 0.4 * self._character.aggression:
            yield war.clear_the_way(desk, PLENTY)
        if skill.builds and chance() < 0.03:
            yield build.build_tower(desk)
            yield build.build_road(desk)
        yield war.take_safe_land(desk)
        if chance() < 0.3 + self._character.aggression / 2:
            yield war.clear_the_way(desk, THRIFT)
        if skill.reveals:
            yield war.reveal_the_way(desk)
        yield war.guess(desk)
        yield war.clear_the_way(desk, 0)
        if skill.harvests:
            yield build.harvest(desk)

    def _careless(self, desk: Desk) -> Proposal | None:
        board = desk.board
        if self._random.random() >= self._character.errors:
            return None
        open_to = [c for c in board.edge if c not in desk.ordered and not board.is_protected(c)]
        return desk.capture(self._random.choice(open_to)) if open_to else None
