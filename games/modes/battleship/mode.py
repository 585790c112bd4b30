"""Two hidden fleets, one bomb a turn."""

from __future__ import annotations

from typing import Final

from games.engine.mode import Demo, Mode
from games.engine.options import gettext_noop

from .bot import BattleshipBot
from .options import rematch_options, text_options
from .rules import BattleshipRules
from .rules.actions import OPTIONS
from .rules.fleet import LENGTHS, SIDE
from .rules.rules import LAPSES_LOST
from .text import TEXT

MODE: Final = Mode(
    name="battleship",
    title=gettext_noop("Battleship"),
    blurb=gettext_noop("Two hidden fleets, one shot per turn. Find theirs first."),
    in_short=(
        gettext_noop("Place five ships where your opponent won’t expect them."),
        gettext_noop("Drop one bomb per turn: it’s a miss, a hit or a sunk ship."),
        gettext_noop("Sink all five before you lose yours."),
    ),
    order=40,
    rules=BattleshipRules(),
    options=OPTIONS,
    figures={"side": SIDE, "ships": LENGTHS, "missed_turns": LAPSES_LOST},
    parts=frozenset(
        {"match", "fold", "picture", "replay", "lesson", "mini", "style", "texts", "rules"}
    ),
    bot=BattleshipBot,
    rematch_options=rematch_options,
    text_options=text_options,
    text=TEXT,
    demo=(Demo(2, 4),),
    reasons={
        "fleet_sunk": gettext_noop("fleet sunk"),
        "lapses": gettext_noop("missed three turns"),
    },
)
