"""The interface of a bot, and its decisions."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from games.bots.roster import Character
from games.engine.registry import REGISTRY


@dataclass(frozen=True, slots=True)
class Decision:
    """An action to take after so many seconds, unless the view has changed by then."""

    action: dict[str, Any]
    after: float


class Bot(Protocol):
    """Plays for one seat. A mode offers its own as `MODE.bot(character, random)`."""

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        """The next action, from this seat's view at match time `now`; None: nothing before there
        is news, or a moment has passed."""


def human_pause(character: Character, random: Random, effort: float = 1.0) -> float:
    """A time as people take it: mostly near the usual one, sometimes much longer, never instant."""
    return max(0.15, character.reaction * effort * random.lognormvariate(0.0, 0.45))


def bot_for(mode: str, character: Character, random: Random) -> Bot | None:
    """A bot of this character for a seat of this mode; None when no bot plays it."""
    found = REGISTRY.get(mode)
    return None if found is None or found.bot is None else found.bot(character, random)
