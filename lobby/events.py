"""What happened to a player, for programs that listen to `/api/v1/events`: a short log per account
in Redis, so that a program that was away for a moment misses nothing.

A log exists while a program has listened within the last hour; nobody else's events are stored.
Whoever records an event also sends a notice to the player's address, which wakes the listener.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from games.redis import key, redis, sync_redis

MOST: Final = 200
"""Events that are kept of one player."""
KEPT_SECONDS: Final = 3600
"""After the last listener."""
TYPES: Final = ("hello", "match", "turn", "challenge", "notification")
"""Everything that the stream says. See docs/api.md."""

_RECORD: Final = """
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[1], '*', 'type', ARGV[2], 'data', ARGV[3])
end
"""
_OPEN: Final = """
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('XADD', KEYS[1], '*', 'type', 'opened') end
redis.call('EXPIRE', KEYS[1], ARGV[1])
"""


class Event(msgspec.Struct, frozen=True):
    id: str
    type: str
    data: bytes
    """JSON."""


def log_of(user_id: int) -> str:
    """The key of this account's log."""
    return key(f"events:{user_id}")


async def record(events: Iterable[tuple[int, str, dict[str, Any]]]) -> None:
    """Note these (user, type, data) for those whose programs listen."""
    async with redis().pipeline(transaction=False) as pipe:
        for user_id, kind, data in events:
            pipe.eval(_RECORD, 1, log_of(user_id), MOST, kind, msgspec.json.encode(data))
        if len(pipe):
            await pipe.execute()


def record_now(user_id: int, kind: str, data: dict[str, Any]) -> None:
    """The same for code outside an event loop."""
    sync_redis().eval(_RECORD, 1, log_of(user_id), str(MOST), kind, msgspec.json.encode(data))


def forget(user_id: int) -> None:
    """The account is deleted."""
    sync_redis().delete(log_of(user_id))


async def keep(user_id: int) -> None:
    """A program listens: keep what happens from now on, for an hour at least."""
    await redis().eval(_OPEN, 1, log_of(user_id), KEPT_SECONDS)


async def last_id(user_id: int) -> str:
    """The id of the newest event."""
    found = await redis().xrevrange(log_of(user_id), count=1)
    return str(found[0][0].decode()) if found else "0-0"


async def is_known(user_id: int, event_id: str) -> bool:
    """Is everything after this event still there?"""
    first = await redis().xrange(log_of(user_id), count=1)
    if not first:
        return False
    last = await last_id(user_id)
    return _number(first[0][0].decode()) <= _number(event_id) <= _number(last)


def _number(event_id: str) -> tuple[int, int]:
    at, _, number = event_id.partition("-")
    return int(at), int(number)


async def after(user_id: int, event_id: str) -> list[Event]:
    """The events behind this one, the oldest first."""
    found = await redis().xrange(log_of(user_id), min=f"({event_id}")
    return [
        Event(raw_id.decode(), fields[b"type"].decode(), fields[b"data"])
        for raw_id, fields in found
        if b"data" in fields
    ]
