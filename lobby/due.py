"""States that end by themselves: a sorted set of their times, swept by the worker."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from games.redis import redis
from lobby import challenges, invitations, rematch
from lobby.store import named

ENDERS: dict[str, Callable[[str], Awaitable[None]]] = {
    "again": rematch.expire,
    "away": rematch.leave_if_away,
    "challenge": challenges.expire,
    "invite": invitations.expire,
}

logger = logging.getLogger(__name__)


async def sweep(now: int) -> None:
    """End what is due. An entry goes only after its state was ended, so a crash repeats it."""
    for raw in await redis().zrangebyscore(named("due"), "-inf", now):
        kind, _, name = raw.decode().partition(":")
        try:
            await ENDERS[kind](name)
        except Exception:
            logger.exception("%s %s could not be ended", kind, name)
        await redis().zrem(named("due"), raw)
