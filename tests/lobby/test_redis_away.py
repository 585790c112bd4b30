"""The site's Redis goes away and comes back: pages work, sockets wait, the log says it once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.asyncio.client import ClientConnection, connect

from lobby.outage import Outage
from minesite import worker
from tests.redis_server import redis_server
from tests.running_site import RunningSite, new_site, wait_for

PAGES = ("/", "/history/", "/watch/", "/daily/", "/play/classic/", "/leaderboard/race/", "/learn/")
"""Pages that a player can have without a Redis."""
SIGN_IN = """
from django.test import Client
from accounts.models import User
client = Client()
client.force_login(User.objects.create(username="Ann"))
print(client.session.session_key)
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[RunningSite]:
    (tmp_path / "sock").mkdir()
    site = new_site(tmp_path / "var", REDIS_URL=f"unix://{tmp_path}/sock/r", LOG_FORMAT="json")
    yield site
    site.stop()


def status_of(site: RunningSite, path: str, key: str) -> int:
    request = Request(site.url + path, headers={"Cookie": f"sessionid={key}"})
    try:
        with urlopen(request, timeout=30) as answer:
            assert b"Ann" in answer.read()  # still signed in
            return answer.status
    except HTTPError as error:
        with error:
            return error.code


async def ask(socket: ClientConnection, answer: str, **message: object) -> dict:
    await socket.send(json.dumps(message))
    async with asyncio.timeout(30):
        while (told := json.loads(await socket.recv()))["type"] not in (answer, "error"):
            pass
    return told


async def test_a_redis_that_goes_away_and_comes_back(site: RunningSite, tmp_path: Path) -> None:
    url = site.extra["REDIS_URL"]
    address, wish = f"ws://127.0.0.1:{site.port}/ws/lobby/", {"mode": "race"}
    with redis_server(url, tmp_path / "redis") as server:
        await asyncio.to_thread(site.start)
        key = site.python(SIGN_IN).strip()
        headers = {"Cookie": f"sessionid={key}", "Origin": site.url}
        socket = await connect(address, additional_headers=headers)
        assert json.loads(await socket.recv())["type"] == "hello"
        server.kill()
        server.wait()
    said = len(site.output)
    for path in PAGES:
        assert await asyncio.to_thread(status_of, site, path, key) == 200, path
    refused = await ask(socket, "queued", type="queue", wishes=[wish])
    assert refused["code"] == "unavailable"
    assert (await ask(socket, "pong", type="ping", at=2))["type"] == "pong"
    await asyncio.to_thread(wait_for, lambda: "jobs wait until Redis" in site.output[said:])
    with redis_server(url, tmp_path / "redis"):
        await asyncio.to_thread(wait_for, site.healthy, 60, "the site's recovery")
        assert (await ask(socket, "queued", type="queue", wishes=[wish]))["type"] == "queued"
        await ask(socket, "unqueued", type="unqueue")
        assert await asyncio.to_thread(status_of, site, "/history/", key) == 200
        await socket.close()
        lines = site.output[said:].splitlines()
        assert sum("jobs wait until Redis" in line for line in lines) == 1
        assert sum("lobby sockets wait until Redis" in line for line in lines) == 1
        assert sum("the cache is away" in line for line in lines) <= 2  # of web, and of the worker
        assert not [line for line in lines if "Traceback" in line]
        await asyncio.to_thread(site.stop)


async def test_a_job_that_waits_for_redis_is_one_line_and_another_error_is_none_less(
    caplog, monkeypatch
) -> None:
    monkeypatch.setattr(worker, "OUTAGE", Outage(worker.logger, "jobs wait"))
    stop, failures = asyncio.Event(), iter([ConnectionError("away")] * 2 + [KeyError("a bug")])

    async def job(stop: asyncio.Event) -> None:
        error = next(failures, None)
        if error is None:
            stop.set()
            return
        raise error

    await asyncio.wait_for(worker.keep_running("shaky", job, stop), 30)
    lines = [record.getMessage() for record in caplog.records]
    assert sum("jobs wait until Redis answers again: away" in line for line in lines) == 1
    assert sum(line == "job shaky failed" for line in lines) == 1
