"""What devices are told by the games themselves. Other apps register kinds of their own
(accounts/notifications/kinds.py)."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext, gettext_noop

from accounts.notifications import kinds
from accounts.notifications.kinds import KINDS, Kind
from games.engine import registry

__all__ = ["KINDS", "OURS", "Kind"]

OURS: Final = {
    # The page that shows the match comes by itself.
    "matched": Kind(
        gettext_noop("Your match is starting"), "{mode}", seconds=60, icon="play", is_kept=False
    ),
    "turn": Kind(gettext_noop("Your turn"), "{mode}", seconds=60, icon="clock"),
    "challenge": Kind(
        gettext_noop("{name} challenges you to {mode}."), seconds=120, icon="bolt", alerts=False
    ),
    "rated_challenge": Kind(
        gettext_noop("{name} challenges you to a rated match of {mode}."),
        seconds=120,
        icon="bolt",
        alerts=False,
    ),
}


def title(mode: str) -> str:
    """Of a mode, in the present language; of one that is not installed any more, its name."""
    return gettext(registry.mode(mode).title) if mode in registry.REGISTRY else mode


def register() -> None:
    """Called when the app starts."""
    kinds.read_field("mode", title)
    for name, kind in OURS.items():
        kinds.register(name, kind)
