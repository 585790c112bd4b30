"""The modes as scripts know them: what every page says of them, and which modules a page loads.

The other half is games/static/games/modes.js.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from games.engine.registry import REGISTRY, modes

GENERIC = frozenset({"fold", "match", "mini", "replay"})
"""The parts that a mode can leave to the generic board."""


def _has(mode: str, part: str) -> bool:
    return mode in REGISTRY and REGISTRY[mode].has(part)


def module_of(mode: str, part: str) -> str | None:
    """The module of this part: the mode's own, else the generic one, else None."""
    if _has(mode, part):
        return f"modes/{mode}/{part}.js"
    return f"games/generic/{part}.js" if part in GENERIC else None


def styles_of(mode: str) -> list[str]:
    """The style sheets of a mode: the generic board's if it is drawn on that, and its own."""
    generic = [] if _has(mode, "match") else ["games/generic/style.css"]
    return [*generic, f"modes/{mode}/style.css"] if _has(mode, "style") else generic


def for_scripts() -> list[dict[str, Any]]:
    """Every mode, in the order and the language of the page."""
    return [
        {
            "name": mode.name,
            "title": gettext(mode.title),
            "parts": sorted(mode.parts),
            "solo": mode.solo,
            "judged": mode.judge is not None,
        }
        for mode in modes()
    ]
