"""The notifications of this app."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop

from accounts.notifications import kinds
from accounts.notifications.kinds import Kind

HOUR: Final = 3600
OURS: Final = {
    "follower": Kind(gettext_noop("{name} follows you."), icon="people"),
    "challenge_kept": Kind(
        gettext_noop("{name} challenged you to {mode} while you were away."),
        gettext_noop("The challenge is open for a day."),
        seconds=12 * HOUR,
        icon="bolt",
    ),
    "challenge_returned": Kind(
        gettext_noop("{name} accepts your challenge to {mode}."),
        gettext_noop("Answer when you’re both here: the match starts right away."),
        seconds=12 * HOUR,
        icon="bolt",
    ),
    "challenge_declined": Kind(gettext_noop("{name} declined your challenge."), icon="close"),
    "invitation": Kind(
        gettext_noop("{name} invites you to a private match of {mode}."), seconds=600, icon="link"
    ),
}


def register() -> None:
    """Called when the app starts."""
    for name, kind in OURS.items():
        kinds.register(name, kind)
