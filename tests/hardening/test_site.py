"""Floods on the whole site: what it spends on them, and an honest match beside them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection

import psutil
import pytest

from games.redis import MOST_CONNECTIONS
from tests.deploy.players import make_matches
from tests.hardening.flooding import FRAMES, Flood, flood
from tests.hardening.probe import probing
from tests.live.lane_raw import TEXT, RawClient, frame
from tests.running_site import RunningSite

pytestmark = [pytest.mark.site, pytest.mark.timeout(180)]

LOBBY = "/ws/lobby/?anonymous=1"
TEXT_SOCKET = "/ws/text/area-attack/"


def web(site: RunningSite) -> psutil.Process:
    assert site.process is not None
    processes = psutil.Process(site.process.pid).children(recursive=True)
    return next(p for p in processes if "web" in p.cmdline())


def message(**fields: object) -> bytes:
    return frame(TEXT, json.dumps(fields).encode())


def flood_socket(site: RunningSite, path: str, opening: bytes, data: bytes) -> Flood:
    address = ("127.0.0.1", site.port)
    with RawClient(address, path, headers={"Host": f"127.0.0.1:{site.port}"}) as client:
        client.send(opening)
        return flood(client, data, 15)


def test_floods_on_every_kind_of_socket(site: RunningSite) -> None:
    matches = make_matches(site, 2)
    spectator = f"/ws/match/{matches.ids[1]}/"
    hello = message(type="hello", version=1, last=None)
    ping = message(type="ping", at=1) * 5000
    floods = {
        "match, messages": (spectator, hello, ping),
        "match, empty messages": (spectator, hello, frame(TEXT) * 8000),
        "match, no hello": (spectator, b"", FRAMES["pongs"]),
        "lobby, messages": (LOBBY, b"", ping),
        "text, messages": (TEXT_SOCKET, b"", frame(TEXT, b"x") * 8000),
        "text, empty messages": (TEXT_SOCKET, b"", frame(TEXT) * 8000),
        **{f"match, {name}": (spectator, hello, data) for name, data in FRAMES.items()},
        **{f"lobby, {name}": (LOBBY, b"", data) for name, data in FRAMES.items()},
        **{f"text, {name}": (TEXT_SOCKET, b"", data) for name, data in FRAMES.items()},
    }
    process = web(site)
    resident = process.memory_info().rss
    with (
        probing(site.url, matches, matches.ids[0]) as probe,
        ThreadPoolExecutor(len(floods)) as pool,
    ):
        results = dict(
            zip(
                floods,
                pool.map(lambda each: flood_socket(site, *each), floods.values()),
                strict=True,
            )
        )
    assert not probe.lost
    assert len(probe.milliseconds) > 10
    assert process.memory_info().rss - resident < 50_000_000
    for name, result in results.items():
        assert result.cut is not None, (name, result)
        assert result.sent < 16_000_000, (name, result)
        assert result.code in (4009, 4010, 1000), (name, result)


def test_hostile_requests_leave_no_trace_in_the_log(site: RunningSite) -> None:
    """A bad Host, a request that is none: anybody can send these, as often as they like."""
    lines = len(site.output.splitlines())
    for host in ("evil.example", "a b", "[::1", "127.0.0.1:x", "x" * 300, ""):
        for path in ("/", "/healthz", "/accounts/login/", "/api/v1/matches"):
            http = HTTPConnection("127.0.0.1", site.port, timeout=10)
            http.request("GET", path, headers={"Host": host})
            assert http.getresponse().status == 400, (host, path)
            http.close()
    for nonsense in (b"\x16\x03\x01\r\n\r\n", b"GET / HTTP/1.1\r\nbad\r\n\r\n"):
        address = ("127.0.0.1", site.port)
        with RawClient(address, expect=0, after=nonsense) as client:
            client.read_head()
    assert site.output.splitlines()[lines:] == []


def redis_connections(site: RunningSite) -> int:
    return int(
        site.python(
            "from games.redis import sync_redis as redis\n"
            "print(redis().info('clients')['connected_clients'])"
        )
    )


def test_sockets_do_not_hold_connections_to_redis(site: RunningSite) -> None:
    """300 at once, in one process; each asks Redis while it is greeted."""
    before = redis_connections(site)

    def visit(_number: int) -> None:
        headers = {"Host": f"127.0.0.1:{site.port}"}
        client = RawClient(("127.0.0.1", site.port), LOBBY, headers=headers)
        stack.callback(client.sock.close)
        client.read()

    with ExitStack() as stack:
        with ThreadPoolExecutor(100) as pool:
            list(pool.map(visit, range(300)))
        assert redis_connections(site) - before <= MOST_CONNECTIONS
