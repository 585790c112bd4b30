"""uvicorn's WebSocket class with the lane: `ws="games.live.lane.protocol:LaneProtocol"`.

The upgrade goes through the whole ASGI stack as with any other class. Once the application has
accepted, picows takes the transport over, and `scope["extensions"]["minesite.lane"]` offers the
connection itself to an application that asks for it. Every other socket is plain ASGI.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import unquote

from picows import (
    WSAutoPingStrategy,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSProtocol as FrameProtocol  # type: ignore[attr-defined]  # not in its stubs
from uvicorn.config import Config
from uvicorn.protocols.utils import (
    ClientDisconnected,
    get_client_addr,
    get_local_addr,
    get_path_with_query_string,
    get_remote_addr,
    is_ssl,
)
from uvicorn.server import ServerState

from games.live.lane.connection import Connection
from games.live.lane.handshake import (
    BadHandshake,
    UpgradeRequest,
    http_response,
    minimal_request,
    read_request,
)
from games.live.lane.link import (
    ABNORMAL,
    EXTENSION,
    INTERNAL_ERROR,
    MATCH_LIMITS,
    NORMAL,
    Limits,
    Link,
    Message,
    OnClose,
    OnMessage,
)

logger = logging.getLogger("uvicorn.error")

# An adapter, since picows makes a logger per connection of anything that is a Logger. Silent, since
# a client that breaks the protocol is no error of the server; the close frame says so.
_frame_log = logging.LoggerAdapter(logging.getLogger("games.live.lane.frames"))
_frame_log.logger.setLevel(logging.CRITICAL)

READ_BUFFER = 2048
"""First size of a connection's read buffer; it doubles when a message does not fit."""
READ_AT_ONCE = 4096
"""Bytes that are read, and handled, before others have their turn: at most 682 frames."""

_get_buffer = FrameProtocol.get_buffer


class Frames(FrameProtocol):  # type: ignore[misc]  # without types
    """picows doubles its buffer whenever a read fills it: a flood would make each read longer."""

    __slots__ = ()

    def get_buffer(self, hint: int) -> memoryview:
        space: memoryview = _get_buffer(self, hint)
        return space if len(space) <= READ_AT_ONCE else space[:READ_AT_ONCE]


class LaneProtocol(asyncio.Protocol):
    """Made by uvicorn's HTTP protocol for each upgrade request."""

    __slots__ = (
        "_answered",
        "_connect_told",
        "_early",
        "_handshake_left",
        "_rejection",
        "_request",
        "_waiter",
        "app_state",
        "config",
        "connection",
        "loop",
        "scope",
        "server_state",
        "transport",
    )

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.config = config
        self.app_state = app_state
        self.server_state = server_state
        self.loop = _loop or asyncio.get_running_loop()
        self.transport: asyncio.Transport
        self.scope: Any = {}
        self.connection: Connection | None = None
        self._request: UpgradeRequest | None = None
        self._early = b""
        self._connect_told = False
        self._handshake_left = False
        """The handshake was answered, or its client is gone."""
        self._waiter: asyncio.Future[None] | None = None
        self._rejection: tuple[int, list[tuple[bytes, bytes]], bytes] | None = None
        self._answered = False

    # ------------------------------------------------------------------ called by uvicorn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.server_state.connections.add(self)  # type: ignore[arg-type]  # has `shutdown`

    def data_received(self, data: bytes) -> None:
        if self._request is not None:
            # A frame before the 101 is early, not wrong; without an end it is.
            self._early += data
            if len(self._early) > READ_AT_ONCE:
                self.transport.close()
            return
        try:
            self._request = read_request(data)
        except BadHandshake as bad:
            self._respond(bad.status, bad.headers, bad.text.encode())
            return
        self.scope = self._make_scope(self._request)
        task = self.loop.create_task(self._run_app())
        self.server_state.tasks.add(task)
        task.add_done_callback(self.server_state.tasks.discard)

    def eof_received(self) -> None:
        pass

    def connection_lost(self, exc: Exception | None) -> None:
        """Only before the accept; afterwards picows holds the transport."""
        self._leave_handshake()
        self.server_state.connections.discard(self)

    def shutdown(self) -> None:
        """Only before the accept, as above: the server stops, and the answer is a 503."""
        self._respond(503, [], b"The server is restarting.")

    # ------------------------------------------------------------------ the application

    def _make_scope(self, request: UpgradeRequest) -> dict[str, Any]:
        root_path = self.config.root_path
        return {
            "type": "websocket",
            "asgi": {"version": self.config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if is_ssl(self.transport) else "ws",
            "server": get_local_addr(self.transport),
            "client": get_remote_addr(self.transport),
            "root_path": root_path,
            "path": root_path + unquote(request.raw_path.decode("ascii")),
            "raw_path": root_path.encode("ascii") + request.raw_path,
            "query_string": request.query_string,
            "headers": request.headers,
            "subprotocols": request.subprotocols,
            "state": self.app_state.copy(),
            "extensions": {"websocket.http.response": {}, EXTENSION: self},
        }

    async def _run_app(self) -> None:
        try:
            await self.config.loaded_app(self.scope, self._receive, self._send)
        except ClientDisconnected:
            pass
        except BaseException as error:
            logger.exception("Exception in ASGI application\n")
            self._app_left(INTERNAL_ERROR)
            if not isinstance(error, Exception):
                raise
        else:
            self._app_left(NORMAL)

    def _app_left(self, code: int) -> None:
        if self.connection is not None:
            if code != NORMAL or not self.connection.is_detached:
                self.connection.close(code)
            # uvloop's transport keeps its first protocol, this one, as long as it lives.
            self.scope, self._request, self.connection = None, None, None
        elif not self._answered:
            if code == NORMAL:
                logger.error("ASGI callable returned without completing handshake.")
            self._respond(500, [], b"Internal Server Error")

    def attach(
        self, on_message: OnMessage, on_close: OnClose, limits: Limits = MATCH_LIMITS
    ) -> Link:
        """The lane's entry in the scope."""
        if self.connection is None:
            raise RuntimeError("attach comes after websocket.accept")
        return self.connection.attach(on_message, on_close, limits)

    def when_lost(self, callback: Callable[[], None]) -> None:
        """Call it once when the connection is gone, which may be long after the application has
        returned; at once if there is none."""
        if self.connection is None:
            callback()
        else:
            self.connection.when_lost(callback)

    async def _receive(self) -> Message:
        if not self._connect_told:
            self._connect_told = True
            return {"type": "websocket.connect"}
        if self.connection is None and not self._handshake_left:
            self._waiter = self._waiter or self.loop.create_future()
            await asyncio.shield(self._waiter)  # others may wait for it too
        if self.connection is not None:
            return await self.connection.receive()
        return {"type": "websocket.disconnect", "code": ABNORMAL}

    async def _send(self, event: Message) -> None:
        if self.connection is not None:
            await self.connection.asgi_send(event)
            return
        if self._handshake_left and not self._answered:
            raise ClientDisconnected
        kind = event["type"]
        if kind == "websocket.http.response.body" and self._rejection is not None:
            status, headers, body = self._rejection
            self._rejection = (status, headers, body + event.get("body", b""))
            if not event.get("more_body", False):
                self._log(status)
                self._respond(*self._rejection)
        elif self._answered or self._rejection is not None:
            raise RuntimeError(f"Unexpected ASGI message {kind!r} after the handshake's answer.")
        elif kind == "websocket.accept":
            self._log("[accepted]")
            self._accept(event)
        elif kind == "websocket.close":
            self._log(403)
            self._respond(403, [], b"")
        elif kind == "websocket.http.response.start":
            self._rejection = (event["status"], list(event.get("headers", [])), b"")
        else:
            raise RuntimeError(f"Unexpected ASGI message {kind!r} before websocket.accept.")

    def _log(self, answer: str | int) -> None:
        if not self.config.access_log:
            return
        client, path = (
            get_client_addr(self.scope),
            get_path_with_query_string(self.scope),
        )
        logger.info('%s - "WebSocket %s" %s', client, path, answer)

    # ------------------------------------------------------------------ the handshake's answer

    def _respond(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self._answered = True
        if not self.transport.is_closing():
            headers = [*self.server_state.default_headers, *headers]
            self.transport.write(http_response(status, headers, body))
            self.transport.close()
        self._leave_handshake()

    def _leave_handshake(self) -> None:
        self._handshake_left = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
        self._waiter = None

    def _accept(self, event: Message) -> None:
        """Answer 101 and hand the transport to picows."""
        if self.transport.is_closing():
            raise ClientDisconnected
        assert self._request is not None
        self._answered = True
        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in [
                *self.server_state.default_headers,
                *event.get("headers", []),
            ]
        ]
        if event.get("subprotocol"):
            headers.append(("Sec-WebSocket-Protocol", event["subprotocol"]))
        response = WSUpgradeResponse.create_101_response(headers)
        connections: set[Any] = self.server_state.connections
        self.connection = connection = Connection(
            self.loop, self.transport, self.config, connections
        )
        connections.discard(self)
        frames = Frames(
            None,
            None,
            False,  # server side
            _Upgrade(response, connection),
            _frame_log,
            True,  # disconnect on exception
            None,  # no handshake timeout: the handshake is done at once
            False,  # pings are the connection's: they need no task
            1.0,
            1.0,
            WSAutoPingStrategy.PING_WHEN_IDLE,
            False,  # pongs too: its checks come first
            self.config.ws_max_size,
            None,
            READ_BUFFER,
        )
        # uvloop chooses its way of reading when reading starts, and picows reads differently.
        self.transport.pause_reading()
        self.transport.set_protocol(frames)
        frames.connection_made(_with_tcp_options(self.transport))
        for data in (minimal_request(self._request.key), self._early):
            _feed(frames, data)
        self.transport.resume_reading()
        connection.forget_handshake()
        self._early = b""
        self._leave_handshake()


class _Upgrade:
    """Answers the handshake. picows keeps it with the connection: a closure would be larger."""

    __slots__ = ("_connection", "_response")

    def __init__(self, response: WSUpgradeResponse, connection: Connection) -> None:
        self._response = response
        self._connection = connection

    def __call__(self, request: object) -> WSUpgradeResponseWithListener:
        return WSUpgradeResponseWithListener(self._response, self._connection)


def _feed(frames: FrameProtocol, data: bytes) -> None:
    """Bytes that arrived before picows held the transport."""
    while data:
        space = frames.get_buffer(-1)
        taken = min(len(space), len(data))
        space[:taken] = data[:taken]
        frames.buffer_updated(taken)
        data = data[taken:]


class _UnixSocket:
    """A Unix socket for picows, which sets TCP options on whatever it gets."""

    def __init__(self, real: socket.socket) -> None:
        self.fileno = real.fileno

    def setsockopt(self, *option: object) -> None:
        pass

    def getsockopt(self, *option: object) -> int:
        return 0


class _UnixTransport:
    def __init__(self, real: asyncio.Transport) -> None:
        self._real = real
        self._socket = _UnixSocket(real.get_extra_info("socket"))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._socket if name == "socket" else self._real.get_extra_info(name, default)


def _with_tcp_options(transport: asyncio.Transport) -> Any:
    if transport.get_extra_info("socket").family == socket.AF_UNIX:
        return _UnixTransport(transport)
    return transport
