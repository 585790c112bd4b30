"""Jobs that wait for the worker: two sorted sets in Redis, of a bounded length.

A job is `<match>:<part>`; its score is the time from which on a worker may take it. To take a job
is to put that time off, and the worker does so again while it computes: when it dies, another one
takes the job a few seconds later. A job is on the queue once, however many ask for it.

| key | what |
|---|---|
| `analysing:<lane>` | sorted set: job -> when it may be taken, in ms |
| `analysing:<lane>:wake` | list: not empty when there is a new job |
| `analysing:asker:<asker>` | how many jobs this asker has added in the last minute |
| `analysing:failed:<job>` | why a job could not be done, for a while |
"""

from __future__ import annotations

from typing import Final

from games.redis import key, pop, redis

MOST_JOBS: Final = 100
"""Of a lane; more are refused until some are done."""
MOST_ASKED: Final = 30
ASKED_SECONDS: Final = 60
"""New jobs of one asker in this time. A job that is there already is free."""
LEASE_MS: Final = 15_000
RENEW_SECONDS: Final = 5.0
FAILED_SECONDS: Final = 600
"""Seconds that a job that failed is not tried again."""

_CLOCK: Final = "local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)\n"
_ADD: Final = (
    _CLOCK
    + """
-- job, the most jobs, the most of this asker, seconds that they are counted for
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 'there' end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 'busy' end
if tonumber(redis.call('GET', KEYS[3]) or 0) >= tonumber(ARGV[3]) then
  return 'too_many_requests'
end
if redis.call('INCR', KEYS[3]) == 1 then redis.call('EXPIRE', KEYS[3], ARGV[4]) end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('LPUSH', KEYS[2], 1)
redis.call('LTRIM', KEYS[2], 0, 7)
return 'added'
"""
)
_TAKE: Final = (
    _CLOCK
    + """
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 1)
if found[1] then redis.call('ZADD', KEYS[1], now + ARGV[1], found[1]) end
return found[1]
"""
)
_RENEW: Final = _CLOCK + "return redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])"


class Queue:
    """The queue of one lane."""

    def __init__(self, lane: str) -> None:
        self._jobs = key(f"analysing:{lane}")
        self._wake = key(f"analysing:{lane}:wake")

    async def add(self, job: str, asker: str) -> str:
        """Put the job on the queue, unless it is there: "added" or "there". It refuses with "busy"
        when the queue is full, and with "too_many_requests" when the asker has added too many."""
        names = (self._jobs, self._wake, key(f"analysing:asker:{asker}"))
        limits = (MOST_JOBS, MOST_ASKED, ASKED_SECONDS)
        found = await redis().eval(_ADD, 3, *names, job, *limits)
        return str(found.decode())

    async def offer(self, job: str, most: int) -> bool:
        """Put the site's own job on the queue; False when there are this many jobs already."""
        names = (self._jobs, self._wake, key("analysing:asker:site"))
        found = await redis().eval(_ADD, 3, *names, job, most, 2**31, ASKED_SECONDS)
        return bool(found == b"added" or found == b"there")

    async def has(self, job: str) -> bool:
        return await redis().zscore(self._jobs, job) is not None

    async def length(self) -> int:
        return int(await redis().zcard(self._jobs))

    async def take(self) -> str | None:
        """The job that has waited longest, for the worker alone until its lease runs out."""
        found = await redis().eval(_TAKE, 1, self._jobs, LEASE_MS)
        return found.decode() if found else None

    async def renew(self, job: str) -> None:
        await redis().eval(_RENEW, 1, self._jobs, job, LEASE_MS)

    async def wait(self, seconds: float) -> None:
        """Until there is a new job, or so long."""
        await pop(self._wake, seconds)

    async def done(self, job: str) -> None:
        await redis().zrem(self._jobs, job)

    async def fail(self, job: str, code: str) -> None:
        await redis().set(_failed(job), code, ex=FAILED_SECONDS)
        await self.done(job)


async def failure(job: str) -> str | None:
    """The error of this job, if it failed not long ago."""
    found = await redis().get(_failed(job))
    return found.decode() if found else None


def _failed(job: str) -> str:
    return key(f"analysing:failed:{job}")
