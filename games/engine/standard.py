"""The boards that minesweeper players know by name."""

from __future__ import annotations

from typing import Any, Final

from .options import Preset, gettext_noop

BEGINNER: Final = Preset(
    "beginner",
    gettext_noop("Beginner"),
    {"width": 9, "height": 9, "mines": 10},
    gettext_noop("9 × 9, 10 mines"),
)
INTERMEDIATE: Final = Preset(
    "intermediate",
    gettext_noop("Intermediate"),
    {"width": 16, "height": 16, "mines": 40},
    gettext_noop("16 × 16, 40 mines"),
)
EXPERT: Final = Preset(
    "expert",
    gettext_noop("Expert"),
    {"width": 30, "height": 16, "mines": 99},
    gettext_noop("30 × 16, 99 mines"),
)
BOARDS: Final = (BEGINNER, INTERMEDIATE, EXPERT)


def without_guessing(options: Any) -> tuple[int, int, int] | None:
    """For `Mode.board`: the board that is dealt when the option `no_guess` is on."""
    return (options.width, options.height, options.mines) if options.no_guess else None
