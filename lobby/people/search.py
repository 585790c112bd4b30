"""Find players by the beginning of their names."""

from __future__ import annotations

import re
from typing import Final

from django.db.models.functions import Lower

from accounts.models import User

FEWEST: Final = 2
"""Letters that have to be given."""
MOST: Final = 20
LISTED: Final = (User.Kind.REGISTERED, User.Kind.BOT, User.Kind.HOUSE)
"""Guests come and go, and aren't listed."""
_PREFIX: Final = re.compile(r"[a-z0-9_-]{2,20}")


def beginning_with(text: str) -> list[User]:
    """The players whose names begin so, in any case; the one of exactly this name comes first."""
    prefix = text.strip().lower()
    if not _PREFIX.fullmatch(prefix):
        return []
    # A range is found along the index on lower(name); what a database's collation lets in besides
    # is left out here.
    rows = (
        User.objects.annotate(lower=Lower("username"))
        .filter(is_active=True, kind__in=LISTED, lower__gte=prefix, lower__lt=_after(prefix))
        .order_by("lower")
    )
    found: list[User] = [*rows[: 2 * MOST]]
    return [user for user in found if user.username.lower().startswith(prefix)][:MOST]


def _after(prefix: str) -> str:
    """The first text that is behind all that begin so."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)
