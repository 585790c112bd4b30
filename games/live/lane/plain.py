"""The link on ASGI events: for servers without the lane (daphne, hypercorn, granian, ...)."""

from __future__ import annotations

import asyncio
import logging
from collections import deque

from games.live.lane.idle import IdleWatch
from games.live.lane.link import (
    ABNORMAL,
    CLOSE_PATIENCE,
    IDLE,
    INTERNAL_ERROR,
    NO_CODE,
    NORMAL,
    TOO_BIG,
    TOO_SLOW,
    Limits,
    Message,
    OnClose,
    OnMessage,
    Receive,
    Send,
    fit_reason,
)

logger = logging.getLogger(__name__)


class PlainLink:
    """A `Link` on top of ASGI `send`, and of events that somebody receives: `finished` does, or the
    consumer that calls `feed`.

    `send` puts the message into a bounded queue that one task drains; the task exists only while
    there is something to send. The bound counts what the server has not taken: a server that takes
    everything at once (daphne) keeps the rest in its own memory, where no application sees it.
    """

    __slots__ = (
        "_asgi_receive",
        "_asgi_send",
        "_close",
        "_deadline",
        "_drain_task",
        "_ended",
        "_idle",
        "_limits",
        "_on_close",
        "_on_message",
        "_patience",
        "_queue",
        "_task",
        "buffered",
    )

    def __init__(
        self,
        receive: Receive | None,
        send: Send,
        on_message: OnMessage,
        on_close: OnClose,
        limits: Limits,
    ) -> None:
        self.buffered = 0
        self._asgi_receive = receive
        self._asgi_send = send
        self._on_message = on_message
        self._on_close = on_close
        self._limits = limits
        self._queue: deque[bytes] = deque()
        self._drain_task: asyncio.Task[None] | None = None
        self._close: tuple[int, str] | None = None
        self._deadline: asyncio.Timeout | None = None
        self._ended = False
        self._patience: asyncio.TimerHandle | None = None
        self._task = asyncio.current_task()
        self._idle: IdleWatch | None = None
        if limits.idle is not None:
            self._idle = IdleWatch(limits.idle, lambda: self.close(IDLE, "idle"))

    def send(self, data: bytes) -> None:
        if self._close is not None:
            return
        self.buffered += len(data)
        if self.buffered > self._limits.buffered:
            # Waiting messages are lost with the connection anyway; the close must not queue behind
            # them.
            self._queue.clear()
            self.close(TOO_SLOW, "too slow")
            return
        self._queue.append(data)
        self._drain()

    def close(self, code: int = NORMAL, reason: str = "") -> None:
        if self._close is not None:
            return
        self._close = (code, fit_reason(reason))
        self._limit_wait()
        self._drain()

    async def finished(self) -> None:
        code, reason = ABNORMAL, ""
        try:
            async with asyncio.timeout(None) as self._deadline:
                self._limit_wait()
                code, reason = await self._receive_all()
        except TimeoutError:
            # Returning from the application makes the server cut the connection.
            logger.debug("closing handshake not answered in time")
        finally:
            self._end(code, reason)

    async def detached(self) -> None:
        await self.finished()

    def feed(self, event: Message) -> None:
        """An event that a consumer received."""
        if event["type"] == "websocket.disconnect":
            self._end(*_code_and_reason(event))
        elif event["type"] == "websocket.receive" and self._close is None:
            self._deliver(event)

    def _end(self, code: int, reason: str) -> None:
        if self._ended:
            return
        self._ended = True
        if self._patience is not None:
            self._patience.cancel()
        if self._idle is not None:
            self._idle.stop()
        if self._drain_task is not None:
            self._drain_task.cancel()
        self._close = self._close or (code, reason)
        self._on_close(*self._close)

    async def _receive_all(self) -> tuple[int, str]:
        """Deliver every message; return the code and reason of the disconnect."""
        assert self._asgi_receive is not None
        while True:
            event = await self._asgi_receive()
            if event["type"] == "websocket.disconnect":
                return _code_and_reason(event)
            self.feed(event)

    def _deliver(self, event: Message) -> None:
        text = event.get("text")
        data: bytes = event["bytes"] if text is None else text.encode()
        if len(data) > self._limits.message:
            self.close(TOO_BIG, "message too big")
            return
        if self._idle is not None:
            self._idle.touched = True
        try:
            self._on_message(data)
        except Exception:
            logger.exception("a message handler failed; the socket is closed")
            self.close(INTERNAL_ERROR)

    def _limit_wait(self) -> None:
        """From the close on, the peer has a limited time to answer it."""
        if self._close is None:
            return
        loop = asyncio.get_running_loop()
        if self._deadline is not None:
            self._deadline.reschedule(loop.time() + CLOSE_PATIENCE)
        elif self._asgi_receive is None and self._patience is None:
            self._patience = loop.call_later(CLOSE_PATIENCE, self._give_up)

    def _give_up(self) -> None:
        """Ending the consumer makes the server cut the connection."""
        self._end(ABNORMAL, "")
        if self._task is not None:
            self._task.cancel()

    def _drain(self) -> None:
        if self._drain_task is None:
            self._drain_task = asyncio.get_running_loop().create_task(self._send_all())

    async def _send_all(self) -> None:
        """Send what is queued, and last the close if there is one."""
        try:
            while self._queue:
                data = self._queue.popleft()
                await self._asgi_send({"type": "websocket.send", "text": data.decode()})
                self.buffered -= len(data)
            if self._close is not None:
                await self._send_close(*self._close)
        except Exception as gone:
            # Servers raise different things when the peer is gone; `receive` tells the same.
            logger.debug("cannot send: %r", gone)
        finally:
            self._drain_task = None

    async def _send_close(self, code: int, reason: str) -> None:
        event: Message = {"type": "websocket.close", "code": code, "reason": reason}
        try:
            await self._asgi_send(event)
        except OSError:
            raise
        except Exception:
            if not NORMAL < code < 3000:
                raise
            # Some servers (daphne) keep the protocol's own codes to themselves: 1009 becomes 4109.
            await self._asgi_send({**event, "code": code + 3100})


def _code_and_reason(event: Message) -> tuple[int, str]:
    code = event.get("code")
    return NO_CODE if code is None else code, event.get("reason") or ""
