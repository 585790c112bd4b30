"""The TCP port: the text protocol of the mode that has it, a line per message. A job of the worker.

Several workers may listen on the port at once; a player stays with the worker it connected to.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from django.conf import settings

from games.engine.mode import Mode
from games.lines import OVERLONG, LineSplitter
from games.redis import key, redis
from lobby.text.limits import (
    ENDLESS_LINE_BYTES,
    FIRST_LINE_SECONDS,
    IDLE_SECONDS,
    LINE_BYTES,
    WRITE_BUFFER_BYTES,
    RateLimit,
)
from lobby.text.protocols import tcp_mode
from lobby.text.queued import QueuedClient

EXPIRES = 10
EVERY = 2.0

logger = logging.getLogger(__name__)


class Gateway:
    """All connections of this process."""

    def __init__(self, mode: Mode, most: int, most_per_address: int) -> None:
        assert mode.text is not None
        self._mode = mode
        self._protocol = mode.text
        self._most = most
        self._most_per_address = most_per_address
        self._addresses: Counter[str] = Counter()
        self._open: set[asyncio.Task[Any]] = set()
        self._closing = False

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = (writer.get_extra_info("peername") or ("?",))[0]
        task = asyncio.current_task()
        assert task is not None
        full = self._addresses.total() >= self._most
        if full or self._addresses[address] >= self._most_per_address:
            refusal = self._protocol.session().complaint("too many connections")
            writer.write(_encoded(refusal))
            writer.close()
            return
        self._addresses[address] += 1
        self._open.add(task)
        try:
            await Connection(self._mode, reader, writer, lambda: self._closing).serve()
        except (ConnectionError, TimeoutError):
            pass
        finally:
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
            self._open.discard(task)
            writer.close()

    async def close(self) -> None:
        """Close all connections; their players may come back to another worker."""
        self._closing = True
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)


class Connection:
    """One client: bytes to lines, lines to the driver, within the limits."""

    def __init__(
        self,
        mode: Mode,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        site_stops: Callable[[], bool],
    ) -> None:
        assert mode.text is not None
        self._site_stops = site_stops
        self._reader = reader
        self._writer = writer
        self._transport = writer.transport
        self._lines = LineSplitter(LINE_BYTES, blank=True)
        self._rate_limit = RateLimit(
            time.monotonic(), mode.text.messages_per_second, mode.text.burst
        )
        self._client = QueuedClient(mode, self._send, self._transport.close)

    async def serve(self) -> None:
        try:
            async with asyncio.timeout(FIRST_LINE_SECONDS):
                lines = await self._more()
            while lines and not self._transport.is_closing():
                for line in lines:
                    await self._line(line)
                lines = await self._next()
        except TimeoutError:
            self._complain("no line for too long")
        finally:
            await asyncio.shield(self._client.lost(by_outage=self._site_stops()))

    async def _line(self, line: bytes | None) -> None:
        if line is OVERLONG:
            self._rate_limit.too_long()
            self._complain(f"a line has at most {LINE_BYTES} bytes")
        elif self._rate_limit.too_fast(time.monotonic()):
            self._complain("too many lines; slow down")
        elif not self._transport.is_closing():
            await self._client.line(line)
        if self._rate_limit.exhausted:
            self._transport.close()

    async def _next(self) -> list[bytes | None]:
        """More lines, for as long as a match may be silent, or else within the idle limit."""
        while True:
            try:
                async with asyncio.timeout(IDLE_SECONDS):
                    return await self._more()
            except TimeoutError:
                if not self._client.session.busy:
                    raise

    async def _more(self) -> list[bytes | None]:
        """At least one line; none when the client has closed, or sends a line that is too long."""
        while data := await self._reader.read(4096):
            if lines := self._lines.feed(data):
                return lines
            if self._lines.skipped > ENDLESS_LINE_BYTES:
                break
        return []

    def _complain(self, text: str) -> None:
        self._send(self._client.session.complaint(text))

    def _send(self, line: str) -> None:
        if self._transport.is_closing():
            return
        self._writer.write(_encoded(line))
        if self._transport.get_write_buffer_size() > WRITE_BUFFER_BYTES:
            # The client reads too slowly: drop it rather than buffer without bound.
            self._transport.abort()


def _encoded(line: str) -> bytes:
    return line.encode("ascii", "replace") + b"\n"


async def announce(port: int) -> None:
    """Tell /healthz that the gateway listens."""
    where = {"pid": os.getpid(), "host": socket.gethostname()}
    value = msgspec.json.encode({"port": port, "at": time.time(), **where})
    await redis().set(key("gateway"), value, ex=EXPIRES)


async def run(stop: asyncio.Event) -> None:
    mode = tcp_mode()
    if mode is None:
        await stop.wait()
        return
    gateway = Gateway(mode, settings.TCP_CONNECTIONS, settings.TCP_CONNECTIONS_PER_ADDRESS)
    server = await asyncio.start_server(
        gateway.connected, settings.HOST, settings.TCP_PORT, reuse_port=True, backlog=1024
    )
    async with server:
        while not stop.is_set():
            await announce(settings.TCP_PORT)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), EVERY)
        server.close()
        await gateway.close()
    await redis().delete(key("gateway"))
