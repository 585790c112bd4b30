"""Two to four players solve copies of one board; the first to clear it wins."""

from __future__ import annotations

from typing import Final

from games.bots.judging import BoardJudge
from games.engine.mode import Demo, Mode
from games.engine.options import gettext_noop
from games.engine.standard import BOARDS, without_guessing

from .bot import RaceBot
from .rules import OPTIONS, RaceRules

MODE: Final = Mode(
    name="race",
    title=gettext_noop("Race"),
    blurb=gettext_noop("The same field for everyone. The first to clear it wins."),
    in_short=(
        gettext_noop("Everybody has the same board and the same start."),
        gettext_noop("A mine does not end it: it costs you seconds, and more each time."),
        gettext_noop("You see how far the others are, never what they see."),
    ),
    order=20,
    rules=RaceRules(),
    options=OPTIONS,
    presets=BOARDS,
    parts=frozenset(
        {"match", "fold", "picture", "replay", "lesson", "mini", "style", "texts", "rules"}
    ),
    bot=RaceBot,
    board=without_guessing,
    lays_mines=frozenset({"started", "over"}),
    judge=BoardJudge,
    demo=(Demo(2, 3, {"width": 16, "height": 16, "mines": 40, "no_guess": False}),),
    reasons={"finished": gettext_noop("cleared"), "time": gettext_noop("time was up")},
)
