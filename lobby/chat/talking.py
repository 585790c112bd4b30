"""Who may write freely to whom."""

from __future__ import annotations

from accounts import privacy
from accounts.models import User


def may_talk(one_id: int, other_id: int) -> bool:
    """Do the settings of each let the other write? They ask at least that both follow each
    other."""
    users = User.objects.in_bulk([one_id, other_id])
    if one_id == other_id or len(users) != 2:
        return False
    one, other = users.values()
    return privacy.may("messages", one, other) and privacy.may("messages", other, one)
