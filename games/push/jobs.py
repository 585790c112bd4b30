"""Notifications that wait for a worker: a list in Redis, of a bounded length.

A worker claims a job by taking it off the list. Like every notice, a notification may be lost: what
a player must not miss is also in the lobby.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

import msgspec
from django.urls import reverse

from games.redis import key, pop, redis, sync_redis

JOBS: Final = "push:jobs"
MOST_WAITING: Final = 5_000
"""Beyond this the oldest are dropped."""


class Job(msgspec.Struct, kw_only=True):
    """One notification to all devices of one player."""

    kind: str
    user: int
    url: str
    """The page that a press on it opens; empty: any page of the site will do."""
    tag: str
    """A device shows the newest of those with the same tag."""
    fields: dict[str, str] = {}
    at: float = msgspec.field(default_factory=time.time)


_decode = msgspec.json.Decoder(Job).decode


def about_match(kind: str, user: int, match_id: str, mode: str) -> Job:
    """The pages of a match use the same tag (site/call.js), so that nobody is told twice."""
    url = reverse("games:match", args=[match_id])
    return Job(kind=kind, user=user, url=url, tag=url, fields={"mode": mode})


async def add(jobs: Iterable[Job]) -> None:
    """Have these notifications sent soon, by any worker."""
    if encoded := [msgspec.json.encode(job) for job in jobs]:
        async with redis().pipeline(transaction=True) as pipe:
            pipe.rpush(key(JOBS), *encoded)
            pipe.ltrim(key(JOBS), -MOST_WAITING, -1)
            await pipe.execute()


def add_now(jobs: Iterable[Job]) -> None:
    """The same for code outside an event loop."""
    if encoded := [msgspec.json.encode(job) for job in jobs]:
        with sync_redis().pipeline(transaction=True) as pipe:
            pipe.rpush(key(JOBS), *encoded)
            pipe.ltrim(key(JOBS), -MOST_WAITING, -1)
            pipe.execute()


async def take(most: int, seconds: float) -> list[Job]:
    """The jobs that have waited longest; none when none came in this time."""
    first = await pop(key(JOBS), seconds)
    if first is None:
        return []
    more = await redis().lpop(key(JOBS), most - 1) or []
    return [_decode(raw) for raw in (first, *more)]
