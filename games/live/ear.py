"""Hearing what other processes publish: one subscriber connection to one server.

A message is a hint and may be lost. After every new connection, as soon as all is heard again,
`on_back` is called, so that the host looks for itself.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Any

import hiredis

from games.live.resp import Address, Connection, connect, greeting, pack

RETRY = 0.2
PING_EVERY, SILENT = 5.0, 12.0
BACK = b"back"
"""Asked for behind the subscriptions of a new connection: when it comes, they hold."""

OnMessage = Callable[[bytes], None]
logger = logging.getLogger(__name__)


class Ear:
    def __init__(self, address: Address, on_back: Callable[[], None], sharded: bool) -> None:
        self.address = address
        self._on_back = on_back
        self._verb = "SSUBSCRIBE" if sharded else "SUBSCRIBE"
        self._un = "SUNSUBSCRIBE" if sharded else "UNSUBSCRIBE"
        self._listeners: dict[bytes, OnMessage] = {}
        self._heard_of: dict[bytes, asyncio.Future[None]] = {}
        self._connection: Connection | None = None
        self._lost = asyncio.Event()
        self._closing = False
        self._loop = asyncio.get_running_loop()
        self._pinged = 0.0
        self._task = self._loop.create_task(self._keep_connected())

    async def listen(self, channel: str, listener: OnMessage) -> None:
        """Return when every message from now on will be heard, as long as the connection holds."""
        name = channel.encode()
        self._listeners[name] = listener
        heard = self._heard_of.get(name)
        if heard is None:
            heard = self._heard_of[name] = self._loop.create_future()
            if self._connection is not None:
                self._connection.write(pack(self._verb, name))
        await asyncio.shield(heard)

    def forget(self, channel: str) -> None:
        name = channel.encode()
        if self._listeners.pop(name, None) is not None and self._connection is not None:
            self._connection.write(pack(self._un, name))
        self._heard_of.pop(name, None)

    def check(self) -> None:
        """Called now and then: a connection that died silently is replaced."""
        connection, now = self._connection, self._loop.time()
        if connection is None:
            return
        if now - connection.heard > SILENT:
            connection.abort()
        elif now - self._pinged > PING_EVERY:
            self._pinged = now
            connection.write(pack("PING"))

    def _reply(self, reply: Any) -> None:
        if isinstance(reply, hiredis.ReplyError):
            logger.warning("subscriber: %s", reply)
            if self._connection is not None:
                self._connection.abort()
            return
        if reply == BACK or reply == [b"pong", BACK]:
            self._on_back()
        if not isinstance(reply, list) or len(reply) != 3:
            return
        kind, name, data = reply
        if kind in (b"message", b"smessage"):
            listener = self._listeners.get(name)
            if listener is not None:
                listener(data)
        elif kind in (b"subscribe", b"ssubscribe"):
            heard = self._heard_of.get(name)
            if heard is not None and not heard.done():
                heard.set_result(None)

    async def _keep_connected(self) -> None:
        first = True
        while not self._closing:
            self._lost.clear()
            try:
                self._connection = await connect(self.address, self._reply, self._lost.set)
            except OSError as error:
                logger.debug("no Redis to listen to: %s", error)
                await asyncio.sleep(RETRY * random.uniform(0.5, 1.5))
                continue
            self._pinged = self._loop.time()
            said = greeting(self.address)
            said += [pack(self._verb, name) for name in self._listeners]
            if not first:
                said.append(pack("PING", BACK))
            self._connection.write(b"".join(said))
            first = False
            await self._lost.wait()
            self._connection = None
            await asyncio.sleep(0 if self._closing else RETRY * random.uniform(0.5, 1.5))

    async def close(self) -> None:
        self._closing = True
        connection = self._connection
        if connection is not None:
            connection.abort()
            await connection.closed.wait()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
