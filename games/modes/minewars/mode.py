"""Empires on a hexagonal island of mines, for two to six players."""

from __future__ import annotations

from typing import Final

from games.engine.mode import Demo, Mode
from games.engine.options import Preset, gettext_noop

from .analysis import MineWarsJudge
from .bot import MineWarsBot
from .rules.presets import OPTIONS, PRESET, PRESETS
from .rules.rules import MineWarsRules
from .rules.ruleset import Ruleset
from .timeline import MineWarsTimeline

NOTES: Final = {
    "duel": gettext_noop("2 players, 5 cities"),
    "classic": gettext_noop("4 players, 8 cities"),
    "mayhem": gettext_noop("6 players, low prices"),
    "duos": gettext_noop("3 teams of two"),
}

MODE: Final = Mode(
    name="minewars",
    title=gettext_noop("MineWars"),
    blurb=gettext_noop("Conquer land, take cities, and lay mines that your rivals spot too late."),
    in_short=(
        gettext_noop("Capture land next to yours. A digit shows how many items lie around it."),
        gettext_noop("Cities earn money. Surround one to take it."),
        gettext_noop("Lay mines where others want to go, and find theirs."),
    ),
    order=50,
    rules=MineWarsRules(),
    options=OPTIONS,
    figures=Ruleset().figures(),
    presets=tuple(
        Preset(
            name,
            title,
            {"preset": name, **{k: v for k, v in PRESETS[name].items() if k != "players"}},
            NOTES[name],
            size=PRESETS[name]["players"],
        )
        for name, title in PRESET.choices
    ),
    parts=frozenset(
        {"match", "fold", "picture", "replay", "lesson", "mini", "style", "texts", "rules"}
    ),
    bot=MineWarsBot,
    judge=MineWarsJudge,
    slow_start=True,
    timeline=MineWarsTimeline,
    demo=(Demo(2, 1, {"radius": 9, "cities": 3, "limit_seconds": 120}),),
    reasons={"time": gettext_noop("time ran out")},
)
