"""Figures: counted in every process, added up in Redis, read by the dashboard."""

from __future__ import annotations

import asyncio
import time

import pytest
from django.contrib.auth.models import Group
from django.test import AsyncClient
from prometheus_client import REGISTRY

from accounts.models import User
from games.live import counters
from games.live.counters import BUCKETS, COUNTERS, Counters, bucket, percentile, upper_ms
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.redis import key, redis
from lobby import stats
from minesite.loop_lag import keep_measuring


def test_a_bucket_holds_times_within_a_fifth():
    for micros in [*range(4, 5000), 10**5, 10**6, 10**7]:
        upper = upper_ms(bucket(micros / 1e6)) * 1000
        assert micros <= upper <= micros * 1.25 + 1, micros
    assert bucket(0) == 0
    assert bucket(1e9) == BUCKETS - 1


def test_percentiles_of_many_moves():
    mine = Counters()
    mine.waited(0.002)
    mine.moves += 98
    mine.waited(0.05)
    mine.moves += 2
    counted = mine.take()
    assert counted["moves"] == 100
    assert 2 <= percentile(counted, 0.5) <= 2.5
    assert 50 <= percentile(counted, 0.99) <= 62
    assert percentile({}, 0.5) is None
    assert mine.take() == {}


def _seconds_held() -> float:
    return REGISTRY.get_sample_value("minesite_loop_lag_seconds_sum", {"process": "web"}) or 0.0


@pytest.mark.asyncio
async def test_lag_of_the_event_loop_is_measured():
    COUNTERS.take()
    stop = asyncio.Event()
    before = _seconds_held()
    measuring = asyncio.create_task(keep_measuring(stop, "web"))
    await asyncio.sleep(0.01)
    time.sleep(0.3)  # noqa: ASYNC251 - that is what is measured
    await asyncio.sleep(0.06)
    stop.set()
    await measuring
    counted = COUNTERS.take()
    assert percentile(counted, 1.0, counters.LAG) > 200
    assert _seconds_held() - before > 0.2
    now = 1_700_000_000.0
    await stats.flush(now, counted)
    assert (await stats.recent(now + 1))["lag_most_ms"] > 200
    assert (await stats.series("hour", now + 10))["lines"]["lag"][-1] > 200


@pytest.mark.asyncio
async def test_processes_add_up_and_old_figures_expire():
    now = 1_700_000_000.0
    for second in range(5):
        await stats.flush(now + second, {"moves": 10, "took40": 10})
        await stats.flush(now + second, {"moves": 5, "took44": 5, "slow": 1, "limited": 1})
    recent = await stats.recent(now + 5)
    assert recent["moves_per_second"] == 15
    assert recent["p50_ms"] == upper_ms(40)
    assert recent["p99_ms"] == upper_ms(44)
    assert recent["last_minute"]["slow"] == 5
    hour = await stats.series("hour", now + 10)
    day = await stats.series("day", now + 60)
    assert len(hour["lines"]["moves"]) == 360
    assert len(day["lines"]["moves"]) == 1440
    assert hour["lines"]["moves"][-1] == 7.5  # 75 in ten seconds
    assert hour["lines"]["slow"][-1] == 5
    assert hour["lines"]["limited"][-1] == 5
    assert hour["lines"]["online"][-1] == 0
    assert hour["lines"]["moves"][0] is None
    for size, kept in stats.SLOTS.items():
        assert 0 < await redis().ttl(stats.slot(size, now)) <= kept


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_a_move_is_counted_and_shown_on_the_dashboard():
    user = await User.objects.acreate(username="the-support", is_staff=True)
    await user.groups.aadd(await Group.objects.aget(name="support"))
    other = await User.objects.acreate(username="other")
    seats = [SeatInfo(one.pk, one.username, one.kind) for one in (user, other)]
    match_id = await create_match("claim", seats, {}, rated=False, source="queue")
    COUNTERS.take()
    async with await SeatClient.open(match_id, 0) as seat:
        assert (await seat.act({"type": "ready"})).stored
    counted = COUNTERS.take()
    assert counted["moves"] == 1

    client = AsyncClient()
    await client.aforce_login(user)
    now = (await client.get("/admin/live.json")).json()["now"]
    await stats.flush(now - 2, counted)
    live = (await client.get("/admin/live.json")).json()
    assert live["matches"] == 1
    assert live["last_minute"]["moves"] == 1
    assert live["p50_ms"] > 0
    assert [one["kind"] for one in live["processes"]] == ["web"]
    assert live["redis_bytes"] > 0
    assert live["database_bytes"] > 0
    assert live["queues_open"] is True
    assert (await client.get("/admin/series/hour.json")).json()["lines"]["matches"]
    assert (await client.get("/admin/series/year.json")).status_code == 404
    page = (await client.get("/admin/")).content.decode()
    assert "Moves per second" in page
    assert "Close the queues" not in page  # that is for operators


@pytest.mark.asyncio
async def test_only_one_process_measures_the_site_in_a_second(redis_prefix):
    await stats.flush(1_700_000_000.0, {})
    await redis().hset(stats.slot(1, 1_700_000_000.0), "online", 7)
    await stats.flush(1_700_000_000.4, {})
    assert await redis().hget(stats.slot(1, 1_700_000_000.0), "online") == b"7"
    assert await redis().exists(key("stats:first:1700000000"))
