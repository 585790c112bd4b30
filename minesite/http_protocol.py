"""uvicorn's HTTP protocol with limits: what a stranger may send, how slowly, and how often at once.

A proxy usually does all this; a site without one needs it here. Every limit is a setting
(docs/configuration.md), and a request over one is answered with 408, 413, 431 or 503 before any
code of the site runs.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any, Final, cast

from django.conf import settings
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.flow_control import service_unavailable
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from games.live.lane.handshake import http_response
from minesite.metrics import REFUSED

PIECE: Final = 4096
"""Bytes that are parsed before the limits are looked at again."""
MOST_HEADERS: Final = 100
ADMIN: Final = b"/admin/"
DISCARDED: Final = 256 * 1024
"""Bytes that are read and dropped after a refusal. Without reading any, the kernel would reset the
connection before the client has seen the answer."""
LINGER: Final = 2.0
"""Seconds that a refused client has to read the answer."""

SENTENCES: Final = {
    HTTPStatus.BAD_REQUEST: "This is not a valid HTTP request.",
    HTTPStatus.REQUEST_TIMEOUT: "The request took too long to arrive.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request's body is too large.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The request's headers are too large.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Too many connections from your address. Try again later.",
}


@dataclass(frozen=True, slots=True)
class HttpLimits:
    header_bytes: int
    header_seconds: float
    body_bytes: int
    admin_body_bytes: int
    body_seconds: float
    write_seconds: float
    pipelined: int
    connections_per_address: int
    is_proxy: Callable[[str], bool]
    """Many clients come through one of these: their connections are not counted."""

    def body_limit(self, target: bytes) -> int:
        return self.admin_body_bytes if target.startswith(ADMIN) else self.body_bytes


@cache
def limits_of_settings() -> HttpLimits:
    return HttpLimits(
        header_bytes=settings.HTTP_HEADER_BYTES,
        header_seconds=settings.HTTP_HEADER_SECONDS,
        body_bytes=settings.HTTP_BODY_BYTES,
        admin_body_bytes=settings.HTTP_ADMIN_BODY_BYTES,
        body_seconds=settings.HTTP_BODY_SECONDS,
        write_seconds=settings.HTTP_WRITE_SECONDS,
        pipelined=settings.HTTP_PIPELINED,
        connections_per_address=settings.CONNECTIONS_PER_ADDRESS,
        is_proxy=_TrustedHosts(settings.TRUSTED_PROXIES).__contains__,
    )


class LimitedProtocol(HttpToolsProtocol):
    open_connections: Counter[str] = Counter()
    """Of this process, by address; WebSockets are counted elsewhere (minesite/admission.py)."""

    def __init__(self, limits: HttpLimits | None = None, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self.limits = limits or limits_of_settings()
        self._address: str | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._cutting: asyncio.TimerHandle | None = None
        self._answering: RequestResponseCycle | None = None
        self._in_head = False
        self._head_bytes = 0
        self._body_left = 0
        self._in_body = False
        self._body_and_frame_left = 0
        """Bytes of a body with all that chunks put around it: sizes, extensions, trailers."""
        self.is_deaf = False
        """Whatever else comes is dropped."""
        self._discarded = 0

    # -- the connection --------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        address = self.client[0] if self.client else None
        if address is not None and not self.limits.is_proxy(address):
            most, already = self.limits.connections_per_address, self.open_connections[address]
            if already >= 2 * most:  # those that are being told so count, too
                self.is_deaf = True
                self.transport.abort()
                return
            self._address = address
            self.open_connections[address] += 1
            if already >= most:
                self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
                return
        self._set_deadline(self.limits.header_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        if self._cutting is not None:
            self._cutting.cancel()
        super().connection_lost(exc)

    def _release(self) -> None:
        """The connection ends, or is a WebSocket from now on."""
        self._clear_deadline()
        if self._address is not None:
            self.open_connections[self._address] -= 1
            if not self.open_connections[self._address]:
                del self.open_connections[self._address]
            self._address = None

    def handle_websocket_upgrade(self) -> None:
        self.is_deaf = True
        self._release()
        super().handle_websocket_upgrade()
        # It holds this object, which would wait for the garbage collector otherwise.
        self.parser = None  # type: ignore[assignment]  # as uvicorn does when a connection is lost

    # -- reading ---------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            if self.is_deaf:
                self._discard(len(data) - start)
                return
            if self._deadline is None and self._is_idle():
                self._set_deadline(self.limits.header_seconds)
            piece = data if len(data) <= PIECE else data[start : start + PIECE]
            super().data_received(piece)
            if self._in_head:
                self._head_bytes += len(piece)
                if self._head_bytes > self.limits.header_bytes:
                    self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            elif self._in_body:
                self._body_and_frame_left -= len(piece)
                if self._body_and_frame_left < 0:
                    self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _discard(self, size: int) -> None:
        self._discarded += size
        if self._discarded > DISCARDED:
            self.flow.pause_reading()

    def send_400_response(self, msg: str) -> None:
        self._refuse(HTTPStatus.BAD_REQUEST)

    # -- the parser's callbacks ------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if self.is_deaf:
            return
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0
        if self._deadline is None:
            self._set_deadline(self.limits.header_seconds)

    def on_url(self, url: bytes) -> None:
        if not self.is_deaf:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        # Behind the head they are trailers, for which nobody has a use.
        if not self.is_deaf and self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self.is_deaf:
            return
        self._in_head = False
        self._clear_deadline()
        self._body_left = self.limits.body_limit(self.url)
        self._in_body = True
        self._body_and_frame_left = 2 * self._body_left + self.limits.header_bytes
        if len(self.headers) > MOST_HEADERS:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif any(n == b"content-length" and int(v) > self._body_left for n, v in self.headers):
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        elif len(self.pipeline) >= self.limits.pipelined:
            # The answers to the others come first, in their order; this one ends the connection.
            self.app = service_unavailable
            super().on_headers_complete()
            self.is_deaf = True
            REFUSED.labels("503").inc()
        else:
            if not self.parser.should_upgrade():
                self._set_deadline(self.limits.body_seconds)
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self.is_deaf:
            return
        self._body_left -= len(body)
        if self._body_left < 0:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        if not self.is_deaf:
            self._clear_deadline()
            super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    # -- writing ---------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        self._cut_later(self.limits.write_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._cutting is not None and not self.transport.is_closing():
            self._cutting.cancel()
            self._cutting = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._cut_later(self.limits.write_seconds)

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._cut_later(self.limits.write_seconds)

    # -- the end ---------------------------------------------------------------------------------

    def _set_deadline(self, seconds: float) -> None:
        self._clear_deadline()
        self._deadline = self.loop.call_later(seconds, self._refuse, HTTPStatus.REQUEST_TIMEOUT)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer, and end the connection once the client had time to read it."""
        self.is_deaf = True
        self._in_head = False
        self._clear_deadline()
        self._unset_keepalive_if_required()
        if self.transport.is_closing():
            return
        REFUSED.labels(str(status.value)).inc()
        self.pipeline.clear()
        has_begun = False
        for cycle in (self._answering, self.cycle):
            if cycle is not None and not cycle.response_complete:
                has_begun = has_begun or cycle.response_started
                cycle.disconnected = True
                cycle.message_event.set()
        self.flow.resume_reading()
        if not has_begun:
            text = f"{SENTENCES[status]}\n".encode()
            headers = [(b"retry-after", b"10")] if status == HTTPStatus.SERVICE_UNAVAILABLE else []
            self.transport.write(http_response(status, headers, text))
        self.transport.write_eof()
        self._cut_later(LINGER)

    def _cut_later(self, seconds: float) -> None:
        if self._cutting is not None:
            self._cutting.cancel()
        self._cutting = self.loop.call_later(seconds, self.transport.abort)
