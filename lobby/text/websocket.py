"""The text protocols over WebSockets, a frame per message.

Any Origin is allowed here, or none: no cookie is read, so there is nothing for a foreign page to
misuse. Plain ASGI: these sockets are few, and the code has to distinguish binary from text frames.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from games.engine.mode import Mode
from games.live.host import host
from lobby.text.limits import FIRST_LINE_SECONDS, IDLE_SECONDS, LINE_BYTES, RateLimit
from lobby.text.protocols import client_of


class TextSocket(AsyncWebsocketConsumer):
    """One client: frames to its driver within the limits; what it is sent leaves in order."""

    def __init__(self, mode: Mode) -> None:
        super().__init__()
        self._mode = mode
        self._has_hung_up = False

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Messages of the client need none of Channels' care for database connections, which costs
        more than most of them; those that come too late are dropped."""
        if message["type"] != "websocket.receive":
            await super().dispatch(message)
        elif not self._has_hung_up:
            await self.websocket_receive(message)

    async def connect(self) -> None:
        await self.accept()
        protocol = self._mode.text
        assert protocol is not None
        self._rate_limit = RateLimit(time.monotonic(), protocol.messages_per_second, protocol.burst)
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue(protocol.outbox)
        self._writer = asyncio.create_task(self._write())
        self._watch = asyncio.get_running_loop().call_later(FIRST_LINE_SECONDS, self._idle)
        self._client = client_of(self._mode, self._say, self._hang_up)
        await self._client.open()

    def _say(self, line: str) -> None:
        try:
            self._outbox.put_nowait(line)
        except asyncio.QueueFull:
            self._hang_up()

    def _hang_up(self) -> None:
        self._has_hung_up = True
        if self._outbox.full():
            self._outbox.get_nowait()
        self._outbox.put_nowait(None)

    async def _write(self) -> None:
        while (line := await self._outbox.get()) is not None:
            await self.send(text_data=line)
        await self.close()

    def _idle(self) -> None:
        if self._client.session.busy:
            self._rearm()
            return
        self._complain("no message for too long")
        self._hang_up()

    def _rearm(self) -> None:
        self._watch.cancel()
        self._watch = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._idle)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        self._rearm()
        if bytes_data is not None or text_data is None:
            self._complain("send text frames")
        elif len(text_data.encode()) > LINE_BYTES:
            self._rate_limit.too_long()
            self._complain(f"a message has at most {LINE_BYTES} bytes")
        elif self._client.is_echo(text_data):
            await self._client.message(text_data)
            await asyncio.sleep(0)  # they come by the thousand: others have their turn between two
        elif self._rate_limit.too_fast(time.monotonic()):
            self._complain("too many messages; slow down")
        else:
            await self._client.message(text_data)
        if self._rate_limit.exhausted:
            self._hang_up()

    def _complain(self, text: str) -> None:
        self._say(self._client.session.complaint(text))

    async def disconnect(self, code: Any) -> None:
        self._watch.cancel()
        self._hang_up()
        await self._client.lost(by_outage=host().drain.has_begun)
        self._writer.cancel()
