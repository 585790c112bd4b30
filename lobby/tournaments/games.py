"""The values that pairing and standings work on: entrants and the games between them. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Result(StrEnum):
    """The result of a pairing. A forfeit is a win because the other player didn't show up."""

    NONE = ""
    """Still open, or without any effect."""
    ONE = "one"
    TWO = "two"
    DRAW = "draw"
    BYE = "bye"
    FORFEIT_ONE = "forfeit_one"
    """The first player wins by forfeit."""
    FORFEIT_TWO = "forfeit_two"
    FORFEIT_BOTH = "forfeit_both"
    """Neither player showed up."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in one tournament."""

    id: int
    rating: float = 1000.0
    """When they joined: it seeds the first round, and decides nothing later."""
    user: int = 0
    """Whom blocks are about; 0 for nobody."""


@dataclass(frozen=True, slots=True)
class Game:
    """One pairing. `two` is None for a bye."""

    one: int
    two: int | None
    number: int
    """The round of a Swiss tournament; the wave of an arena."""
    result: Result = Result.NONE
    ended: int = 0
    """Milliseconds. Arenas count games in the order of their ends."""

    def other(self, player: int) -> int | None:
        return self.two if player == self.one else self.one

    @property
    def was_played(self) -> bool:
        return self.result in (Result.ONE, Result.TWO, Result.DRAW)


WIN, DRAW, LOSS = 2, 1, 0
"""Points, doubled in a Swiss tournament so that a draw is a whole number."""

_POINTS = {
    Result.ONE: (WIN, LOSS),
    Result.TWO: (LOSS, WIN),
    Result.DRAW: (DRAW, DRAW),
    Result.BYE: (WIN, LOSS),
    Result.FORFEIT_ONE: (WIN, LOSS),
    Result.FORFEIT_TWO: (LOSS, WIN),
}


def points(game: Game, player: int) -> int:
    """The points of this player, before any doubling."""
    pair = _POINTS.get(game.result, (LOSS, LOSS))
    return pair[0] if player == game.one else pair[1]
