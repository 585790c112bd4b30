"""The house bots: who they are and how well they play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.bots.solver import Tier


@dataclass(frozen=True, slots=True)
class Character:
    """A bot's strengths and weaknesses. Times are in seconds."""

    name: str
    strength: float
    """On the scale of ratings, where a newcomer is 1000."""
    tier: Tier
    """The tier of reasoning that it tries before it guesses."""
    reaction: float
    """The usual time for a move."""
    errors: float
    """The share of its moves that are careless."""
    aggression: float
    """Its readiness to harm others: 1 does so for any gain, 0 never."""


ROSTER: Final = (
    Character("Pebble-bot", 700, Tier.SINGLE, 2.4, 0.10, 0.0),
    Character("Marble-bot", 850, Tier.SINGLE, 1.7, 0.05, 0.2),
    Character("Ember-bot", 1000, Tier.SUBSET, 1.2, 0.03, 0.4),
    Character("Cinder-bot", 1150, Tier.SUBSET, 0.85, 0.015, 0.6),
    Character("Quartz-bot", 1300, Tier.FULL, 0.6, 0.005, 0.8),
    Character("Fuse-bot", 1500, Tier.FULL, 0.4, 0.0, 1.0),
)

_BY_NAME: Final = {character.name: character for character in ROSTER}


def named(name: str) -> Character | None:
    """The house bot of this name, if there is one."""
    return _BY_NAME.get(name)


def character_of(name: str) -> Character:
    """The character behind a house account; an unknown one plays like the middle of the roster."""
    return _BY_NAME.get(name, ROSTER[2])


def nearest(strength: float, count: int) -> list[Character]:
    """So many different bots, those whose strength is nearest first."""
    return sorted(ROSTER, key=lambda bot: abs(bot.strength - strength))[:count]
