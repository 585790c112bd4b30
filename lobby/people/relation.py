"""What one player is to another, for the page of a profile."""

from __future__ import annotations

from typing import Any

from accounts import following, privacy
from accounts.models import User
from accounts.reading import read
from lobby.models import Block
from lobby.people.follows import CAN_FOLLOW
from lobby.people.presence_of import AWAY, whereabouts
from lobby.store import now_ms


def stands(user: User, other: User) -> dict[str, Any]:
    """What the database knows."""
    apart = Block.objects.filter(blocker=other, blocked=user).exists()
    blocked = Block.objects.filter(blocker=user, blocked=other).exists()
    is_house = other.kind == User.Kind.HOUSE
    followable = user.kind in CAN_FOLLOW and other.kind in CAN_FOLLOW
    return {
        "name": other.username,
        "following": following.follows(user.pk, other.pk),
        "follows_you": following.follows(other.pk, user.pk),
        "followers": following.counts(other.pk)[1],
        "blocked": blocked,
        "may_follow": followable and not apart and privacy.may("follows", other, user),
        "may_challenge": not apart and privacy.may("challenges", other, user),
        "sees_online": not is_house and not apart and privacy.may("online", other, user),
    }


async def relation(user: User, other: User) -> dict[str, Any]:
    """The same, and whether the other is here, if they let this player see it."""
    known = await read(stands, user, other)
    where = AWAY
    if known["sees_online"]:
        where = (await whereabouts([other.pk], await now_ms()))[other.pk]
    return {**known, **where.as_json()}
