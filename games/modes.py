"""The modes as pages name them."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.engine.registry import MODES

TITLES: Final = {
    "classic": _("Classic"),
    "race": _("Race"),
    "area-attack": _("Area Attack"),
    "battleship": _("Battleship"),
    "minewars": _("MineWars"),
}


def rated() -> list[str]:
    """The modes that are played against others, in the order of the pages."""
    return [name for name in TITLES if name in MODES and MODES[name].spec.max_seats > 1]


def playable() -> list[str]:
    return [name for name in TITLES if name in MODES]
