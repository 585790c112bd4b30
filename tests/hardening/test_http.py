"""Requests without a proxy in between: too large, too slow, too many."""

from __future__ import annotations

import gc
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from minesite.http_protocol import DISCARDED, LimitedProtocol
from tests.hardening.limited_server import everything, limited_server, push, statuses
from tests.running_site import wait_for

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    ("first", "repeated"),
    [
        (b"GET / HTTP/1.1\r\nX: ", b"x" * 100_000),
        (b"GET /", b"x" * 100_000),
        (b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 20_000),
        (b"GET / HTTP/1.1\r\n", b"x" * 100_000),
    ],
    ids=["endless value", "endless address", "endless headers", "endless name"],
)
def test_an_endless_head_is_answered_431(first: bytes, repeated: bytes) -> None:
    with limited_server() as server, server.connect() as client:
        client.settimeout(5)
        client.sendall(first)
        assert push(client, repeated, 1000) < 1000
        assert statuses(everything(client)) == [431]
        assert server.requests == 0


def test_a_head_within_the_limit_is_served_and_one_with_many_headers_is_not() -> None:
    with limited_server() as server:
        for lines, status in ((90, 200), (101, 431)):
            with server.connect() as client:
                headers = b"".join(b"n%d: %s\r\n" % (n, b"v" * 40) for n in range(lines))
                client.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n" + headers + b"\r\n")
                assert statuses(everything(client)) == [status]


def test_pipelined_requests_wait_in_a_short_line() -> None:
    """The first ones are answered; the one over the limit ends the connection."""
    with limited_server() as server, server.connect() as client:
        client.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + GET * 100)
        wait_for(lambda: server.requests == 1)
        push(client, GET * 10_000, 2)
        server.release.set()
        assert statuses(everything(client)) == [200, 200, 200, 200, 200, 503]
        assert server.requests == 5


def test_a_few_pipelined_requests_are_served() -> None:
    with limited_server() as server, server.connect() as client:
        last = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        client.sendall(GET * 3 + last)
        assert statuses(everything(client)) == [200] * 4


@pytest.mark.parametrize("target", [b"/", b"/admin/x"])
def test_a_large_body_is_answered_413_before_it_is_read(target: bytes) -> None:
    with limited_server() as server:
        with server.connect() as client:
            client.sendall(b"POST %s HTTP/1.1\r\nContent-Length: 300000000\r\n\r\n" % target)
            assert push(client, b"x" * 1_000_000, 300) < 300
            assert statuses(everything(client)) == [413]
        with server.connect() as client:
            client.sendall(b"POST %s HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" % target)
            assert push(client, b"10000\r\n" + b"x" * 65536 + b"\r\n", 5000) < 5000
            assert statuses(everything(client)) == [413]
        assert server.body_bytes <= 50_000


@pytest.mark.parametrize(
    ("first", "repeated"),
    [
        (b"0\r\n", b"a: b\r\n" * 2000),
        (b"0\r\na: ", b"b" * 10_000),
        (b"1;", b"x" * 10_000),
        (b"", b"1\r\nx\r\n" * 2000),
    ],
    ids=["trailers", "a long trailer", "a long extension", "tiny chunks"],
)
def test_framing_of_chunks_counts_as_body(first: bytes, repeated: bytes) -> None:
    with limited_server(body_seconds=60.0) as server, server.connect() as client:
        client.sendall(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n" + first)
        resident = psutil.Process().memory_info().rss
        assert push(client, repeated, 3000) < 3000
        assert statuses(everything(client)) == [413]
        assert psutil.Process().memory_info().rss - resident < 20_000_000


def test_trailers_are_no_headers() -> None:
    with limited_server() as server, server.connect() as client:
        head = b"POST / HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        client.sendall(head + b"2\r\nxx\r\n0\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n")
        assert statuses(everything(client)) == [200]
        assert b"x-forwarded-for" not in server.headers
        assert server.body_bytes == 2


def test_the_limit_of_a_body_depends_on_the_address() -> None:
    with limited_server() as server:
        for target, status in ((b"/", 413), (b"/admin/x", 200)):
            with server.connect() as client:
                head = b"POST %s HTTP/1.1\r\nConnection: close\r\nContent-Length: 20000\r\n\r\n"
                client.sendall(head % target + b"x" * 20_000)
                assert statuses(everything(client)) == [status]


@pytest.mark.parametrize(
    ("first", "drop"),
    [
        (b"", b""),
        (b"", b"\r\n"),
        (b"GET / HT", b""),
        (b"GET / HTTP/1.1\r\nX: ", b"x"),
        (b"POST / HTTP/1.1\r\nContent-Length: 9000\r\n\r\n", b"x"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
    ids=["silent", "blank lines", "half a line", "slow header", "slow body", "slow chunks"],
)
def test_a_slow_request_is_answered_408(first: bytes, drop: bytes) -> None:
    with limited_server() as server, server.connect() as client:
        begin = time.monotonic()
        client.sendall(first)
        client.settimeout(0.1)
        received = b""
        while not received and time.monotonic() < begin + 8:
            try:
                client.sendall(drop)
                received = client.recv(1000)
            except TimeoutError:
                continue
        assert statuses(received) == [408]
        client.settimeout(10)
        assert everything(client) == b""


def test_blank_lines_after_an_answer_do_not_keep_a_connection() -> None:
    with limited_server() as server, server.connect() as client:
        client.sendall(GET)
        assert statuses(client.recv(1000)) == [200]
        client.sendall(b"\r\n")
        assert statuses(everything(client)) == [408]


def test_a_client_that_does_not_read_its_answer_is_cut() -> None:
    with limited_server() as server, server.connect() as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_for(lambda: server.requests == 1)
        wait_for(lambda: LimitedProtocol.open_connections.total() == 0)
        assert len(everything(client)) < 50_000_000


def test_connections_of_one_address_are_counted() -> None:
    with limited_server(header_seconds=30.0) as server, ThreadPoolExecutor(1) as pool:
        clients = [server.connect() for _ in range(20)]
        wait_for(lambda: LimitedProtocol.open_connections.total() == 20)
        with server.connect() as late:
            assert statuses(everything(late)) == [503]
        # Those that are told so count too: a flood of connections is not told any more.
        more = [server.connect() for _ in range(40)]
        wait_for(lambda: LimitedProtocol.open_connections.total() == 40)
        assert sorted(bool(r) for r in pool.map(everything, more))[:20] == [False] * 20
        for client in (*clients, *more):
            client.close()
        wait_for(lambda: LimitedProtocol.open_connections.total() == 0)
        with server.connect() as client:
            client.sendall(GET)
            assert statuses(client.recv(1000)) == [200]


def test_connections_of_a_trusted_proxy_are_not_counted() -> None:
    with limited_server(is_proxy=lambda address: address == "127.0.0.1") as server:
        clients = [server.connect() for _ in range(50)]
        for client in clients:
            client.sendall(GET)
        for client in clients:
            with client:
                assert statuses(client.recv(1000)) == [200]


def test_bytes_that_are_no_http_get_400_and_nothing_more_is_parsed() -> None:
    with limited_server() as server, server.connect() as client:
        client.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        push(client, b"\x00" * 100_000, 10 * DISCARDED // 100_000)
        assert statuses(everything(client)) == [400]
        assert server.requests == 0


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 5\r\nContent-Length: 6\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Content-Length: -1\r\n",
    ],
)
def test_a_request_of_two_lengths_is_refused_and_nothing_behind_it_is_read(headers: bytes) -> None:
    with limited_server() as server, server.connect() as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n0\r\n\r\n" + GET)
        assert statuses(everything(client)) == [400]
        # The head alone may have been fine; its application is told that the client is gone.
        assert (server.requests <= 1, server.body_bytes) == (True, 0)


def test_a_websocket_keeps_nothing_of_its_http_connection() -> None:
    """Not even until the next garbage collection: idle sockets are many, collections are few."""
    upgrade = (
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )

    def count() -> int:
        return sum(type(one) is LimitedProtocol for one in gc.get_objects())

    gc.collect()
    before = count()
    with limited_server() as server, server.connect() as client:
        wait_for(lambda: count() == before + 1)
        gc.disable()
        try:
            client.sendall(upgrade)
            assert client.recv(1000).startswith(b"HTTP/1.1 101")
            wait_for(lambda: count() <= before)
        finally:
            gc.enable()
