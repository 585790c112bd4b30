"""Players who do not want to meet. A block works in both directions."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from channels.db import database_sync_to_async
from django.db import transaction
from django.db.models import Q

from accounts import following
from accounts.notifications.models import Notification
from lobby import notices
from lobby.errors import LobbyError
from lobby.models import Block
from lobby.people.models import KeptChallenge
from lobby.users import user_named

MOST: Final = 500
"""Players that one player can block."""


async def block(user_id: int, name: str) -> str:
    """Never meet this player from now on; returns the name as its owner writes it."""
    other = await user_named(name)
    if other.pk == user_id:
        raise LobbyError("not_yourself", "You can't block yourself.")
    if await Block.objects.filter(blocker_id=user_id).acount() >= MOST:
        raise LobbyError("too_many_blocks")
    await database_sync_to_async(_block)(user_id, other.pk)
    await notices.look_again([user_id, other.pk])
    return other.username


@transaction.atomic
def _block(user_id: int, other_id: int) -> None:
    """Neither follows the other any more, and no challenge waits between them."""
    Block.objects.get_or_create(blocker_id=user_id, blocked_id=other_id)
    following.part(user_id, other_id)
    pair = (user_id, other_id)
    waiting = KeptChallenge.objects.filter(by__in=pair, to__in=pair)
    Notification.objects.filter(
        user__in=pair, tag__in=list(waiting.values_list("pk", flat=True))
    ).delete()
    waiting.delete()


async def unblock(user_id: int, name: str) -> str:
    other = await user_named(name)
    await Block.objects.filter(blocker_id=user_id, blocked_id=other.pk).adelete()
    await notices.look_again([user_id, other.pk])
    return other.username


async def names(user_id: int) -> list[str]:
    """The names of the players this user has blocked."""
    rows = Block.objects.filter(blocker_id=user_id).order_by("blocked__username")
    return [name async for name in rows.values_list("blocked__username", flat=True)]


async def pairs(user_ids: Collection[int]) -> frozenset[frozenset[int]]:
    """The pairs among these users that are kept apart."""
    if len(user_ids) < 2:
        return frozenset()
    rows = Block.objects.filter(blocker_id__in=user_ids, blocked_id__in=user_ids)
    return frozenset(
        [frozenset(pair) async for pair in rows.values_list("blocker_id", "blocked_id")]
    )


async def apart(one: int, other: int) -> bool:
    """Has either blocked the other?"""
    return await Block.objects.filter(
        Q(blocker_id=one, blocked_id=other) | Q(blocker_id=other, blocked_id=one)
    ).aexists()
