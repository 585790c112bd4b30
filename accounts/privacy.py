"""Who may do something that concerns another player: what that player's settings say.

Blocks are not asked here; they are the lobby's (lobby/blocks.py).
"""

from __future__ import annotations

from typing import Final

from accounts import following, preferences
from accounts.models import User

SETTINGS: Final = ("follows", "challenges", "messages", "online")


def may(setting: str, of: User, by: User) -> bool:
    """May `by` do this to `of`, by the settings of `of`? Of `online`: see that they are here."""
    audience = preferences.of(of)[setting]
    if of.pk == by.pk or audience == "everyone":
        return True
    if audience == "registered":
        return by.kind != User.Kind.GUEST
    if audience == "followed":
        return following.follows(of.pk, by.pk)
    if audience == "mutual":
        return following.mutual(of.pk, by.pk)
    return False


def may_all(setting: str, of: list[User], by: User) -> set[int]:
    """The ids of those among these players who allow it, in one query."""
    followers = following.who_follow([user.pk for user in of], by.pk)
    allowed = set()
    for user in of:
        audience = preferences.of(user)[setting]
        if (
            audience == "everyone"
            or (audience == "registered" and by.kind != User.Kind.GUEST)
            or (audience == "followed" and user.pk in followers)
            or user.pk == by.pk
        ):
            allowed.add(user.pk)
    return allowed
