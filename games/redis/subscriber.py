"""A subscriber connection to one Redis server that reconnects by itself.

Messages are hints and may be lost. After every reconnection, once all subscriptions are in place
again, `on_back` is called so that its owner can look for what it has missed.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Any

import hiredis

from games.redis.wire import Address, Connection, connect, greeting, pack

RETRY = 0.2
PING_EVERY, SILENT = 5.0, 12.0
BACK = b"back"
"""Pinged behind the subscriptions of a new connection: the reply says that they are in place."""

OnMessage = Callable[[bytes], None]
logger = logging.getLogger(__name__)


class Subscriber:
    def __init__(self, address: Address, on_back: Callable[[], None]) -> None:
        self.address = address
        self._on_back = on_back
        self._listeners: dict[bytes, OnMessage] = {}
        self._subscribed: dict[bytes, asyncio.Future[None]] = {}
        self._connection: Connection | None = None
        self._lost = asyncio.Event()
        self._closing = False
        self._loop = asyncio.get_running_loop()
        self._pinged = 0.0
        self._task = self._loop.create_task(self._keep_connected())

    async def listen(self, channel: str, listener: OnMessage) -> None:
        """Return once subscribed: every later message arrives while the connection lasts."""
        name = channel.encode()
        self._listeners[name] = listener
        subscribed = self._subscribed.get(name)
        if subscribed is None:
            subscribed = self._subscribed[name] = self._loop.create_future()
            if self._connection is not None:
                self._connection.write(pack("SUBSCRIBE", name))
        await asyncio.shield(subscribed)

    def forget(self, channel: str) -> None:
        name = channel.encode()
        if self._listeners.pop(name, None) is not None and self._connection is not None:
            self._connection.write(pack("UNSUBSCRIBE", name))
        self._subscribed.pop(name, None)

    def check(self) -> None:
        """Called now and then: replaces a connection that died silently."""
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
        if kind == b"message":
            listener = self._listeners.get(name)
            if listener is not None:
                try:
                    listener(data)
                except Exception:
                    logger.exception("cannot handle a message on %s", name)
        elif kind == b"subscribe":
            subscribed = self._subscribed.get(name)
            if subscribed is not None and not subscribed.done():
                subscribed.set_result(None)

    async def _keep_connected(self) -> None:
        first = True
        while not self._closing:
            self._lost.clear()
            try:
                self._connection = await connect(self.address, self._reply, self._lost.set)
            except OSError as error:
                logger.debug("cannot connect to Redis to subscribe: %s", error)
                await asyncio.sleep(RETRY * random.uniform(0.5, 1.5))
                continue
            self._pinged = self._loop.time()
            commands = greeting(self.address)
            commands += [pack("SUBSCRIBE", name) for name in self._listeners]
            if not first:
                commands.append(pack("PING", BACK))
            self._connection.write(b"".join(commands))
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
