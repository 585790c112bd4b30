"""Who follows whom. What following needs the other's leave for is asked in lobby/people."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db import transaction

from accounts.models import Follow, User

MOST: Final = 500
"""Players that one player can follow."""


class TooMany(Exception):
    """The player follows as many as one can."""


def follow(user: User, other: User) -> bool:
    """True: it is new. Raises TooMany."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # one at a time
        if Follow.objects.filter(follower=user, followed=other).exists():
            return False
        if Follow.objects.filter(follower=user).count() >= MOST:
            raise TooMany
        Follow.objects.create(follower=user, followed=other)
    return True


def unfollow(user_id: int, other_id: int) -> None:
    Follow.objects.filter(follower_id=user_id, followed_id=other_id).delete()


def part(one_id: int, other_id: int) -> None:
    """Neither follows the other any more."""
    unfollow(one_id, other_id)
    unfollow(other_id, one_id)


def follows(user_id: int, other_id: int) -> bool:
    return Follow.objects.filter(follower_id=user_id, followed_id=other_id).exists()


def mutual(one_id: int, other_id: int) -> bool:
    """Do these two follow each other?"""
    return follows(one_id, other_id) and follows(other_id, one_id)


def who_follow(user_ids: Collection[int], other_id: int) -> set[int]:
    """Those of these users who follow this one."""
    rows = Follow.objects.filter(follower__in=user_ids, followed_id=other_id)
    return set(rows.values_list("follower_id", flat=True))


def followed_by(user_id: int) -> list[User]:
    """The players whom this one follows, by name."""
    users = User.objects.filter(followers__follower_id=user_id, is_active=True)
    return list(users.order_by("username")[:MOST])


def followers_of(user_id: int, most: int = MOST) -> list[User]:
    """The newest first."""
    users = User.objects.filter(follows__followed_id=user_id, is_active=True)
    return list(users.order_by("-follows__pk")[:most])


def counts(user_id: int) -> tuple[int, int]:
    """How many this player follows, and how many follow them."""
    ours = Follow.objects.filter(follower_id=user_id, followed__is_active=True).count()
    theirs = Follow.objects.filter(followed_id=user_id, follower__is_active=True).count()
    return ours, theirs
