"""Runs the jobs of settings.WORKER_JOBS side by side; one that fails is started again alone."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from django.utils.module_loading import import_string

from games.live import host, redis
from games.live.heartbeat import keep_beating
from lobby.stats import keep_counting
from minesite.backoff import Backoff

Job = Callable[[asyncio.Event], Awaitable[None]]

PATIENCE = 5.0

logger = logging.getLogger(__name__)


def load(names: list[str]) -> dict[str, Job]:
    """ "package.module:function" -> function, in order."""
    return {name: import_string(name.replace(":", ".")) for name in names}


async def keep_running(name: str, job: Job, stop: asyncio.Event) -> None:
    """Run the job until `stop`; when it raises or returns early, log it and start it again."""
    backoff = Backoff()
    while not stop.is_set():
        begin = time.monotonic()
        try:
            await job(stop)
            if stop.is_set():
                return
            logger.error("job %s returned before it was asked to", name)
        except Exception:
            logger.exception("job %s failed", name)
        wait = backoff.after(time.monotonic() - begin)
        try:
            await asyncio.wait_for(stop.wait(), wait)
        except TimeoutError:
            logger.info("job %s starts again", name)


async def run(jobs: Mapping[str, Job], stop: asyncio.Event) -> None:
    """Run all jobs until `stop`, then give them a few seconds to end by themselves."""
    host.host(serving=False)  # before a job asks for it: the site is down when only workers run
    tasks = [
        asyncio.create_task(keep_running(name, job, stop), name=name) for name, job in jobs.items()
    ]
    tasks.append(asyncio.create_task(keep_beating("worker", stop), name="heartbeat"))
    tasks.append(asyncio.create_task(keep_counting(stop), name="figures"))
    logger.info("worker runs %s", ", ".join(jobs) or "no jobs")
    await stop.wait()
    _done, late = await asyncio.wait(tasks, timeout=PATIENCE)
    for task in late:
        logger.warning("job %s did not stop in time", task.get_name())
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    await host.close()
    await redis.close()
