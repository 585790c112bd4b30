"""Runs the jobs of settings.WORKER_JOBS side by side; one that fails is started again alone."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from django.utils.module_loading import import_string

from games import redis
from games.live import host
from lobby import hub
from lobby.dealing import desk
from lobby.outage import Outage, is_outage
from lobby.stats import keep_counting
from minesite.backoff import Backoff
from minesite.collector import keep_exporting, settle
from minesite.loop_lag import keep_measuring

Job = Callable[[asyncio.Event], Awaitable[None]]

PATIENCE = 5.0

logger = logging.getLogger(__name__)
OUTAGE = Outage(logger, "jobs wait")


def load(names: list[str]) -> dict[str, Job]:
    """ "package.module:function" -> function, in order."""
    return {name: import_string(name.replace(":", ".")) for name in names}


async def keep_running(name: str, job: Job, stop: asyncio.Event) -> None:
    """Run the job until `stop`; when it raises or returns early, log it and start it again. Of a
    Redis that is away the log says it once."""
    backoff = Backoff()
    while not stop.is_set():
        begin = time.monotonic()
        try:
            await job(stop)
            if stop.is_set():
                return
            logger.error("job %s returned before it was asked to", name)
        except Exception as error:
            if is_outage(error):
                OUTAGE.notice(error)
            else:
                logger.exception("job %s failed", name)
        wait = backoff.after(time.monotonic() - begin)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), wait)


async def run(jobs: Mapping[str, Job], stop: asyncio.Event) -> None:
    """Run all jobs until `stop`, then give them a few seconds to end by themselves."""
    host.host(serving=False)  # before a job asks for it: the site is down when only workers run
    tasks = [
        asyncio.create_task(keep_running(name, job, stop), name=name) for name, job in jobs.items()
    ]
    tasks.append(asyncio.create_task(keep_counting(stop), name="figures"))
    tasks.append(asyncio.create_task(keep_exporting(stop), name="pauses"))
    tasks.append(asyncio.create_task(keep_measuring(stop, "worker"), name="lag"))
    settle()
    logger.info("worker runs %s", ", ".join(jobs) or "no jobs")
    await stop.wait()
    _done, late = await asyncio.wait(tasks, timeout=PATIENCE)
    for task in late:
        logger.warning("job %s did not stop in time", task.get_name())
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    await desk.close()
    await host.close()
    await hub.close()
    await redis.close()
