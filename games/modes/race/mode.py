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
    blurb=gettext_noop("Everyone gets the same board. The first to clear it wins."),
    in_short=(
        gettext_noop("Everyone gets the same board and the same opening."),
        gettext_noop("A mine doesn’t end the race. It costs you time, and more each time."),
        gettext_noop("You see how far the others have got, but never their boards."),
    ),
    order=20,
    rules=RaceRules(),
    options=OPTIONS,
    presets=BOARDS,
    first_steps=("beginner", "intermediate"),
    parts=frozenset(
        {"match", "fold", "picture", "replay", "lesson", "mini", "style", "texts", "rules"}
    ),
    bot=RaceBot,
    board=without_guessing,
    lays_mines=frozenset({"started", "over"}),
    judge=BoardJudge,
    demo=(Demo(2, 3, {"width": 16, "height": 16, "mines": 40, "no_guess": False}),),
    reasons={"finished": gettext_noop("cleared"), "time": gettext_noop("time ran out")},
)
