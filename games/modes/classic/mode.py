"""Classic minesweeper for one player."""

from __future__ import annotations

from typing import Final

from games.engine.mode import Daily, Demo, Mode
from games.engine.options import gettext_noop
from games.engine.standard import BOARDS, EXPERT, without_guessing

from .analysis import ClassicJudge
from .bot import ClassicBot
from .figures import figures
from .hint import hint_for
from .rules import OPTIONS, ClassicRules

MODE: Final = Mode(
    name="classic",
    title=gettext_noop("Classic"),
    blurb=gettext_noop("You against the clock, on no-guess boards if you like."),
    in_short=(
        gettext_noop("A number tells you how many mines touch the cell."),
        gettext_noop("Open every safe cell. Hit a mine and the game is over."),
        gettext_noop(
            "Flag mines. Click a number whose mines are all flagged to open the cells around it."
        ),
    ),
    order=10,
    rules=ClassicRules(),
    options=OPTIONS,
    presets=BOARDS,
    rated=False,
    parts=frozenset(
        {"match", "fold", "picture", "replay", "lesson", "mini", "style", "texts", "rules"}
    ),
    bot=ClassicBot,
    judge=ClassicJudge,
    solo_figures=figures,
    hint=hint_for,
    daily=Daily(**EXPERT.options),
    board=without_guessing,
    lays_mines=frozenset({"timer", "over"}),
    demo=(
        Demo(1, 3, {"width": 9, "height": 9, "mines": 10}),
        Demo(1, 1, {"width": 16, "height": 16, "mines": 40}),
    ),
    reasons={"cleared": gettext_noop("cleared"), "mine": gettext_noop("hit a mine")},
)
