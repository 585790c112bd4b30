"""The modes as pages name them."""

from __future__ import annotations

from typing import Any, Final

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


IN_BROWSER: Final = frozenset({"classic", "race", "area-attack", "battleship"})
"""The modes that have a board in the browser; the others are played by programs."""

BLURBS: Final = {
    "classic": _("You against the clock. Boards that never ask for a guess, if you like."),
    "race": _("The same field for everyone. The first to clear it wins."),
    "area-attack": _("One field, two to four players: take more of it than the others."),
    "battleship": _("Two hidden fleets, turn by turn. Read what the sea tells you."),
    "minewars": _("A map, cities, and mines that others must not find in time."),
}

IN_SHORT: Final = {
    "classic": (
        _("A number tells how many mines touch the cell."),
        _("Open every safe cell. A mine ends the game."),
        _("Flag what you know to be a mine; press a satisfied number to open around it."),
    ),
    "race": (
        _("Everybody has the same board and the same start."),
        _("A mine does not end it: it costs you seconds, and more each time."),
        _("You see how far the others are, never what they see."),
    ),
    "area-attack": (
        _("Pick a start; the opening around it is your first land."),
        _("Open cells to own them. Only the owner sees a cell's number."),
        _("First a mine freezes you; later it blows up the land around it."),
        _("When the time is up, the largest area wins."),
    ),
    "battleship": (
        _("Place five ships where the other does not expect them."),
        _("One bomb each turn; you hear hit, miss or sunk."),
        _("Sink all five before yours are gone."),
    ),
    "minewars": (
        _("Capture land next to your own; a digit tells how many items lie around it."),
        _("Cities earn. Surround one to take it."),
        _("Lay mines where others want to go, and find theirs."),
    ),
}


def seats(name: str) -> tuple[int, int]:
    """The fewest and the most players of a mode."""
    spec = MODES[name].spec
    return spec.min_seats, spec.max_seats


def card(name: str) -> dict[str, Any]:
    """What a page shows of a mode before it is played."""
    fewest, most = seats(name)
    return {
        "name": name,
        "title": TITLES[name],
        "blurb": BLURBS[name],
        "in_short": IN_SHORT[name],
        "fewest": fewest,
        "most": most,
        "solo": most == 1,
        "in_browser": name in IN_BROWSER,
    }
