"""Limits per client address, whatever server is below."""

from __future__ import annotations

import asyncio
import gc
import re
from collections import Counter
from typing import Any

import pytest

from games.live.lane.link import EXTENSION
from games.rate_limit import Bucket
from minesite.admission import AT_ONCE, FORGET_EVERY, HASTY, Admission, place
from tests.running_site import ROOT


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Lane:
    """Like a server's lane: the connection goes on when the application has returned."""

    def __init__(self) -> None:
        self.lost: list[Any] = []

    def when_lost(self, callback: Any) -> None:
        self.lost.append(callback)


async def served(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "served"})


async def ask(
    site: Admission, kind: str = "http", client: str = "10.0.0.1", path: str = "/", **more: Any
) -> int:
    """The status of the answer; 0 when the application was called."""
    events: list[Any] = []

    async def send(event: Any) -> None:
        events.append(event)

    scope = {"type": kind, "client": (client, 1), "path": path, **more}
    await site(scope, None, send)
    return 0 if events[0]["type"] == "served" else events[0].get("status", 403)


async def test_requests_and_handshakes_of_one_address_share_a_rate() -> None:
    clock = Clock()
    site = Admission(served, 5, 100, clock=clock, refused_after=0)
    http = {"websocket.http.response": {}}
    assert [await ask(site) for _ in range(49)] == [0] * 49
    assert await ask(site, "websocket") == 0
    assert await ask(site) == 429
    assert await ask(site, "websocket", extensions=http) == 429
    assert await ask(site, "websocket") == 403  # a server that can't say more
    assert await ask(site, client="10.0.0.2") == 0
    clock.now += 1
    assert [await ask(site) for _ in range(6)] == [0] * 5 + [429]


async def test_static_files_have_a_higher_rate_of_their_own() -> None:
    site = Admission(served, 1, 100, clock=Clock(), refused_after=0)
    assert [await ask(site, path="/static/a.js") for _ in range(100)] == [0] * 100
    assert await ask(site, path="/static/a.js") == 429
    assert await ask(site) == 0


async def test_few_pages_are_made_at_a_time_for_one_address() -> None:
    """As long as it asks for few; then one after another."""
    under_way, most, release = 0, 0, asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await release.wait()
        under_way -= 1
        await send({"type": "served"})

    site = Admission(application, 10, 100, clock=Clock(), pause=0)
    pages = [asyncio.create_task(ask(site)) for _ in range(50)]
    others = [asyncio.create_task(ask(site, path="/static/a.js")) for _ in range(10)]
    await asyncio.sleep(0)
    assert under_way == AT_ONCE + 10
    release.set()
    assert await asyncio.gather(*pages, *others) == [0] * 60
    assert most == AT_ONCE + 10


async def test_an_address_that_asks_for_many_pages_gets_them_with_pauses() -> None:
    begun = 0

    async def application(scope: Any, receive: Any, send: Any) -> None:
        nonlocal begun
        begun += 1
        await send({"type": "served"})

    clock, quick = Clock(), int(8 * HASTY)
    site = Admission(application, 8, 100, clock=clock, pause=1000)
    async with asyncio.timeout(100):
        await asyncio.gather(*(ask(site) for _ in range(quick)))
    pages = [asyncio.create_task(ask(site)) for _ in range(3 * AT_ONCE)]
    for _ in range(100):
        await asyncio.sleep(0)
    assert begun == quick + 1
    for page in pages:
        page.cancel()
    await asyncio.gather(*pages, return_exceptions=True)
    clock.now += 100
    async with asyncio.timeout(100):
        await asyncio.gather(*(ask(site) for _ in range(quick)))


def kept() -> tuple[int, int]:
    """Objects in memory of the kinds that are kept per address."""
    gc.collect()  # other tests' objects
    kinds = Counter(type(one) for one in gc.get_objects())
    return kinds[Bucket], kinds[asyncio.Semaphore]


async def test_quiet_addresses_are_forgotten() -> None:
    buckets, turns = kept()
    clock = Clock()
    site = Admission(served, 1, 100, clock=clock, refused_after=0)
    for number in range(FORGET_EVERY):
        await ask(site, client=f"10.1.{number // 256}.{number % 256}")
    clock.now += 100
    await ask(site)
    await ask(site)
    assert kept() == (buckets + 1, turns + 1)


async def test_sockets_of_one_address_are_counted_until_their_connections_end() -> None:
    site, lanes = Admission(served, 0, 2), [Lane() for _ in range(4)]
    http = {"websocket.http.response": {}}
    for lane, status in zip(lanes[:3], (0, 0, 503), strict=True):
        assert await ask(site, "websocket", extensions={EXTENSION: lane, **http}) == status
    assert await ask(site, "websocket", client="10.0.0.2") == 0
    assert await ask(site) == 0  # pages are no sockets
    lanes[0].lost[0]()
    assert await ask(site, "websocket", extensions={EXTENSION: lanes[3]}) == 0
    for lane in (lanes[1], lanes[3]):
        lane.lost[0]()
    assert site.sockets == {}


async def test_without_a_lane_a_socket_counts_as_long_as_its_application() -> None:
    seen = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(site.sockets.total())
        raise ZeroDivisionError

    site = Admission(application, 0, 2)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await ask(site, "websocket")
    assert seen == [1, 1, 1]


async def test_an_event_stream_counts_as_an_open_socket_and_keeps_no_page_waiting() -> None:
    ended = asyncio.Event()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "served"})
        if scope["path"] == "/api/v1/events":
            await ended.wait()

    site = Admission(application, 10, AT_ONCE + 1, clock=Clock(), pause=0)
    streams = [asyncio.create_task(ask(site, path="/api/v1/events")) for _ in range(AT_ONCE + 1)]
    await asyncio.sleep(0)
    assert site.sockets["10.0.0.1"] == AT_ONCE + 1
    assert await ask(site, path="/api/v1/events") == 503
    assert await ask(site) == 0, "a page is made all the same"
    ended.set()
    assert await asyncio.gather(*streams) == [0] * len(streams)
    assert not site.sockets


def test_an_ipv6_network_is_one_place() -> None:
    assert place(("2001:db8::1", 1)) == place(("2001:db8::ffff:1", 2)) == "2001:db8::"
    assert place(("2001:db8:0:1::1", 1)) != place(("2001:db8::1", 1))
    assert place(("fe80::1%eth0", 1)) == "fe80::"
    assert place(None) == ""


def test_nginx_and_the_site_have_the_same_limits(settings) -> None:
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    assert f"limit_conn minesite_clients {settings.CONNECTIONS_PER_ADDRESS};" in text
    assert "ssl_protocols       TLSv1.2 TLSv1.3;" in text
    sizes = re.findall(r"client_max_body_size +(\d+)k;", text)
    wanted = (settings.HTTP_BODY_BYTES, settings.HTTP_ADMIN_BODY_BYTES)
    assert [int(size) * 1024 for size in sizes] == list(wanted)
