"""One suite for the link, whatever carries it: the lane, or ASGI events under other servers."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.live.lane_app import BIG
from tests.live.lane_raw import TEXT, RawClient, frame
from tests.live.lane_servers import Server, serving, wait_for

SERVERS = ["lane", "lane-asyncio", "uvicorn", "daphne", "hypercorn", "granian"]


@pytest.fixture(scope="module", params=SERVERS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with serving(request.param) as server:
        yield server


@pytest.fixture
def name() -> str:
    return uuid.uuid4().hex


def opened(server: Server, path: str, name: str, patience: float = 10) -> ClientConnection:
    url = server.url(path, name)
    return connect(
        url,
        compression=None,
        max_size=None,
        max_queue=None,
        open_timeout=60,  # the server may still be starting
        close_timeout=patience,
    )


def closing(client: ClientConnection) -> tuple[int, str]:
    """The code and the reason that the server closes with."""
    with pytest.raises(ConnectionClosed) as end:
        client.recv(timeout=10)
    assert end.value.rcvd is not None
    return end.value.rcvd.code, end.value.rcvd.reason


def as_sent_by(server: Server, code: int, reason: str = "") -> tuple[int, str]:
    """The close as it reaches the client: daphne drops reasons, and takes no codes but 1000 and
    private."""
    if server.kind == "daphne":
        return (code if code >= 3000 else code + 3100), ""
    return code, reason


def as_told_by(server: Server, code: int, reason: str = "") -> list[object]:
    """The client's close as the application hears of it: hypercorn knows one code for all, and
    others keep the reason to themselves."""
    if server.kind == "hypercorn":
        return [1006, ""]
    return [code, "" if server.kind in ("daphne", "granian") else reason]


def test_text_and_binary_come_as_bytes_and_leave_as_text(server: Server, name: str) -> None:
    with opened(server, "link", name) as client:
        client.send("grün")
        assert client.recv(timeout=10) == "grün"
        client.send(b"binary")
        assert client.recv(timeout=10) == "binary"
        client.send(["in ", "three ", "parts"])
        assert client.recv(timeout=10) == "in three parts"


def test_messages_keep_their_order(server: Server, name: str) -> None:
    numbers = [str(number) for number in range(500)]
    with opened(server, "link", name) as client:
        for number in numbers:
            client.send(number)
        assert [client.recv(timeout=10) for _ in numbers] == numbers
    assert server.journal(name)[:500] == numbers


def test_messages_between_accept_and_open_are_not_lost(server: Server, name: str) -> None:
    with opened(server, "late", name) as client:
        for word in ("one", "two", "three"):
            client.send(word)
        if server.is_lane:  # the answer means that the three were read
            assert client.ping().wait(10)
        assert server.get(f"release/{name}") == []
        client.send("four")
        assert [client.recv(timeout=10) for _ in range(4)] == ["one", "two", "three", "four"]


def test_close_before_open_is_told(server: Server, name: str) -> None:
    # A server may read the close only after the message before it was taken.
    patience = 10 if server.is_lane else 0.2
    with opened(server, "late", name, patience) as client:
        client.send("last words")
    server.get(f"release/{name}")
    server.wait_for_journal(name, ["last words", as_told_by(server, 1000), "finished"])


def test_send_right_after_open(server: Server, name: str) -> None:
    with opened(server, "greet", name) as client:
        assert client.recv(timeout=10) == "first"


def test_large_messages_of_one_turn_arrive_whole(server: Server, name: str) -> None:
    with opened(server, "wide", name) as client:
        client.send("many big")
        for number in range(10):
            assert client.recv(timeout=10) == str(number) * (BIG * (number + 1))


def test_buffered_is_zero_when_the_client_keeps_up(server: Server, name: str) -> None:
    with opened(server, "link", name) as client:
        client.send("buffered")
        assert client.recv(timeout=10) == "0"


@pytest.mark.parametrize(("code", "reason"), [(1000, ""), (4567, "over and out")])
def test_close_by_the_client(server: Server, name: str, code: int, reason: str) -> None:
    with opened(server, "link", name) as client:
        client.send("hello")
        client.recv(timeout=10)
        client.close(code, reason)
        assert client.close_code == (1000 if server.kind == "daphne" else code)
    server.wait_for_journal(name, ["hello", as_told_by(server, code, reason), "finished"])


def test_close_without_a_code(server: Server, name: str) -> None:
    with RawClient(server.address, f"/link?{name}") as client:
        client.send(frame(8))
        assert client.read_close() in (None, 1000)
        assert client.is_cut()
    server.wait_for_journal(name, [as_told_by(server, 1005), "finished"])


def test_a_connection_that_breaks(server: Server, name: str) -> None:
    with RawClient(server.address, f"/link?{name}") as client:
        client.send(frame(TEXT, b"hello"))
        assert client.read() == (TEXT, b"hello")
    # Some say 1005 for a broken connection too.
    code = 1005 if server.kind in ("uvicorn", "granian") else 1006
    server.wait_for_journal(name, ["hello", [code, ""], "finished"])


def test_close_by_the_server_ends_everything_once(server: Server, name: str) -> None:
    with opened(server, "link", name) as client:
        client.send("close")
        with suppress(ConnectionClosed):
            client.send("ignored")
        assert closing(client) == as_sent_by(server, 4321, "enough")
    server.wait_for_journal(name, [[4321, "enough"], "finished"])


def test_a_detached_link_outlives_its_application_where_it_can(server: Server, name: str) -> None:
    with opened(server, "detach", name) as client:
        if server.is_lane:
            server.wait_for_journal(name, ["returned"])
        client.send("hello")
        assert client.recv(timeout=10) == "hello"
        client.close(4001)
    if server.is_lane:
        server.wait_for_journal(name, ["returned", "hello", [4001, ""]])
    else:
        server.wait_for_journal(name, ["hello", as_told_by(server, 4001), "returned"])


def test_a_message_over_the_limit(server: Server, name: str) -> None:
    with opened(server, "link", name) as client:
        client.send("x" * 8192)
        assert client.recv(timeout=10) == "x" * 8192
        client.send("x" * 8193)
        assert closing(client) == as_sent_by(server, 1009, "message too big")
    server.wait_for_journal(name, ["x" * 8192, [1009, "message too big"], "finished"])


def test_a_handler_that_fails_closes_its_socket_only(server: Server, name: str) -> None:
    with opened(server, "link", name) as client, opened(server, "link", "other") as other:
        client.send("fail")
        assert closing(client) == as_sent_by(server, 1011)
        other.send("still there")
        assert other.recv(timeout=10) == "still there"
    server.wait_for_journal(name, [[1011, ""], "finished"])


def test_a_client_that_does_not_read_is_closed(server: Server, name: str) -> None:
    if server.kind == "daphne":
        pytest.skip("daphne takes everything at once and buffers it itself")
    with RawClient(server.address, f"/narrow?{name}") as client:
        client.send(frame(TEXT, b"flood"))
        wait_for(lambda: "flooded" in server.journal(name))
        if server.is_lane:
            # It reads at last: what was under way, then why it was closed.
            while (last := client.read())[0] == TEXT:
                assert last[1] == b"x" * 50_000
            assert last == (8, b"\x0f\xa8too slow")
            client.send(frame(8, last[1]))
        server.wait_for_journal(name, ["flooded", [4008, "too slow"], "finished"])


def test_a_client_that_never_reads_is_cut(server: Server, name: str) -> None:
    if server.kind != "lane":
        pytest.skip("only the server can cut a connection that does not drain")
    with RawClient(server.address, f"/narrow?{name}") as client:
        client.send(frame(TEXT, b"flood"))
        server.wait_for_journal(name, ["flooded", [4008, "too slow"], "finished"])


def test_an_idle_client_is_closed(server: Server, name: str) -> None:
    with opened(server, "idle", name) as client:
        client.send("hello")
        assert client.recv(timeout=10) == "hello"
        assert closing(client) == as_sent_by(server, 4020, "idle")
    server.wait_for_journal(name, ["hello", [4020, "idle"], "finished"])


def test_a_busy_client_is_not_idle(server: Server, name: str) -> None:
    with opened(server, "idle", name) as client:
        for number in range(8):
            wait_quietly(client, 0.1)
            client.send(str(number))
            assert client.recv(timeout=10) == str(number)


def wait_quietly(client: ClientConnection, seconds: float) -> None:
    """Nothing comes for that long, the close neither."""
    with pytest.raises(TimeoutError):
        client.recv(timeout=seconds)
