"""Battleship: two hidden fleets on 10x10 seas, one bomb a turn."""

from .rules import BattleshipRules

__all__ = ["BattleshipRules"]
