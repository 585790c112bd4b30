"""One accepted WebSocket: picows parses and writes frames, this class makes messages of them."""

from __future__ import annotations

import asyncio
import codecs
import contextvars
import logging
import struct
from collections.abc import Callable
from typing import Any

from multidict import CIMultiDict
from picows import WSFrame, WSListener, WSMsgType, WSTransport
from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected

from games.live.lane.idle import IdleWatch
from games.live.lane.link import (
    ABNORMAL,
    CLOSE_PATIENCE,
    IDLE,
    INTERNAL_ERROR,
    INVALID_TEXT,
    MATCH_LIMITS,
    NO_CODE,
    NORMAL,
    PROTOCOL_ERROR,
    RESTART,
    TOO_BIG,
    TOO_MANY,
    TOO_SLOW,
    Limits,
    Message,
    OnClose,
    OnMessage,
    fit_reason,
)
from games.rate_limit import Bucket

logger = logging.getLogger(__name__)

# Read once: an attribute lookup on the enumeration costs more than the comparison.
TEXT, BINARY, CONTINUATION = WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION
PING, CLOSE = WSMsgType.PING, WSMsgType.CLOSE
WHOLE = (TEXT, BINARY, CLOSE)
"""Frames that are not counted here: handlers count their messages, and a close is the last."""

HIGH_WATER = 64 * 1024
"""Unsent bytes over which ASGI `send` waits, for a socket that is not attached."""

LARGE = 896
"""Longer messages are framed here. picows keeps a buffer per connection, of 1 KiB or as large as
the longest frame so far; and over 8 KiB it hands over a view of a header that its next frame
overwrites, which garbles the stream if the transport kept the view (as uvloop does)."""

NO_HEADERS: CIMultiDict[str] = CIMultiDict()
NO_CONTEXT = contextvars.Context()
"""For the timers of all connections: a copy of the application's context would keep all that the
request left there."""

FRAME_RATE, FRAME_BURST = 10.0, 100.0
"""Pings, pongs and fragments per second of one socket, on average and at once; more close it with
4009. Whole messages are for their handler to limit."""

NOTHING = -1
"""The limit of messages once the socket closes: no frame takes the short way any more."""

LATE_FRAMES = 32
"""Frames that are read after the close was sent: the peer's own close may be behind them. Then
reading stops, and the connection is cut as if the peer did not answer."""

_new_decoder = codecs.getincrementaldecoder("utf-8")


class Connection(WSListener):
    """Serves ASGI `receive` and `send` until somebody attaches; from then on it is a `Link`."""

    __slots__ = (
        "_attached",
        "_close_code",
        "_close_reason",
        "_decoder",
        "_disconnect",
        "_drained",
        "_events",
        "_frames",
        "_heard",
        "_idle",
        "_late",
        "_limit",
        "_loop",
        "_on_close",
        "_on_lost",
        "_on_message",
        "_open_connections",
        "_parts",
        "_parts_size",
        "_patience",
        "_ping_interval",
        "_ping_timeout",
        "_ping_timer",
        "_queue_limit",
        "_reading",
        "_transport",
        "_waiter",
        "_ws",
        "is_detached",
    )

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        transport: asyncio.Transport,
        config: Config,
        open_connections: set[Any],
    ) -> None:
        self._loop = loop
        self._transport = transport
        self._limit = config.ws_max_size
        self._queue_limit = config.ws_max_queue
        self._ping_interval = config.ws_ping_interval
        self._ping_timeout = config.ws_ping_timeout
        self._open_connections = open_connections
        open_connections.add(self)
        self._ws: WSTransport  # set by picows before anything else happens
        # The message that is being put together from fragments.
        self._parts: list[bytes] | None = None
        self._parts_size = 0
        self._decoder: codecs.IncrementalDecoder | None = None
        # Plain ASGI: events that wait for `receive`, and `receive` that waits for an event.
        self._events: list[Message] | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._drained: asyncio.Future[None] | None = None
        self._reading = True
        self._disconnect: Message | None = None
        # Attached.
        self._attached = False
        self.is_detached = False
        self._on_message: OnMessage | None = None
        self._on_close: OnClose | None = None
        # Life and end.
        self._heard = True
        self._on_lost: Callable[[], None] | None = None
        self._frames: Bucket | None = None
        self._late = 0
        self._ping_timer: asyncio.TimerHandle | None = None
        self._idle: IdleWatch | None = None
        self._close_code: int | None = None
        self._close_reason = ""
        self._patience: asyncio.TimerHandle | None = None

    # ------------------------------------------------------------------ the link

    @property
    def buffered(self) -> int:
        return 0 if self._ws.is_disconnected else self._transport.get_write_buffer_size()

    def send(self, data: bytes) -> None:
        if len(data) <= LARGE:
            self._ws.send(TEXT, data)
        else:
            self._send_large(TEXT, data)

    def _send_large(self, kind: WSMsgType, data: bytes) -> None:
        if not (self._ws.is_close_frame_sent or self._ws.is_disconnected):
            size = len(data)
            length = (
                struct.pack("!BH", 126, size) if size < 1 << 16 else struct.pack("!BQ", 127, size)
            )
            self._transport.write(b"".join((b"\x81" if kind is TEXT else b"\x82", length, data)))

    def close(self, code: int = NORMAL, reason: str = "") -> None:
        if self._close_code is not None or self._disconnect is not None:
            return
        self._close_code = code
        self._limit = NOTHING
        self._close_reason = fit_reason(reason)
        self._ws.send_close(code, self._close_reason)  # type: ignore[arg-type]  # any code works
        self._cut_later()
        self._resume_reading()

    def _close_idle(self) -> None:
        self.close(IDLE, "idle")

    async def finished(self) -> None:
        while (await self.receive())["type"] != "websocket.disconnect":
            pass

    async def detached(self) -> None:
        self.is_detached = True

    def attach(
        self, on_message: OnMessage, on_close: OnClose, limits: Limits = MATCH_LIMITS
    ) -> Connection:
        if self._attached:
            raise RuntimeError("this socket is attached already")
        self._attached = True
        self._limit = min(self._limit, limits.message)
        if not self._ws.is_disconnected:
            self._transport.set_write_buffer_limits(high=limits.buffered)
        if limits.idle is not None and self._disconnect is None:
            self._idle = IdleWatch(limits.idle, self._close_idle)
        self._on_close = on_close
        # Later: the caller doesn't hold its link yet. Frames that arrive meanwhile are queued.
        self._loop.call_soon(self._hand_over, on_message)
        return self

    def _hand_over(self, on_message: OnMessage) -> None:
        """Deliver what came before the handler, then let messages flow to it directly."""
        self._on_message = on_message
        while self._events:
            event = self._events.pop(0)
            text = event.get("text")
            self._deliver(event["bytes"] if text is None else text.encode())
        self._events = None
        self._resume_reading()
        if self._disconnect is not None:
            self._tell_closed()
            self._wake()

    # ------------------------------------------------------------------ plain ASGI

    async def receive(self) -> Message:
        while self._attached or not self._events:
            # Once attached, the link's handler learns of the end first, then this connection.
            if self._disconnect is not None and self._on_close is None:
                return self._disconnect
            self._waiter = self._loop.create_future()
            await self._waiter
        event = self._events.pop(0)
        if self._events:
            await asyncio.sleep(0)  # an application that never waits must not keep others waiting
        else:
            self._resume_reading()
        return event

    async def asgi_send(self, event: Message) -> None:
        if self._drained is not None:
            await asyncio.shield(self._drained)  # others may wait for it too
        if self._disconnect is not None:
            raise ClientDisconnected
        if self._close_code is not None:
            raise RuntimeError(f"Unexpected ASGI message {event['type']!r} after the close.")
        if event["type"] == "websocket.send":
            data = event.get("bytes")
            kind, data = (TEXT, event["text"].encode()) if data is None else (BINARY, data)
            if len(data) <= LARGE:
                self._ws.send(kind, data)
            else:
                self._send_large(kind, data)
        elif event["type"] == "websocket.close":
            code = event.get("code")
            self.close(NORMAL if code is None else code, event.get("reason") or "")
        else:
            raise RuntimeError(f"Unexpected ASGI message {event['type']!r} on an open socket.")

    def _queue(self, event: Message) -> None:
        if self._events is None:
            self._events = []
        self._events.append(event)
        self._wake()
        if len(self._events) >= self._queue_limit:
            self._pause_reading()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _pause_reading(self) -> None:
        if self._reading:
            self._reading = False
            self._transport.pause_reading()

    def _resume_reading(self) -> None:
        if not self._reading and self._late <= LATE_FRAMES:
            self._reading = True
            if not self._transport.is_closing():
                self._transport.resume_reading()

    # ------------------------------------------------------------------ frames

    def on_ws_connected(self, ws: WSTransport) -> None:
        self._ws = ws
        self._transport.set_write_buffer_limits(high=HIGH_WATER)
        self._next_ping()

    def forget_handshake(self) -> None:
        """picows keeps request and response as long as the connection lives."""
        self._ws.request.headers = self._ws.response.headers = NO_HEADERS

    def on_ws_frame(self, ws: WSTransport, frame: WSFrame) -> None:
        self._heard = True
        kind = frame.msg_type
        if (
            kind is TEXT
            and frame.fin
            and self._on_message is not None
            and self._parts is None
            and frame.payload_size <= self._limit
            and not (frame.rsv1 or frame.rsv2 or frame.rsv3)
        ):
            # The fast path, for nearly every frame.
            data = frame.get_payload_as_bytes()
            if data.isascii() or _is_utf8(data):
                self._deliver(data)
            else:
                self.close(INVALID_TEXT, "text is not UTF-8")
        else:
            self._on_rare_frame(ws, frame)

    def _on_rare_frame(self, ws: WSTransport, frame: WSFrame) -> None:
        """The slow path: check everything that the protocol asks of a frame."""
        kind = frame.msg_type
        if self._limit == NOTHING and kind is not CLOSE:
            self._late += 1
            if self._late > LATE_FRAMES:
                self._pause_reading()
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            self.close(PROTOCOL_ERROR, "reserved bit set")
        elif not (frame.fin and kind in WHOLE) and self._is_flooded():
            self.close(TOO_MANY, "too many frames")
        elif kind is TEXT or kind is BINARY:
            self._begin_message(frame)
        elif kind is CONTINUATION:
            if self._parts is None:
                self.close(PROTOCOL_ERROR, "nothing to continue")
            else:
                self._fragment(frame)
        elif kind is PING:
            # A peer that pings and does not read must not fill our memory with answers.
            if self._drained is None:
                ws.send_pong(frame.get_payload_as_bytes())
        elif kind is CLOSE:
            self._peer_closes(ws, frame.get_payload_as_bytes())

    def _begin_message(self, frame: WSFrame) -> None:
        """The first frame of a message; of most messages the only one."""
        is_text = frame.msg_type is TEXT
        if self._parts is not None:
            self.close(PROTOCOL_ERROR, "new message inside a fragmented one")
        elif frame.payload_size > self._limit:
            self.close(TOO_BIG, "message too big")
        elif frame.fin:
            data = frame.get_payload_as_bytes()
            if is_text and not data.isascii() and not _is_utf8(data):
                self.close(INVALID_TEXT, "text is not UTF-8")
            else:
                self._message(data, is_text)
        else:
            self._parts, self._parts_size = [], 0
            self._decoder = _new_decoder() if is_text else None
            self._fragment(frame)

    def _is_flooded(self) -> bool:
        now = self._loop.time()
        if self._frames is None:
            self._frames = Bucket(FRAME_RATE, FRAME_BURST, now)
        return not self._frames.take(now)

    def _fragment(self, frame: WSFrame) -> None:
        assert self._parts is not None
        part, fin = frame.get_payload_as_bytes(), bool(frame.fin)
        self._parts_size += len(part)
        if self._parts_size > self._limit:
            self.close(TOO_BIG, "message too big")
            return
        if self._decoder is not None:
            try:
                self._decoder.decode(part, fin)
            except UnicodeDecodeError:
                self.close(INVALID_TEXT, "text is not UTF-8")
                return
        self._parts.append(part)
        if fin:
            data, self._parts = b"".join(self._parts), None
            self._message(data, self._decoder is not None)

    def _message(self, data: bytes, is_text: bool) -> None:
        if self._close_code is not None:
            return
        if self._on_message is not None:
            self._deliver(data)
        elif is_text:
            self._queue({"type": "websocket.receive", "text": data.decode()})
        else:
            self._queue({"type": "websocket.receive", "bytes": data})

    def _deliver(self, data: bytes) -> None:
        if self._close_code is not None:
            return
        if self._idle is not None:
            self._idle.touched = True
        try:
            self._on_message(data)  # type: ignore[misc]  # only called when there is one
        except Exception:
            logger.exception("a message handler failed; the socket is closed")
            self.close(INTERNAL_ERROR)

    # ------------------------------------------------------------------ too slow, dead, over

    def when_lost(self, callback: Callable[[], None]) -> None:
        """Call it once when the connection is gone; now if it is."""
        if self._ws.is_disconnected:
            callback()
        else:
            self._on_lost = callback

    def shutdown(self) -> None:
        """Called by uvicorn when it stops."""
        self.close(RESTART, "server restarts")

    def pause_writing(self) -> None:
        if self._attached:
            self.close(TOO_SLOW, "too slow")
        elif self._drained is None:
            self._drained = self._loop.create_future()

    def resume_writing(self) -> None:
        drained, self._drained = self._drained, None
        if drained is not None:
            drained.set_result(None)

    def _later(self, delay: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        return self._loop.call_later(delay, callback, context=NO_CONTEXT)

    def _next_ping(self) -> None:
        if self._ping_interval:
            self._heard = False
            self._ping_timer = self._later(self._ping_interval, self._ping_if_silent)

    def _ping_if_silent(self) -> None:
        """Any frame is a sign of life; only a silent peer is asked for one."""
        if self._heard:
            self._next_ping()
            return
        self._ws.send_ping()
        if self._ping_timeout:
            self._ping_timer = self._later(self._ping_timeout, self._cut_if_silent)
        else:
            self._next_ping()

    def _cut_if_silent(self) -> None:
        if self._heard:
            self._next_ping()
        else:
            self.close(INTERNAL_ERROR, "ping not answered")
            self._transport.close()

    def _cut_later(self) -> None:
        """A peer that neither answers the close nor takes what is waiting for it is cut off."""
        if self._patience is None:
            self._patience = self._later(CLOSE_PATIENCE, self._transport.abort)

    def _peer_closes(self, ws: WSTransport, payload: bytes) -> None:
        code = int.from_bytes(payload[:2], "big") if payload else NO_CODE
        if payload and not _may_be_sent(code):
            self.close(PROTOCOL_ERROR, "invalid close code")
        elif self._close_code is None:
            reason = payload[2:].decode()
            # picows names some codes in its types and sends any.
            ws.send_close(NORMAL if code == NO_CODE else code, reason)  # type: ignore[arg-type]
            self._end(code, reason)
            self._cut_later()
        ws.disconnect()

    def on_ws_disconnected(self, ws: WSTransport) -> None:
        for timer in (self._ping_timer, self._patience):
            if timer is not None:
                timer.cancel()
        # asyncio never resumes the writing of a connection that is lost while paused.
        self.resume_writing()
        sent = ws.close_handshake.sent if ws.close_handshake is not None else None
        if self._close_code is not None:
            self._end(self._close_code, self._close_reason)
        elif sent is not None:  # picows found a frame that breaks the protocol
            # Typed as optional, for frames without one; picows sends one.
            self._end(int(sent.code), sent.reason)  # type: ignore[call-overload]
        else:
            self._end(ABNORMAL, "")
        self._open_connections.discard(self)
        if self._on_lost is not None:
            self._on_lost()

    def _end(self, code: int, reason: str) -> None:
        """The connection is over for the application. The first call decides why."""
        if self._disconnect is not None:
            return
        self._disconnect = {
            "type": "websocket.disconnect",
            "code": code,
            "reason": reason,
        }
        self._limit = NOTHING
        if self._idle is not None:
            self._idle.stop()
        self._wake()
        if self._on_message is not None:
            self._tell_closed()

    def _tell_closed(self) -> None:
        on_close, self._on_close = self._on_close, None
        if on_close is not None and self._disconnect is not None:
            try:
                on_close(self._disconnect["code"], self._disconnect["reason"])
            except Exception:
                logger.exception("a close handler failed")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _may_be_sent(code: int) -> bool:
    """Whether a peer may put this code into a close frame."""
    return 1000 <= code <= 1003 or 1007 <= code <= 1014 or 3000 <= code <= 4999
