"""Follow a player, if blocks and their settings allow it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from channels.db import database_sync_to_async
from django.utils import timezone

from accounts import following, privacy
from accounts.models import User
from accounts.notifications.models import Notification
from accounts.notifications.notify import notify
from lobby import blocks
from lobby.errors import LobbyError
from lobby.people.limits import is_allowed
from lobby.users import user_named

MOST_AN_HOUR: Final = 60
AGAIN_AFTER: Final = timedelta(days=1)
"""Following, unfollowing and following again tells the other once in this time."""
CAN_FOLLOW: Final = (User.Kind.REGISTERED, User.Kind.BOT)


async def follow(user_id: int, name: str) -> str:
    """Follow the player of this name; returns the name as its owner writes it. Raises
    LobbyError."""
    other = await user_named(name)
    if other.pk == user_id:
        raise LobbyError("not_yourself", "You can't follow yourself.")
    if await blocks.apart(user_id, other.pk):
        raise LobbyError("blocked")
    if not await is_allowed("follow", user_id, MOST_AN_HOUR):
        raise LobbyError(
            "too_many_followed", "You've followed many players in a short time. Try again later."
        )
    await database_sync_to_async(_follow)(user_id, other)
    return other.username


async def unfollow(user_id: int, name: str) -> str:
    other = await user_named(name)
    await database_sync_to_async(following.unfollow)(user_id, other.pk)
    return other.username


def _follow(user_id: int, other: User) -> None:
    user = User.objects.get(pk=user_id)
    if user.kind not in CAN_FOLLOW:
        raise LobbyError("account_needed")
    if other.kind not in CAN_FOLLOW or not privacy.may("follows", other, user):
        raise LobbyError("no_followers")
    try:
        is_new = following.follow(user, other)
    except following.TooMany:
        raise LobbyError("too_many_followed") from None
    if is_new and not _was_told_lately(other.pk, str(user_id)):
        notify(other.pk, "follower", {"name": user.username}, user.get_absolute_url(), str(user_id))


def _was_told_lately(user_id: int, tag: str) -> bool:
    told = Notification.objects.filter(user_id=user_id, kind="follower", tag=tag)
    return told.filter(created_at__gt=timezone.now() - AGAIN_AFTER).exists()
