"""The modes as pages show them: in the visitor's language, made from each `MODE`."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.engine.mode import Mode
from games.engine.registry import REGISTRY, modes


def title_of(name: str) -> str:
    """The title of a mode; its name, when it is no longer installed."""
    return _(REGISTRY[name].title) if name in REGISTRY else name


def reasons_of(name: str) -> dict[str, str]:
    """The reasons why matches of this mode can end, in a few words."""
    reasons = REGISTRY[name].reasons if name in REGISTRY else {}
    return {reason: _(text) for reason, text in reasons.items()}


def titles() -> dict[str, str]:
    """The title of every mode by name, in the order of the pages."""
    return {mode.name: _(mode.title) for mode in modes()}


def rated_titles() -> dict[str, str]:
    """The same, of the modes that are played for a rating."""
    return {mode.name: _(mode.title) for mode in modes() if mode.may_be_rated}


def card_of(mode: Mode) -> dict[str, Any]:
    """A mode as a page shows it before it is played."""
    fewest, most = mode.seats
    return {
        "name": mode.name,
        "title": _(mode.title),
        "blurb": _(mode.blurb),
        "in_short": [_(line) for line in mode.in_short],
        "fewest": fewest,
        "most": most,
        "solo": mode.solo,
        "rated": mode.may_be_rated,
        "in_browser": mode.in_browser,
        "bot": mode.bot is not None,
        "daily": mode.daily is not None,
        "lesson": mode.has("lesson"),
        "mini": mode.has("mini"),
    }


def first_versus() -> dict[str, Any] | None:
    """The mode that "Play now" starts: the first one against others that has a bot and a board."""
    found = (mode for mode in modes() if not mode.solo and mode.in_browser and mode.bot)
    return next((card_of(mode) for mode in found), None)


def first_solo() -> dict[str, Any] | None:
    """The first mode for one player."""
    return next((card_of(mode) for mode in modes() if mode.solo and mode.in_browser), None)


def cards() -> list[dict[str, Any]]:
    return [card_of(mode) for mode in modes()]
