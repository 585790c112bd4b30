"""What a bot decides, per mode: a seat's view in, a decision out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from games.bots.decision import Decision, Mind
from games.bots.roster import Character
from games.modes.area_attack.bot import AreaAttackMind
from games.modes.battleship.bot import BattleshipMind
from games.modes.minewars.bot import MineWarsMind
from games.modes.race.bot import RaceMind

MINDS: Final[dict[str, Callable[[Character, Random], Mind]]] = {
    "race": RaceMind,
    "area-attack": AreaAttackMind,
    "battleship": BattleshipMind,
    "minewars": MineWarsMind,
}


def mind_for(mode: str, character: Character, random: Random) -> Mind | None:
    """None when no bot plays this mode."""
    make: Any = MINDS.get(mode)
    return None if make is None else make(character, random)


__all__ = ["MINDS", "Decision", "Mind", "mind_for"]
