"""A WebSocket with as little between the socket and a function as Python allows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

logging.getLogger("picows").setLevel(logging.ERROR)

TEXT, BINARY = WSMsgType.TEXT, WSMsgType.BINARY
_DATA = frozenset((TEXT, BINARY))


class Socket(WSListener):
    """`on_data(payload)` for every message; `inbox` collects them until it is set."""

    def __init__(self, kind: WSMsgType) -> None:
        self.kind = kind
        self.transport: WSTransport
        self.on_data: Callable[[bytes], None] | None = None
        self.inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.closing = False

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type in _DATA:
            data = frame.get_payload_as_bytes()
            if self.on_data is not None:
                self.on_data(data)
            else:
                self.inbox.put_nowait(data)
        elif frame.msg_type is WSMsgType.CLOSE and not self.closing:
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.inbox.put_nowait(None)
        if not self.closing and self.on_data is not None:
            raise SystemExit(f"the server closed a connection: {_why(transport)}")

    def send(self, data: bytes) -> None:
        self.transport.send(self.kind, data)

    async def expect(self, marker: bytes) -> bytes:
        """The next message that contains the marker; others before it are dropped."""
        while True:
            async with asyncio.timeout(30):
                data = await self.inbox.get()
            if data is None:
                raise ConnectionError(
                    f"closed while waiting for {marker!r}: {_why(self.transport)}"
                )
            if marker in data:
                return data

    def listen(self, on_data: Callable[[bytes], None]) -> None:
        while not self.inbox.empty():
            self.inbox.get_nowait()
        self.on_data = on_data

    def close(self) -> None:
        self.closing = True
        self.transport.disconnect()


def _why(transport: WSTransport) -> str:
    handshake = transport.close_handshake
    if handshake is None or handshake.recv is None:
        return "without a close frame"
    return f"{int(handshake.recv.code)} {handshake.recv.reason}"


async def open_socket(
    url: str, kind: WSMsgType = TEXT, headers: dict[str, str] | None = None
) -> Socket:
    _, socket = await ws_connect(lambda: Socket(kind), url, extra_headers=headers)
    assert isinstance(socket, Socket)
    return socket
