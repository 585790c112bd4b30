"""House bots in real matches: they sit down, play, and are replaced when their worker dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator

import pytest
from django.conf import settings

from games.bots.decision import bot_for
from games.live import host as live_host
from games.live.seat_client import SeatClient
from games.redis import key, redis
from lobby import creation, matchmaker, queue
from lobby import house_bots as house_job
from lobby.house_bots import House
from lobby.plans import Plan
from lobby.players import text_guest
from lobby.store import now_ms
from lobby.tickets import Wish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    house = House()
    yield house
    await house.close()
    await live_host.close()


async def against_a_bot(mode: str) -> Plan:
    """The plan of a running match of a lone player who asked for a bot."""
    ticket = await queue.join(text_guest("anna"), [Wish(mode=mode, size=2)], bots="now")
    await matchmaker.make_matches([ticket], await now_ms(), matchmaker.config())
    result = await queue.result(ticket.id)
    assert result is not None
    plan = await creation.plan_of(result.match)
    assert plan is not None
    assert [seat.kind for seat in plan.seats] == ["guest", "house"]
    return plan


async def heard(seat: SeatClient, kind: str) -> dict:
    async with asyncio.timeout(60):
        async for event in seat:
            if event["type"] == kind:
                return event
    raise AssertionError(f"no {kind} before the end")


async def test_a_bot_gets_ready_and_plays(house):
    plan = await against_a_bot("race")
    await house.look()
    async with await SeatClient.open(plan.match, 0) as me:
        await me.act({"type": "ready"})
        await heard(me, "started")
        progress = await heard(me, "progress")
        assert progress["seat"] == 1
        await me.act({"type": "surrender"})
        over = await heard(me, "over")
        assert over["outcome"]["ranks"] == [2, 1]


async def test_a_seat_is_played_by_one_worker_and_taken_over_when_that_one_dies(house):
    plan = await against_a_bot("battleship")
    await house.look()
    other = House()
    await other.look()
    assert other.seats == {}
    # A killed worker does not release anything: its claim runs out.
    for task in house.seats.values():
        task.cancel()
    await asyncio.gather(*house.seats.values(), return_exceptions=True)
    await redis().delete(key(f"bot:{plan.match}:1"))
    await other.look()
    assert list(other.seats) == [(plan.match, 1)]
    await other.close()


class Broken:
    def decide(self, view, now):
        raise RuntimeError("a bug")


async def test_a_bot_that_fails_is_tried_again_and_the_match_goes_on(house, monkeypatch, caplog):
    monkeypatch.setattr(house_job, "CLAIM_MS", 300)
    bots = [Broken()]
    monkeypatch.setattr(
        house_job, "bot_for", lambda *given: bots.pop() if bots else bot_for(*given)
    )
    plan = await against_a_bot("race")
    async with await SeatClient.open(plan.match, 0) as me, asyncio.timeout(60):
        await me.act({"type": "ready"})
        while me.view["phase"] == "setup":
            await house.look()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(me.next(), 0.1)
        await heard(me, "progress")
    assert "the bot in seat 1 failed" in caplog.text


WORKER = """
import asyncio, django
django.setup()
from lobby import house_bots as house
print("begins", flush=True)
asyncio.run(house.run(asyncio.Event()))
"""


async def test_a_bot_whose_process_is_killed_plays_on_from_another_one(house):
    """The seat is left as kill -9 leaves it: claimed and controlled by a process that is gone."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "minesite.settings",
        "REDIS_URL": settings.REDIS_URL,
        "LIVE_REDIS_URL": settings.LIVE_REDIS_URL,
        "REDIS_PREFIX": settings.REDIS_PREFIX,
        "DATA_DIR": str(settings.DATA_DIR),
    }
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WORKER, env=environment, stdout=asyncio.subprocess.PIPE
    )
    assert worker.stdout is not None
    try:
        async with asyncio.timeout(120):
            assert await worker.stdout.readline() == b"begins\n"
        plan = await against_a_bot("race")
        async with await SeatClient.open(plan.match, 0) as me:
            await me.act({"type": "ready"})
            await heard(me, "started")
            assert (await heard(me, "progress"))["seat"] == 1
            worker.kill()
            await worker.wait()
            async with asyncio.timeout(60):
                while not house.seats:  # until the claim of the dead has run out
                    await house.look()
                    await asyncio.sleep(0.1)
            assert list(house.seats) == [(plan.match, 1)]
            while me.number < me.replica.state.count(0):  # what the dead one did
                await me.next()
            assert (await heard(me, "progress"))["seat"] == 1
    finally:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()
