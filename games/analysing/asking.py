"""Requests of web processes for results that the worker computes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final
from weakref import WeakKeyDictionary

from games.analysing import queue as queues
from games.analysing import results
from games.analysing.body import Body
from games.analysing.parts import lane_of
from games.analysing.queue import Queue

PAUSES: Final = (0.03, 0.05, 0.1, 0.15, 0.25)
"""Seconds between two looks whether a job is done; the last for all further ones."""

TEXTS: Final = {
    "waiting": "This is being computed. Ask again in a moment.",
    "busy": "Too many matches are being computed right now. Try again in a moment.",
    "too_many_requests": "You asked for too many matches at once. Try again in a minute.",
    "too_large": "This match is too long to replay. You can download its log.",
    "too_slow": "This match takes too long to compute. Try again in ten minutes.",
    "died": "This match can't be computed right now. Try again in ten minutes.",
    "failed": "This match can't be computed right now. Try again in ten minutes.",
}
STATUS: Final = {"waiting": 503, "busy": 503, "too_many_requests": 429, "too_large": 413}
RETRY_AFTER: Final = {
    "waiting": 2,
    "busy": 5,
    "too_many_requests": queues.ASKED_SECONDS,
    "too_large": None,
}


class NotReady(Exception):
    """There is no result yet, or there won't be one soon; `code` is one of TEXTS."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code if code in TEXTS else "failed"
        self.text = TEXTS[self.code]
        self.status = STATUS.get(self.code, 503)
        self.retry_after = RETRY_AFTER.get(self.code, queues.FAILED_SECONDS)


Waits = dict[str, asyncio.Task[None]]
_waits: WeakKeyDictionary[asyncio.AbstractEventLoop, Waits] = WeakKeyDictionary()


async def result(match_id: str, part: str, asker: str, patience: float) -> Body:
    """This part of a finished match, waited for up to so many seconds when it has to be computed
    first. Raises NotReady."""
    found = await results.find(match_id, part)
    if found is not None:
        return found
    job, queue = f"{match_id}:{part}", Queue(lane_of(part).name)
    await _enqueue(queue, job, asker)
    if patience > 0:
        try:
            async with asyncio.timeout(patience):
                await asyncio.shield(_waiting(job, lambda: queue.has(job)))
        except TimeoutError:
            raise NotReady("waiting") from None
        found = await results.find(match_id, part)
        if found is not None:
            return found
        raise NotReady(await queues.failure(job) or "waiting")
    raise NotReady("waiting")


async def _enqueue(queue: Queue, job: str, asker: str) -> None:
    if failed := await queues.failure(job):
        raise NotReady(failed)
    added = await queue.add(job, asker)
    if added not in ("added", "there"):
        raise NotReady(added)


def _waiting(job: str, is_queued: Callable[[], Awaitable[bool]]) -> asyncio.Task[None]:
    """One look at the queue for all of this process who wait for the same job."""
    waits = _waits.setdefault(asyncio.get_running_loop(), {})
    if job not in waits:
        waits[job] = asyncio.create_task(_until_done(is_queued))
        waits[job].add_done_callback(lambda done: waits.pop(job, None))
    return waits[job]


async def _until_done(is_queued: Callable[[], Awaitable[bool]]) -> None:
    looks = 0
    while looks < 400 and await is_queued():
        await asyncio.sleep(PAUSES[min(looks, len(PAUSES) - 1)])
        looks += 1
