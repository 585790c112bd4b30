"""A server with the site's HTTP protocol and small limits, in a thread, which counts requests."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import uvicorn

from minesite.http_protocol import HttpLimits, LimitedProtocol

LIMITS: dict[str, Any] = {
    "header_bytes": 8192,
    "header_seconds": 1.0,
    "body_bytes": 10_000,
    "admin_body_bytes": 50_000,
    "body_seconds": 1.0,
    "write_seconds": 1.0,
    "pipelined": 4,
    "connections_per_address": 20,
    "is_proxy": lambda address: False,
}


@dataclass
class LimitedServer:
    port: int
    requests: int = 0
    body_bytes: int = 0
    headers: dict[bytes, bytes] = field(default_factory=dict)
    """Of the last request, when its body had come."""
    release: threading.Event = field(default_factory=threading.Event)
    """`/slow` answers when it is set."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.requests += 1
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await receive()
            return
        more = True
        while more:
            event = await receive()
            if event["type"] == "http.disconnect":
                return
            self.body_bytes += len(event["body"])
            more = event["more_body"]
        self.headers = dict(scope["headers"])
        if scope["path"] == "/slow":
            while not self.release.is_set():
                await asyncio.sleep(0.01)
        body = b"x" * (50_000_000 if scope["path"] == "/large" else 2)
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for start in range(0, len(body), 100_000):
            more = start + 100_000 < len(body)
            piece = body[start : start + 100_000]
            await send({"type": "http.response.body", "body": piece, "more_body": more})

    def connect(self) -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.port), 10)
        client.settimeout(10)
        return client


@contextmanager
def limited_server(**changed: Any) -> Iterator[LimitedServer]:
    listener = socket.create_server(("127.0.0.1", 0), backlog=1000)
    app = LimitedServer(listener.getsockname()[1])
    config = uvicorn.Config(
        app,
        http=partial(LimitedProtocol, HttpLimits(**LIMITS | changed)),
        ws="games.live.lane.protocol:LaneProtocol",
        loop="uvloop",
        lifespan="off",
        log_config=None,
        timeout_keep_alive=2,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    LimitedProtocol.open_connections.clear()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield app
    finally:
        app.release.set()
        server.should_exit = True
        thread.join(10)
        assert LimitedProtocol.open_connections.total() == 0


def everything(client: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    received = b""
    try:
        while data := client.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received


def statuses(received: bytes) -> list[int]:
    parts = received.split(b"HTTP/1.1 ")[1:]
    return [int(part[:3]) for part in parts]


def push(client: socket.socket, data: bytes, times: int) -> int:
    """Send it so often, or until the server takes no more; returns how often that was."""
    for number in range(times):
        try:
            client.sendall(data)
        except OSError:
            return number
    return times
