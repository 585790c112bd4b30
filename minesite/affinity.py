"""Match affinity on one machine: the sockets of a match end up in one web process.

The web processes of `manage.py up` accept from one listening socket, so chance decides which of
them gets a connection. The one that has read a match's upgrade request passes the connection, and
the request with it, to the sibling that a hash of the match's id names. Only cost depends on it:
a sibling that is dead or busy is passed over, and any process serves any match.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from minesite.http_protocol import LimitedProtocol
from minesite.unix_sockets import make_folder, socket_path

MATCH_SOCKET = re.compile(rb"/ws/match/([a-z0-9]{12})/")
LONGEST_REQUEST = 16 * 1024
"""Bytes that surely pass in one write and one read; longer requests are served where they are."""
ANSWERS_WITHIN = 0.3
"""Seconds after which a sibling that does not answer is passed over: it may be stopped."""
READY = b"!"

Serve = Callable[[socket.socket, bytes], Awaitable[None]]


def preference(match_id: bytes, processes: int) -> list[int]:
    """All process numbers, the match's own first. Without one of them the others keep their order,
    so the players of a match meet again in the same process (rendezvous hashing)."""

    def weight(number: int) -> bytes:
        return hashlib.blake2b(b"%b %d" % (match_id, number), digest_size=8).digest()

    return sorted(range(1, processes + 1), key=weight)


class Affinity:
    """One web process among its siblings, numbered from 1."""

    def __init__(self, data_dir: Path, number: int, processes: int) -> None:
        self.number = number
        self.processes = processes
        self._data_dir = data_dir
        self._listener: socket.socket | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def _path(self, number: int) -> Path:
        return socket_path(self._data_dir, "web", f"{number}.sock")

    def open(self, serve: Serve) -> None:
        """Take connections from the siblings from now on, in place of the process that had this
        number before; `serve` gets each with the request that was read from it."""
        path = self._path(self.number)
        make_folder(path)
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.setblocking(False)
        self._listener.bind(str(path))
        self._listener.listen(4096)
        asyncio.get_running_loop().add_reader(self._listener, self._accept, serve)

    def close(self) -> None:
        """Siblings are refused from now on. The path stays: a successor may already own it."""
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()

    def _accept(self, serve: Serve) -> None:
        assert self._listener is not None
        with contextlib.suppress(BlockingIOError):
            while True:
                line, _address = self._listener.accept()
                task = asyncio.get_running_loop().create_task(self._take(line, serve))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _take(self, line: socket.socket, serve: Serve) -> None:
        """Answer a sibling, and serve the connection that it then sends."""
        loop = asyncio.get_running_loop()
        arrived = asyncio.Event()
        with line:
            line.setblocking(False)
            loop.add_reader(line, arrived.set)
            try:
                line.send(READY)
                async with asyncio.timeout(1):
                    await arrived.wait()
                request, fds, _flags, _address = socket.recv_fds(line, LONGEST_REQUEST, 1)
            except (OSError, TimeoutError):
                return  # the sibling is dead, or did not wait and serves the connection itself
            finally:
                loop.remove_reader(line)
        if fds:
            os.set_inheritable(fds[0], False)
            await serve(socket.socket(fileno=fds[0]), request)

    async def hand_over(self, match_id: bytes, request: bytes, connection: int) -> bool:
        """Pass a connection to the process its match belongs to; False if that is this one, or if
        no better one answers."""
        for number in preference(match_id, self.processes):
            if number == self.number:
                return False
            if await self._send(number, request, connection):
                return True
        return False

    async def _send(self, number: int, request: bytes, connection: int) -> bool:
        loop = asyncio.get_running_loop()
        with socket.socket(socket.AF_UNIX) as line:
            line.setblocking(False)
            try:
                async with asyncio.timeout(ANSWERS_WITHIN):
                    await loop.sock_connect(line, str(self._path(number)))
                    if await loop.sock_recv(line, 1) != READY:
                        return False
                return socket.send_fds(line, [request], [connection]) == len(request)
            except (OSError, TimeoutError):
                return False


class AffinityProtocol(LimitedProtocol):
    """The HTTP protocol, which hands upgrade requests of match sockets over."""

    def __init__(self, affinity: Affinity, handed_over: bytes = b"", **of_uvicorn: Any) -> None:
        """`handed_over`: the request that a sibling has read from this connection."""
        super().__init__(**of_uvicorn)
        self._affinity = affinity
        self._handed_over = handed_over

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        if self._handed_over:
            self.data_received(self._handed_over)

    def handle_websocket_upgrade(self) -> None:
        match = MATCH_SOCKET.match(self.url)
        if match is None or self._handed_over:
            super().handle_websocket_upgrade()
            return
        self.is_deaf = True
        self.transport.pause_reading()  # what comes next is for the process that serves it
        task = self.loop.create_task(self._hand_over(match[1]))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _hand_over(self, match_id: bytes) -> None:
        method = self.scope["method"].encode()
        lines = [b"%b %b HTTP/1.1" % (method, self.url)]
        lines += [b"%b: %b" % field for field in self.headers]
        request = b"\r\n".join(lines) + b"\r\n\r\n"
        # A duplicate: if the client goes away meanwhile, the number itself may be taken by another.
        connection = os.dup(self.transport.get_extra_info("socket").fileno())
        try:
            gone = len(request) <= LONGEST_REQUEST and await self._affinity.hand_over(
                match_id, request, connection
            )
        finally:
            os.close(connection)
        if gone:
            self.transport.abort()  # closes our copy; the sibling's stays open
        elif not self.transport.is_closing():
            self.transport.resume_reading()
            super().handle_websocket_upgrade()
