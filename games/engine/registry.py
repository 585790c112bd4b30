"""Every mode, by name."""

from __future__ import annotations

from typing import Any

from .area_attack import AreaAttackRules
from .battleship import BattleshipRules
from .claim import ClaimRules
from .classic import ClassicRules
from .game import Game
from .lifecycle import Lifecycle
from .minewars.rules import MineWarsRules
from .race import RaceRules

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
