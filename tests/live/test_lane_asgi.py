"""Sockets that do not ask for the lane: plain ASGI, the same as under uvicorn's own class."""

from __future__ import annotations

import json
import signal
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.live.lane_raw import BINARY, CLOSE, PING, PONG, TEXT, RawClient, close_frame, frame
from tests.live.lane_servers import Server, serving, wait_for


@pytest.fixture(scope="module", params=["lane", "uvicorn"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with serving(request.param) as server:
        yield server


@pytest.fixture(scope="module")
def lane() -> Iterator[Server]:
    with serving("lane") as server:
        yield server


@pytest.fixture
def name() -> str:
    return uuid.uuid4().hex


def test_text_stays_text_and_bytes_stay_bytes(server: Server, name: str) -> None:
    with connect(server.url("echo", name)) as client:
        for message in ("text", b"bytes", "", b"", "grün", b"\x00\xff"):
            client.send(message)
            assert client.recv(timeout=10) == message


def test_scope_subprotocol_and_headers(server: Server) -> None:
    with connect(
        server.url("dress", "a=%20b"),
        subprotocols=[Subprotocol("older"), Subprotocol("newer")],
        additional_headers={"Cookie": "sessionid=abc"},
    ) as client:
        shown = json.loads(client.recv(timeout=10))
        assert client.subprotocol == "newer"
        assert client.response is not None
        assert client.response.headers["x-colour"] == "green"
        assert client.response.headers["server"] == "uvicorn"
    assert shown == {
        "path": "/dress",
        "raw_path": "/dress",
        "query_string": "a=%20b",
        "subprotocols": ["older", "newer"],
        "http_version": "1.1",
        "scheme": "ws",
        "cookie": "sessionid=abc",
    }


def test_a_refusal_is_403(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(server.url("deny"))
    assert refused.value.response.status_code == 403


def test_a_refusal_with_a_response_of_its_own(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(server.url("teapot"))
    response = refused.value.response
    assert (response.status_code, response.body) == (418, b"I am a teapot")
    assert response.headers["x-kind"] == "tea"
    assert response.headers["content-type"] == "text/tea"


@pytest.mark.parametrize("path", ["fail-early", "leave-early"])
def test_an_application_that_does_not_answer(server: Server, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        connect(server.url(path))
    assert refused.value.response.status_code == 500


@pytest.mark.parametrize(("path", "code"), [("fail-late", 1011), ("leave-late", 1000)])
def test_an_application_that_leaves_an_open_socket(lane: Server, path: str, code: int) -> None:
    """uvicorn's class cuts the connection here; a close frame tells the client more."""
    with connect(lane.url(path)) as client:
        client.send("go")
        with pytest.raises(ConnectionClosed) as end:
            client.recv(timeout=10)
        assert end.value.rcvd is not None
        assert end.value.rcvd.code == code


def test_close_by_the_application(server: Server, name: str) -> None:
    with connect(server.url("leave-word", name)) as client:
        client.send("go")
        with pytest.raises(ConnectionClosed) as end:
            client.recv(timeout=10)
        assert end.value.rcvd is not None
        assert (end.value.rcvd.code, end.value.rcvd.reason) == (4567, "gründlich")
    server.wait_for_journal(name, [["websocket.disconnect", 4567]])


def test_close_by_the_client(server: Server, name: str) -> None:
    with connect(server.url("echo", name)) as client:
        client.close(4001, "enough")
    server.wait_for_journal(name, [[4001, "enough"]])


def test_a_broken_connection_is_1006(lane: Server, name: str) -> None:
    with RawClient(lane.address, f"/echo?{name}") as client:
        client.send(frame(TEXT, b"hello"))
        assert client.read() == (TEXT, b"hello")
    lane.wait_for_journal(name, [[1006, ""]])


def test_send_waits_for_a_slow_client(server: Server, name: str) -> None:
    with RawClient(server.address, f"/pour?{name}") as client:
        progress = -1
        while (now := server.journal(name)[0]) != progress:  # until it stands still
            progress = now
        assert progress < 399
        assert [client.read() for _ in range(400)] == [(BINARY, bytes(50_000))] * 400


def test_a_client_that_leaves_before_the_accept(server: Server, name: str) -> None:
    client = RawClient(server.address, f"/reluctant?{name}", expect=0)
    server.wait_for_journal(name, ["asked"])
    client.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00" + bytes(4))
    client.sock.close()
    wait_for(lambda: server.get(f"release/{name}") == ["asked", "gone", "websocket.disconnect"])


def test_a_frame_before_the_answer_is_kept(lane: Server, name: str) -> None:
    with RawClient(lane.address, f"/reluctant?{name}", expect=0) as client:
        lane.wait_for_journal(name, ["asked"])
        client.send(frame(TEXT, b"early"))
        lane.get(f"release/{name}")
        client.read_head()
        assert client.read() == (TEXT, b"early")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-WebSocket-Version": "8"}, 426),
        ({"Sec-WebSocket-Version": None}, 426),
        ({"Sec-WebSocket-Key": None}, 400),
        ({"Sec-WebSocket-Key": "c2hvcnQ="}, 400),
        ({"Sec-WebSocket-Key": "not base64!"}, 400),
    ],
)
def test_bad_handshakes(lane: Server, headers: dict[str, str | None], status: int) -> None:
    with RawClient(lane.address, headers=headers, expect=status) as client:
        if status == 426:
            assert "sec-websocket-version: 13" in client.head.lower()


def test_the_accept_key_is_right(lane: Server) -> None:
    with RawClient(lane.address) as client:
        assert "sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=" in client.head.lower()


# ---------------------------------------------------------------- the server's own life


def test_a_silent_client_is_pinged_and_cut() -> None:
    with serving("lane", ws_ping_interval=0.2, ws_ping_timeout=0.2) as server:
        with RawClient(server.address, "/link?silent") as client:
            assert client.read() == (PING, b"")
            assert client.read_close() == 1011
            assert client.is_cut()
        server.wait_for_journal("silent", [[1011, "ping not answered"], "finished"])
        with RawClient(server.address, "/link?alive") as client:
            for _ in range(3):
                assert client.read() == (PING, b"")
                client.send(frame(PONG))
            client.send(frame(TEXT, b"hello"))
            assert client.read() == (TEXT, b"hello")


@pytest.mark.parametrize("path", ["link", "detach", "echo"])
def test_a_stopping_server_closes_with_1012(path: str) -> None:
    with serving("lane") as server, RawClient(server.address, f"/{path}") as client:
        client.send(frame(TEXT, b"hello"))
        assert client.read() == (TEXT, b"hello")
        server.process.send_signal(signal.SIGTERM)
        assert client.read_close() == 1012
        client.send(close_frame(1012))
        assert client.is_cut()
        assert server.process.wait(10) in (0, -signal.SIGTERM)


def test_over_a_unix_socket(tmp_path: Path) -> None:
    with (
        serving("lane-unix", unix=tmp_path / "lane.sock") as server,
        RawClient(server.address, "/link?unix") as client,
    ):
        client.send(frame(TEXT, b"hello"), frame(TEXT, b"x" * 8000))
        assert client.read() == (TEXT, b"hello")
        assert client.read() == (TEXT, b"x" * 8000)
        client.send(close_frame(1000))
        assert client.read() == (CLOSE, b"\x03\xe8")
