"""The figures of a finished game for one player: what statistics and leaderboards are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Moves = Sequence[tuple[int, Mapping[str, Any]]]
"""The moves of a game, in order: the match time in ms, and the action as the player sent it."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A mode makes this from the state at the end (`Mode.solo_figures`)."""

    board: str
    """The name of the preset that the board is like; empty for any other board."""
    no_guess: bool
    """The board was dealt so that it needs no guess."""
    won: bool
    time_ms: int
    """From the first reveal to the end, by the server's clock."""
    bbbv: int
    """3BV: the fewest reveals that clear the board without flags."""
    bbbv_done: int
    """The part of it that was done."""
    reveals: int
    flags: int
    chords: int
    beats: tuple[int, ...] = ()
    """When the clicks came, in ms since the first reveal."""

    @property
    def clicks(self) -> int:
        return self.reveals + self.flags + self.chords

    @property
    def speed(self) -> float:
        """3BV per second."""
        return self.bbbv_done * 1000 / self.time_ms if self.time_ms else 0.0

    @property
    def ioe(self) -> float:
        """The index of efficiency: 3BV per click."""
        return self.bbbv_done / self.clicks if self.clicks else 0.0

    @property
    def rqp(self) -> float:
        """Seconds over 3BV per second: lower is better, and both count."""
        return (self.time_ms / 1000) ** 2 / self.bbbv_done if self.bbbv_done else 0.0
