"""The text protocols over WebSockets, a frame per message.

Any Origin is allowed here, or none: no cookie is read, so there is nothing for a foreign page to
misuse. Plain ASGI: these sockets are few, and a binary frame must be told from a text one.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from lobby.text.limits import (
    FIRST_LINE_SECONDS,
    IDLE_SECONDS,
    LINE_BYTES,
    LINES_PER_SECOND,
    Manners,
)
from lobby.text.queued import Driver as BattleshipDriver
from lobby.text.roomed import Driver as AreaAttackDriver


class TextSocket(AsyncWebsocketConsumer):
    """One client: frames to its driver within the limits; what it is sent leaves in order."""

    rate = burst = LINES_PER_SECOND
    outbox_limit = 1024

    async def connect(self) -> None:
        await self.accept()
        self._manners = Manners(time.monotonic(), self.rate, self.burst)
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue(self.outbox_limit)
        self._writer = asyncio.create_task(self._write())
        self._watch = asyncio.get_running_loop().call_later(FIRST_LINE_SECONDS, self._idle)
        await self.begin()

    async def begin(self) -> None:
        raise NotImplementedError

    def _say(self, line: str) -> None:
        try:
            self._outbox.put_nowait(line)
        except asyncio.QueueFull:
            self._hang_up()

    def _hang_up(self) -> None:
        if self._outbox.full():
            self._outbox.get_nowait()
        self._outbox.put_nowait(None)

    async def _write(self) -> None:
        while (line := await self._outbox.get()) is not None:
            await self.send(text_data=line)
        await self.close()

    @property
    def busy(self) -> bool:
        """In a match: it may be silent for long."""
        raise NotImplementedError

    def _idle(self) -> None:
        if self.busy:
            self._rearm()
            return
        self.complain("no message for too long")
        self._hang_up()

    def _rearm(self) -> None:
        self._watch.cancel()
        self._watch = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._idle)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        self._rearm()
        if bytes_data is not None or text_data is None:
            self.complain("send text frames")
        elif len(text_data.encode()) > LINE_BYTES:
            self._manners.too_long()
            self.complain(f"a message has at most {LINE_BYTES} bytes")
        elif self._manners.too_fast(time.monotonic()):
            self.complain("too many messages; slow down")
        else:
            await self.frame(text_data)
        if self._manners.out_of_patience:
            self._hang_up()

    def complain(self, text: str) -> None:
        raise NotImplementedError

    async def frame(self, text: str) -> None:
        raise NotImplementedError

    async def disconnect(self, code: Any) -> None:
        self._watch.cancel()
        self._hang_up()
        await self.gone()
        self._writer.cancel()

    async def gone(self) -> None:
        raise NotImplementedError


class BattleshipText(TextSocket):
    """`/ws/text/battleship/`: a line to a frame."""

    async def begin(self) -> None:
        self._driver = BattleshipDriver(self._say, self._hang_up)

    @property
    def busy(self) -> bool:
        return self._driver.busy

    def complain(self, text: str) -> None:
        self._say(f"ERRO {text}")

    async def frame(self, text: str) -> None:
        await self._driver.line(text.strip("\r\n").encode("utf-8", "replace"))

    async def gone(self) -> None:
        await self._driver.lost()


class AreaAttackText(TextSocket):
    """`/ws/text/area-attack/`: bursts of claims are part of the game, and floods are sent cell by
    cell, so both limits are wider. 50 a second may arrive in heaps: a network, or this process, may
    have been busy for a moment."""

    rate = 50
    burst = 150
    outbox_limit = 30_000

    async def begin(self) -> None:
        self._driver = AreaAttackDriver(self._say)
        await self._driver.open()

    @property
    def busy(self) -> bool:
        return self._driver.busy

    def complain(self, text: str) -> None:
        self._say(self._driver.complaint(text))

    async def frame(self, text: str) -> None:
        await self._driver.frame(text)

    async def gone(self) -> None:
        await self._driver.lost()
