"""Attacks on a running site, each for a number of seconds, from an address of its own.

They run in processes of the lowest priority: a real attacker has a machine of its own.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from tests.hardening.flooding import FRAMES
from tests.live.lane_raw import TEXT, frame

ATTACKER = "127.0.0.2"


@dataclass(frozen=True)
class Target:
    port: int
    tcp_port: int
    tls: bool
    match: str

    def connect(self, port: int | None = None) -> socket.socket:
        raw = socket.create_connection(("127.0.0.1", port or self.port), 5, (ATTACKER, 0))
        if port is not None or not self.tls:
            return raw
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context.wrap_socket(raw)

    def websocket(self, path: str) -> socket.socket | None:
        """An open socket; None when it was refused."""
        sock = self.connect()
        sock.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        if sock.recv(4096).startswith(b"HTTP/1.1 101"):
            return sock
        sock.close()
        return None


Attack = Callable[[Target, float], None]
"""Goes on until the time (of `time.monotonic`) is over."""


def _pour(sock: socket.socket, data: bytes, until: float) -> None:
    """Send it over and over until the other side ends the connection."""
    sock.settimeout(1)
    with suppress(OSError), sock:
        while time.monotonic() < until:
            with suppress(TimeoutError):
                sock.sendall(data)


def _again_and_again(each: Callable[[], None], until: float, threads: int = 2) -> None:
    def loop() -> None:
        while time.monotonic() < until:
            try:
                each()
            except OSError:
                time.sleep(0.01)

    workers = [threading.Thread(target=loop, daemon=True) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def frames(kind: str, data: bytes) -> Attack:
    """Flood a socket, and open the next one when it is closed."""

    def attack(target: Target, until: float) -> None:
        path = {
            "match": f"/ws/match/{target.match}/",
            "lobby": "/ws/lobby/?anonymous=1",
            "text": "/ws/text/area-attack/",
        }[kind]
        hello = b'{"type":"hello","version":1,"last":null}'

        def once() -> None:
            sock = target.websocket(path)
            if sock is not None:
                if kind == "match":
                    sock.sendall(frame(TEXT, hello))
                _pour(sock, data, until)

        _again_and_again(once, until)

    return attack


def stream(first: bytes, repeated: bytes, threads: int = 2) -> Attack:
    """Open a connection, send the first bytes, then the others without end."""

    def attack(target: Target, until: float) -> None:
        def once() -> None:
            sock = target.connect()
            sock.sendall(first)
            _pour(sock, repeated, until)

        _again_and_again(once, until, threads)

    return attack


def silent(target: Target, until: float) -> None:
    """Hundreds of connections that say nothing, or a letter now and then."""
    held: list[socket.socket] = []
    while time.monotonic() < until:
        for sock in held[::2]:
            with suppress(OSError):
                sock.send(b"G")
        if len(held) < 600:
            with suppress(OSError):
                held.append(target.connect())
    for sock in held:
        sock.close()


def requests(path: str, threads: int = 8) -> Attack:
    """Honest requests, as fast as they are answered."""

    def attack(target: Target, until: float) -> None:
        ask = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{target.port}\r\n\r\n".encode()

        def once() -> None:
            with target.connect() as sock:
                while time.monotonic() < until:
                    sock.sendall(ask)
                    if not sock.recv(1 << 20):
                        return

        _again_and_again(once, until, threads)

    return attack


def handshakes(path: str) -> Attack:
    """Sockets that are opened and left at once, over and over."""

    def attack(target: Target, until: float) -> None:
        def once() -> None:
            sock = target.websocket(path)
            if sock is not None:
                sock.close()

        _again_and_again(once, until, 8)

    return attack


def text_lines(target: Target, until: float) -> None:
    """The TCP port: lines as fast as they go, then the next connection."""

    def once() -> None:
        _pour(target.connect(target.tcp_port), b"\n" * 4096 + b"x" * 4096, until)

    _again_and_again(once, until)


def sending_elsewhere(share: float) -> Attack:
    """Uses that share of a core to send bytes to itself: what an attacker costs the machine before
    the site has received anything."""

    def attack(target: Target, until: float) -> None:
        del target
        data = b"x" * 16384
        listener = socket.create_server(("127.0.0.1", 0))
        out = socket.create_connection(listener.getsockname())
        into, _ = listener.accept()
        begin = time.monotonic()
        with listener, out, into:
            while (now := time.monotonic()) < until:
                if time.process_time() < share * (now - begin):
                    out.sendall(data)
                    left = len(data)
                    while left:
                        left -= len(into.recv(left))
                else:
                    time.sleep(0.001)

    return attack


_ping = frame(TEXT, json.dumps({"type": "ping", "at": 1}).encode()) * 2000

ATTACKS: dict[str, Attack] = {
    "pings to a match": frames("match", FRAMES["pings"]),
    "pongs to a match": frames("match", FRAMES["pongs"]),
    "fragments to a match": frames("match", FRAMES["empty fragments"]),
    "messages to a match": frames("match", _ping),
    "pings to the lobby": frames("lobby", FRAMES["pings"]),
    "messages to the lobby": frames("lobby", _ping),
    "pings to a text socket": frames("text", FRAMES["pings"]),
    "messages to a text socket": frames("text", frame(TEXT, b"x") * 8000),
    "endless header": stream(b"GET / HTTP/1.1\r\nX: ", b"x" * 65536),
    "endless headers": stream(b"GET / HTTP/1.1\r\n", b"a: b\r\n" * 10_000),
    "pipelined requests": stream(b"", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 1000),
    "large body": stream(b"POST / HTTP/1.1\r\nContent-Length: 300000000\r\n\r\n", b"x" * 65536),
    "large chunked body": stream(
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"10000\r\n" + b"x" * 65536 + b"\r\n",
    ),
    "silent connections": silent,
    "requests for the front page": requests("/"),
    "requests for a game's page": requests("/play/race/"),
    "requests for what isn't there": requests("/match/abcdefghijkl/"),
    "requests for a file": requests("/manifest.webmanifest"),
    "handshakes with the lobby": handshakes("/ws/lobby/?anonymous=1"),
    "handshakes by text": handshakes("/ws/text/area-attack/"),
    "lines to the TCP port": text_lines,
}
