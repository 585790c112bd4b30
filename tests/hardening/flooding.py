"""Clients that send more than anybody should, each within a bound of time."""

from __future__ import annotations

import select
import socket
import time
from dataclasses import dataclass
from typing import Any

import psutil

from tests.live.lane_raw import CLOSE, CONTINUATION, PING, PONG, TEXT, RawClient, frame


def _small(opcode: int, **options: Any) -> bytes:
    return frame(opcode, **options) * 8000


FRAMES = {
    "pings": _small(PING),
    "pings with a payload": frame(PING, b"x" * 125) * 2000,
    "pongs": _small(PONG),
    "empty fragments": frame(TEXT, fin=False) + _small(CONTINUATION, fin=False),
    "messages in fragments": (frame(TEXT, b"{", fin=False) + frame(CONTINUATION, b"}")) * 4000,
    "pings inside a message": frame(TEXT, b"{", fin=False) + _small(PING),
}
"""Frames that a flooder sends again and again, none of them a whole message."""


@dataclass(frozen=True)
class Flood:
    sent: int
    """Bytes that the other side, or the kernel between, has taken."""
    code: int | None
    """Of the close frame, if one came."""
    cut: float | None
    """Seconds until the other side ended the connection; None: it never did."""


def flood(client: RawClient, data: bytes, seconds: float = 8.0) -> Flood:
    """Send `data` over and over, or nothing, until the connection is cut; read what comes."""
    sent, offset, begin = 0, 0, time.monotonic()
    client.sock.setblocking(False)
    view = memoryview(data)
    while (now := time.monotonic()) < begin + seconds:
        writers = [client.sock] if data else []
        readable, writable, _ = select.select([client.sock], writers, [], 0.1)
        try:
            if readable:
                got = client.sock.recv(65536)
                if not got:
                    return Flood(sent, _close_code(client), now - begin)
                if len(client.received) < 1_000_000:
                    client.received += got
            if writable:
                taken = client.sock.send(view[offset:])
                sent += taken
                offset = (offset + taken) % len(data)
        except (ConnectionError, BrokenPipeError):
            return Flood(sent, _close_code(client), now - begin)
        except BlockingIOError:
            continue
    return Flood(sent, _close_code(client), None)


def _close_code(client: RawClient) -> int | None:
    """The first close frame among the frames received so far."""
    client.sock.settimeout(0.01)
    try:
        while True:
            opcode, payload = client.read()
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big")
    except (OSError, EOFError):
        return None


def processor_seconds(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def connected(port: int) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", port), 10)
    sock.settimeout(10)
    return sock
