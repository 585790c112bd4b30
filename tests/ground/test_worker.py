from __future__ import annotations

import asyncio
import logging

import pytest

from games.live.heartbeat import alive
from games.redis import redis
from minesite import worker
from minesite.backoff import FIRST, LONGEST, WELL, Backoff


def test_the_wait_doubles_up_to_a_limit_and_is_short_again_after_a_good_run():
    backoff = Backoff()
    waits = [backoff.after(0) for _ in range(8)]
    assert waits[:3] == [FIRST, FIRST * 2, FIRST * 4]
    assert waits[-1] == LONGEST
    assert backoff.after(WELL) == FIRST


def test_jobs_are_named_by_module_and_function():
    assert worker.load(["lobby.text.tcp:run"])["lobby.text.tcp:run"].__name__ == "run"
    with pytest.raises(ImportError):
        worker.load(["lobby.text.tcp:walk"])


async def test_a_job_that_fails_is_logged_and_starts_again_while_the_others_go_on(caplog):
    stop, steady_runs, attempts = asyncio.Event(), [], []
    recovered = asyncio.Event()

    async def steady(stop: asyncio.Event) -> None:
        steady_runs.append("begin")
        await stop.wait()

    async def shaky(stop: asyncio.Event) -> None:
        attempts.append("begin")
        if len(attempts) == 1:
            raise RuntimeError("went off")
        recovered.set()
        await stop.wait()

    running = asyncio.create_task(worker.run({"steady": steady, "shaky": shaky}, stop))
    async with asyncio.timeout(10):
        await recovered.wait()
        while not await alive(redis(), "worker"):
            await asyncio.sleep(0.01)
        stop.set()
        await running
    assert steady_runs == ["begin"]
    assert len(attempts) == 2
    failures = [r for r in caplog.records if r.levelno == logging.ERROR]
    assert [r.getMessage() for r in failures] == ["job shaky failed"]
    assert await alive(redis(), "worker") == []


async def test_a_job_that_does_not_stop_is_cut_off(monkeypatch, caplog):
    monkeypatch.setattr(worker, "PATIENCE", 0.05)
    stop, begun = asyncio.Event(), asyncio.Event()

    async def deaf(stop: asyncio.Event) -> None:
        begun.set()
        await asyncio.Event().wait()

    running = asyncio.create_task(worker.run({"deaf": deaf}, stop))
    async with asyncio.timeout(10):
        await begun.wait()
        stop.set()
        await running
    assert "job deaf did not stop in time" in caplog.text
