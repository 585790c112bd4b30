"""A house bot: what it does first, and how fast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

from games.bots.decision import Decision, human_pause
from games.bots.roster import Character
from games.modes.minewars.rules.ruleset import VERSION, Ruleset

from . import build, prospect, scout, trap, upkeep, war
from .aim import Aim
from .ban import vote
from .board import Board
from .desk import Desk, Proposal
from .digits import prepare
from .purse import Purse
from .skill import skill_of

THRIFT: Final = 300
"""Hundredths of a unit that the bot keeps when it clears its way without need."""
PLENTY: Final = 800
"""With so much on top it strikes although there is safe land to take."""
EFFORT: Final = {"capture": 0.8, "flag": 0.8}
"""Of a click without much thought; other orders take the usual time."""


class MineWarsBot:
    """Decides from its seat's view alone. Between decisions it remembers only the way to the city
    it goes for, which follows from the view, too."""

    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random
        self._skill = skill_of(character)
        prepare()
        self._aim = Aim()
        self._board: Board | None = None
        self._rules: Ruleset | None = None

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        game = view["game"]
        if view["phase"] == "setup":
            return self._vote(view)
        out = game["scores"][game["empire"] - 1][5] is not None or game.get("watching")
        if view["phase"] != "live" or out or game["stunned"] > now:
            return None
        desk = self._desk(view, now)
        desk.aim.update(desk.board, now)
        proposal = next((p for p in self._proposals(desk) if p is not None), None)
        if proposal is None:
            return None
        effort = EFFORT.get(proposal["type"], 1.0)
        cooldown = (game["ready"].get(proposal["type"], 0) - now + 1) / 1000
        return Decision(proposal, max(human_pause(self._character, self._random, effort), cooldown))

    def _vote(self, view: dict[str, Any]) -> Decision | None:
        rules = _rules(view["game"])
        proposal = vote(view, rules, self._skill.builds, self._random)
        pause = human_pause(self._character, self._random, 2.0)
        return None if proposal is None else Decision(proposal, pause)

    def _desk(self, view: dict[str, Any], now: int) -> Desk:
        game = view["game"]
        board = self._board
        if board is None:
            board = self._board = Board(view["options"], self._character.tier)
        board.look(game, now)
        rules = self._rules = self._rules or _rules(game)
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
        """The bot's options, the most urgent first; the rest is not worked out."""
        skill, chance, eager = self._skill, self._random.random, self._character.aggression
        yield self._careless(desk)
        yield war.hold_cities(desk)
        if chance() < 0.5:
            yield trap.entrench(desk)
        if skill.smokes and chance() < 0.06:
            yield scout.smoke_defenders(desk)
        yield war.storm_city(desk)
        # Land is free and always within reach: money would never be spent if land came first.
        if desk.is_rich:
            eager = max(eager, 0.7)
        if chance() < 0.3:
            yield trap.guard_cities(desk)
        if chance() < (0.1 if desk.is_late else 0.4) * eager:
            yield trap.guard_border(desk)
        if chance() < 0.4 * eager:
            yield war.clear_the_way(desk, PLENTY)
        if skill.prospects and chance() < 0.15:
            yield prospect.clear_mountain(desk)
        if skill.builds and chance() < 0.05:
            yield upkeep.cancel_building(desk)
            yield upkeep.bulldoze(desk)
        if skill.bridges and desk.is_ready("build") and chance() < 0.25:
            yield build.build_barricade(desk)
        if skill.flags and chance() < 0.03:
            yield scout.flag_items(desk)
        if skill.builds and desk.is_ready("build") and chance() < 0.04:
            yield self._building(desk)
        yield war.take_safe_land(desk)
        if skill.reveals:
            yield scout.reveal_the_way(desk)
        if chance() < 0.3 + eager / 2:
            yield war.clear_the_way(desk, THRIFT)
        yield war.guess(desk)
        yield war.clear_the_way(desk, 0)
        if skill.harvests:
            yield upkeep.harvest(desk)
        yield war.skirmish(desk)

    def _building(self, desk: Desk) -> Proposal | None:
        """One of the structures it knows, whichever comes to mind first and has a place."""
        plans = [build.build_tower, build.build_road]
        if self._skill.bridges:
            plans.append(build.build_bridge)
        self._random.shuffle(plans)
        return next((found for plan in plans if (found := plan(desk)) is not None), None)

    def _careless(self, desk: Desk) -> Proposal | None:
        board = desk.board
        if self._random.random() >= self._character.errors:
            return None
        open_to = [c for c in board.edge if c not in desk.ordered and not board.is_protected(c)]
        return desk.capture(self._random.choice(open_to)) if open_to else None


def _rules(game: dict[str, Any]) -> Ruleset:
    version = 1 if "rules" not in game else VERSION if "late" in game else 2
    return replace(Ruleset.for_version(version), **game.get("rules", {}))
