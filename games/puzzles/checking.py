"""Proves a puzzle again from its position alone."""

from __future__ import annotations

from games.puzzles.making import Made, ask_guess, ask_safe
from games.puzzles.position import SAFE


def is_right(made: Made) -> bool:
    """Whether making the puzzle anew from its position gives the same answer."""
    again = (ask_safe if made.question == SAFE else ask_guess)(made.position)
    return again is not None and (again.answer, again.tags) == (made.answer, made.tags)
