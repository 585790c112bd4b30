"""The modes as scripts know them: what every page says of them, and which modules a page loads.

The other half is games/static/games/modes.js.
"""

from __future__ import annotations

from typing import Any

from django.contrib.staticfiles.finders import find
from django.utils.translation import gettext

from games import mode_texts
from games.engine.registry import MODES

PARTS = ("fold", "lesson", "match", "mini", "picture", "replay", "texts")


def module_of(mode: str, part: str) -> str | None:
    """The module of this part: the mode's own, else the generic one, else None."""
    for name in (f"modes/{mode}/{part}.js", f"games/generic/{part}.js"):
        if find(name):
            return name
    return None


def style_of(mode: str) -> str | None:
    """The style sheet of a mode: its own, or that of the generic board if it is drawn on that."""
    if find(own := f"modes/{mode}/style.css"):
        return own
    return None if find(f"modes/{mode}/match.js") else "games/generic/style.css"


def for_scripts() -> list[dict[str, Any]]:
    """Every mode, in the order and the language of the page."""
    return [
        {
            "name": name,
            "title": gettext(str(mode_texts.TITLES[name])),
            "parts": [part for part in PARTS if find(f"modes/{name}/{part}.js")],
            "solo": MODES[name].spec.max_seats == 1,
            "judged": name in ("classic", "race", "area-attack"),
        }
        for name in mode_texts.playable()
    ]
