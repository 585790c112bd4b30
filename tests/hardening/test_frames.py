"""Floods of frames that are no messages, on the lane alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest
import uvicorn
from picows import WSMsgType

from games.live.lane.connection import CLOSE_PATIENCE, FRAME_BURST, Connection
from tests.hardening.flooding import FRAMES, Flood, flood
from tests.live.lane_raw import PING, PONG, TEXT, RawClient, frame
from tests.live.lane_servers import Server, serving

PATHS = ("/echo", "/link")
"""Plain ASGI, and attached."""


@pytest.fixture(scope="module", params=["lane", "lane-asyncio"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with serving(request.param) as running:
        with RawClient(running.address) as client:
            client.send(frame(TEXT, b"ready"))
            client.read()
        yield running


def flood_with(server: Server, path: str, opening: bytes, data: bytes) -> Flood:
    with RawClient(server.address, path) as client:
        client.send(opening)
        return flood(client, data, CLOSE_PATIENCE + 10)


def flood_all(server: Server, floods: list[tuple[str, bytes, bytes]]) -> list[Flood]:
    """All at once, and the server keeps little of them. How much it reads shows in what could be
    sent; `make attack` measures the processor's time."""
    resident = server.resident_kib()
    with ThreadPoolExecutor(len(floods)) as pool:
        results = list(pool.map(lambda each: flood_with(server, *each), floods))
    assert server.resident_kib() - resident < 10_000
    return results


def test_frames_that_are_no_messages_are_counted(server: Server) -> None:
    floods = [(path, b"", data) for data in FRAMES.values() for path in PATHS]
    for (path, _, data), result in zip(floods, flood_all(server, floods), strict=True):
        assert result.code == 4009, (path, data[:20], result)
        assert result.cut is not None
        # The kernel holds it; the server has read a few kilobytes of it.
        assert result.sent < 16_000_000


def test_nothing_is_read_after_the_close(server: Server) -> None:
    """The close is ours: the application's, or because of a message that is not text."""
    messages = frame(TEXT, b"hello") * 5000
    floods = [("/link", frame(TEXT, b"close"), messages), ("/link", frame(TEXT, b"\xff"), messages)]
    for result, code in zip(flood_all(server, floods), (4321, 1007), strict=True):
        assert (result.code, result.sent < 16_000_000) == (code, True)
        assert result.cut is not None


def test_a_burst_within_the_limit_is_served(server: Server) -> None:
    with RawClient(server.address, "/link") as client:
        client.send(frame(PING, b"x") * int(FRAME_BURST), frame(TEXT, b"still here"))
        for _ in range(int(FRAME_BURST)):
            assert client.read() == (PONG, b"x")
        assert client.read() == (TEXT, b"still here")


def test_a_frame_that_never_ends_is_cut() -> None:
    with serving("lane", ws_ping_interval=0.3, ws_ping_timeout=0.3) as running:
        for path in PATHS:
            with RawClient(running.address, path) as client:
                client.send(frame(TEXT, b"x" * 1000)[:-1])
                result = flood(client, b"", 10)
                assert result.code == 1011
                assert result.cut is not None


async def test_an_application_that_never_waits_lets_others_have_their_turn() -> None:
    loop = asyncio.get_running_loop()
    connection = Connection(loop, Mock(), uvicorn.Config("none"), set())
    for text in "abc":
        given = Mock(msg_type=WSMsgType.TEXT, fin=True, payload_size=1, rsv1=0, rsv2=0, rsv3=0)
        given.get_payload_as_bytes.return_value = text.encode()
        connection.on_ws_frame(Mock(), given)
    turns: list[str] = []
    loop.call_soon(turns.append, "other")
    assert (await connection.receive())["text"] == "a"
    assert turns == ["other"]
