"""How often a player may do something that others are told of."""

from __future__ import annotations

from typing import Final

from games.redis import redis
from lobby.store import named

HOUR_SECONDS: Final = 3600


async def is_allowed(what: str, user_id: int | str | None, most: int) -> bool:
    """Count one more; False when it is more than so many in an hour."""
    name = named(f"often:{what}:{user_id}")
    async with redis().pipeline(transaction=True) as pipe:
        pipe.set(name, 0, ex=HOUR_SECONDS, nx=True)
        pipe.incr(name)
        answers = await pipe.execute()
    return int(answers[1]) <= most


async def start_again(what: str, user_id: int | str | None) -> None:
    """Count from nothing."""
    await redis().delete(named(f"often:{what}:{user_id}"))
