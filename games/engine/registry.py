"""Every mode, by name."""

from __future__ import annotations

from typing import Any

from games.modes.area_attack.rules import AreaAttackRules
from games.modes.battleship.rules import BattleshipRules
from games.modes.classic.rules import ClassicRules
from games.modes.minewars.rules.rules import MineWarsRules
from games.modes.race.rules import RaceRules

from .claim import ClaimRules
from .game import Game
from .lifecycle import Lifecycle

MODES: dict[str, Game[Any]] = {
    "classic": Lifecycle(ClassicRules()),
    "race": Lifecycle(RaceRules()),
    "area-attack": Lifecycle(AreaAttackRules()),
    "battleship": Lifecycle(BattleshipRules()),
    "minewars": Lifecycle(MineWarsRules()),
}
"""The modes that people play."""

TEST_MODES: dict[str, Game[Any]] = {"claim": Lifecycle(ClaimRules())}
"""Modes for tests and benchmarks; never offered to players."""


def game(name: str) -> Game[Any]:
    """The game of this name; KeyError when there is none."""
    return MODES[name] if name in MODES else TEST_MODES[name]
