"""Two to four players claim one hidden mine field against the clock."""

from __future__ import annotations

from typing import Final

from games.engine.mode import Demo, Mode
from games.engine.options import gettext_noop

from .analysis import AreaAttackJudge
from .bot import AreaAttackBot
from .rules import AreaAttackRules
from .rules.options import OPTIONS, figures
from .text import TEXT

MODE: Final = Mode(
    name="area-attack",
    title=gettext_noop("Area Attack"),
    blurb=gettext_noop("One field, two to four players. Claim more of it than anyone else."),
    in_short=(
        gettext_noop("Pick a start. The opening around it is your first land."),
        gettext_noop("Open cells to claim them. Only you see the numbers on your cells."),
        gettext_noop("Early on, a mine freezes you. Later, it blows up the land around it."),
        gettext_noop("When time runs out, the largest area wins."),
    ),
    order=30,
    rules=AreaAttackRules(),
    options=OPTIONS,
    figures=figures(),
    parts=frozenset(
        {"match", "fold", "picture", "replay", "lesson", "mini", "style", "texts", "rules"}
    ),
    bot=AreaAttackBot,
    spectator_delay=lambda options: int(options["freeze_seconds"] * 1000),
    lays_mines=frozenset({"started", "regenerated", "over"}),
    judge=AreaAttackJudge,
    text=TEXT,
    demo=(Demo(2, 2, {"size": 20}), Demo(4, 1, {"size": 24})),
    reasons={"cleared": gettext_noop("cleared"), "time": gettext_noop("time ran out")},
)
