"""Area Attack: 2 to 4 players claim one hidden mine field against the clock."""

from .rules import AreaAttackRules

__all__ = ["AreaAttackRules"]
