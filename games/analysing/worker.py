"""The worker's job: takes jobs off the queues and has them computed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator

import msgspec
from channels.db import database_sync_to_async
from prometheus_client import Counter, Histogram

from games.analysing import results
from games.analysing.body import Body
from games.analysing.parts import LANES, Lane
from games.analysing.queue import RENEW_SECONDS, Queue
from games.compute import ComputeError, ComputeProcess

WAIT: float = 1.0

SECONDS = Histogram(
    "minesite_analysing_seconds", "Seconds that a job of a finished match took", ["lane"]
)
FAILED = Counter("minesite_analysing_failed", "Jobs of finished matches that failed", ["lane"])

logger = logging.getLogger(__name__)


async def run(stop: asyncio.Event) -> None:
    async with asyncio.TaskGroup() as group:
        for lane in LANES.values():
            for _ in range(lane.processes):
                group.create_task(_serve(lane, stop))


async def _serve(lane: Lane, stop: asyncio.Event) -> None:
    """One process, job after job."""
    queue, process = Queue(lane.name), ComputeProcess()
    try:
        while not stop.is_set():
            job = await queue.take()
            if job is None:
                await queue.wait(WAIT)
                continue
            running = asyncio.ensure_future(carry_out(lane, queue, process, job))
            ending = asyncio.ensure_future(stop.wait())
            await asyncio.wait({running, ending}, return_when=asyncio.FIRST_COMPLETED)
            ending.cancel()
            if not running.done():
                running.cancel()  # its lease runs out, and another worker takes it
            with contextlib.suppress(asyncio.CancelledError):
                await running
    finally:
        await process.close()


async def carry_out(lane: Lane, queue: Queue, process: ComputeProcess, job: str) -> None:
    match_id, _, part = job.partition(":")
    begin = time.monotonic()
    try:
        log = await database_sync_to_async(results.log_of)(match_id, part)
        if log is not None:
            async with _renewed(queue, job):
                raw = await process.call(
                    lane.function, msgspec.msgpack.encode([part, log]), lane.seconds
                )
            body = msgspec.msgpack.decode(raw, type=Body)
            await database_sync_to_async(results.store)(match_id, part, body)
    except ComputeError as error:
        logger.error("match %s: no %s: %s", match_id, part, error)
        FAILED.labels(lane.name).inc()
        await queue.fail(job, error.code)
    else:
        await queue.done(job)
        SECONDS.labels(lane.name).observe(time.monotonic() - begin)


@contextlib.asynccontextmanager
async def _renewed(queue: Queue, job: str) -> AsyncIterator[None]:
    """Keep other workers from taking the job meanwhile."""

    async def renew() -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            await queue.renew(job)

    task = asyncio.create_task(renew())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
