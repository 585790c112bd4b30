"""House bots for a seat: real, labelled accounts of kind `house`."""

from __future__ import annotations

from accounts.models import User
from games.bots.roster import nearest
from lobby.plans import Seated


async def pick(mode: str, seats: int, rating: float) -> list[Seated]:
    """So many different house bots, near this rating when there is a choice. They are made when
    they are first needed."""
    picked = []
    for character in nearest(rating, seats):
        user, _ = await User.objects.aget_or_create(
            username=character.name, defaults={"kind": User.Kind.HOUSE, "password": "!"}
        )
        picked.append(Seated(identity="", user_id=user.pk, name=user.username, kind="house"))
    return picked
