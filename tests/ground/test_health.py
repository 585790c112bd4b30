from __future__ import annotations

import asyncio
import json

import msgspec
import pytest
from django.test import AsyncClient, Client

from games.live import heartbeat
from games.live.heartbeat import Process, alive, this_process
from games.redis import key, redis, sync_redis
from lobby.text import tcp
from minesite.obituary import strike_off
from tests.running_site import free_port

pytestmark = pytest.mark.django_db(transaction=True)


async def health() -> tuple[int, dict[str, str]]:
    answer = await AsyncClient().get("/healthz")
    return answer.status_code, json.loads(answer.content)


async def beat(process: Process) -> None:
    await asyncio.to_thread(heartbeat.beat, sync_redis(), heartbeat.keys(), process, False)


async def test_healthz_names_what_is_missing_and_is_200_only_when_nothing_is():
    status, body = await health()
    assert status == 503
    assert body == {
        "status": "down",
        "database": "up",
        "redis": "up",
        "logs": "up",
        "worker": "down",
        "gateway": "down",
        "disk": "up",
    }
    await beat(this_process("web"))  # a web process is no worker
    await redis().set(key("gateway"), b"{}", ex=10)
    assert (await health())[1]["worker"] == "down"
    await beat(this_process("worker"))
    status, body = await health()
    assert status == 200
    assert set(body.values()) == {"up"}


async def test_a_dead_process_is_struck_off_and_no_other():
    mine = this_process("worker")
    others = msgspec.structs.replace(mine, id="worker-2", host="elsewhere")
    for process in (mine, others):
        await beat(process)
    await tcp.announce(7777)
    await strike_off(mine.pid + 1)
    assert (await health())[0] == 200
    await strike_off(mine.pid)
    assert [process.id for process in await alive(redis())] == [others.id]
    assert (await health())[1]["gateway"] == "down"
    await strike_off()
    assert await alive(redis()) == []


async def test_healthz_without_redis_is_503_and_not_an_error(settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    status, body = await health()
    assert status == 503
    assert body["redis"] == body["worker"] == body["gateway"] == "down"
    assert body["database"] == "up"


async def test_the_tcp_job_says_that_it_listens_and_takes_it_back(settings):
    settings.TCP_PORT = free_port()
    stop = asyncio.Event()
    job = asyncio.create_task(tcp.run(stop))
    async with asyncio.timeout(10):
        while not await redis().exists(key("gateway")):
            await asyncio.sleep(0.01)
        assert json.loads(await redis().get(key("gateway")))["port"] == settings.TCP_PORT
        stop.set()
        await job
    assert not await redis().exists(key("gateway"))


def test_metrics_count_requests_by_pattern_and_ask_for_the_token_when_there_is_one(settings):
    client = Client()
    client.get("/no/such/page")
    text = client.get("/metrics").content.decode()
    assert 'minesite_http_requests_total{method="GET",route="none",status="404"}' in text
    assert "/no/such/page" not in text
    settings.METRICS_TOKEN = "sesame"
    assert client.get("/metrics").status_code == 401
    good = client.get("/metrics", headers={"Authorization": "Bearer sesame"})
    assert good.status_code == 200
