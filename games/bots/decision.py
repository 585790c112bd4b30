"""The shape of a decision."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from games.bots.roster import Character


@dataclass(frozen=True, slots=True)
class Decision:
    """An action to take after so many seconds, unless the view has changed by then."""

    action: dict[str, Any]
    after: float


class Mind(Protocol):
    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        """What to do next, from this seat's view at match time `now`; None: wait for news."""


def human_pause(character: Character, random: Random, effort: float = 1.0) -> float:
    """A time as people take it: mostly near the usual one, sometimes much longer, never instant."""
    return max(0.15, character.reaction * effort * random.lognormvariate(0.0, 0.45))
