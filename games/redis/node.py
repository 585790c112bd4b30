"""Pipelined commands to one Redis server, which is connected to again when the connection breaks.

All commands of one turn of the event loop leave in one write, and replies come in order. Nothing is
ever sent twice: when the connection breaks, every command without a reply is told so (`BROKEN`),
and its sender decides.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import hiredis

from games.redis.wire import Address, Connection, Refused, connect, greeting, pack

RETRY_FIRST, RETRY_MOST = 0.05, 1.0
STALLED: Final = 5.0
"""Seconds without any reply after which the connection is given up."""
BROKEN: Final = object()
"""Instead of a reply: the connection broke, and nobody knows whether the command was executed."""

PASSING: Final = ("LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS")
"""Errors of a server that can't serve us now; another connection may find one that can."""

OnReply = Callable[[Any], None]
Redirect = Callable[[str, bytes | None, OnReply], None]
logger = logging.getLogger(__name__)


class Node:
    """`send` never waits; its callback gets the reply, a `hiredis.ReplyError` or `BROKEN`."""

    def __init__(
        self,
        locate: Callable[[], Awaitable[Address]],
        on_connect: Callable[[Node], None] = lambda node: None,
        redirect: Redirect | None = None,
        on_read: Callable[[], None] | None = None,
    ) -> None:
        """`locate` says where to connect to, before each attempt. `redirect` takes a command that
        another node of the cluster is to carry out, with the error that says so. `on_read` is
        called after the replies that came together."""
        self.address: Address | None = None
        """The server's address, now or when there was a connection."""
        self.up = asyncio.Event()
        self.is_up = False
        self.is_cluster = False
        self.connections = 0
        """The number of connections so far."""
        self._locate = locate
        self._on_connect = on_connect
        self._redirect = redirect
        self._on_read = on_read
        self._outgoing: list[bytes] = []
        self._sent = 0
        self._unanswered: deque[tuple[OnReply, bytes | None]] = deque()
        self._connection: Connection | None = None
        self._loop = asyncio.get_running_loop()
        self._lost = asyncio.Event()
        self._closing = False
        self._task = self._loop.create_task(self._keep_connected())

    # -- sending ---------------------------------------------------------------------------------

    def mark(self) -> int:
        """Stands for all commands so far; see `has_answered`."""
        return self._sent

    def has_answered(self, mark: int) -> bool:
        """Whether every command up to this mark has its reply, or was told that it gets none."""
        return self._sent - len(self._unanswered) >= mark

    def send(self, command: bytes, on_reply: OnReply) -> None:
        """Leaves at the end of this turn of the event loop."""
        if not self.is_up:
            self._loop.call_soon(on_reply, BROKEN)
            return
        if not self._outgoing:
            self._loop.call_soon(self.flush)
        self.queue(command, on_reply)

    def queue(self, command: bytes, on_reply: OnReply, redirect: bool = True) -> None:
        """The same for a caller that has checked `is_up` and calls `flush` itself. `redirect`: send
        it to another node of the cluster if that one has the slot now; else the reply is BROKEN."""
        self._sent += 1
        self._unanswered.append((on_reply, command if redirect else None))
        self._outgoing.append(command)

    def flush(self) -> None:
        """Write what was sent and queued so far."""
        outgoing = self._outgoing
        if outgoing and self._connection is not None:
            self._connection.write(outgoing[0] if len(outgoing) == 1 else b"".join(outgoing))
        outgoing.clear()

    async def call(self, *args: str | bytes | int) -> Any:
        """One command that is harmless when it is executed twice: waits for the server, and sends
        it again after a broken connection. Raises Refused."""
        command = pack(*args)
        while True:
            await self.up.wait()
            reply = await self.ask(command)
            if reply is not BROKEN:
                return reply
            await asyncio.sleep(RETRY_FIRST)

    async def ask(self, command: bytes) -> Any:
        """One attempt: the reply, or BROKEN. Raises Refused."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self.send(command, lambda reply: None if future.done() else future.set_result(reply))
        reply = await future
        if isinstance(reply, hiredis.ReplyError):
            raise Refused(str(reply))
        return reply

    # -- replies ---------------------------------------------------------------------------------

    def _reply(self, reply: Any) -> None:
        if type(reply) is not bytes and isinstance(reply, hiredis.ReplyError):
            error = str(reply)
            word = error.partition(" ")[0]
            if word in PASSING:
                logger.warning("Redis says %s; connecting again", error)
                self._drop_connection()
                return
            if word in ("MOVED", "ASK") and self._redirect is not None:
                on_reply, command = self._unanswered.popleft()
                self._redirect(error, command, on_reply)
                return
        on_reply = self._unanswered.popleft()[0]
        try:
            on_reply(reply)
        except Exception:
            # The connection is everybody's: one that can't handle its reply must not cost it.
            logger.exception("cannot handle a reply of Redis")

    # -- connecting ------------------------------------------------------------------------------

    def check(self) -> None:
        """Called now and then: gives up a connection that doesn't answer."""
        connection = self._connection
        if connection is None or not self._unanswered:
            return
        if self._loop.time() - connection.heard > STALLED and not self._closing:
            logger.warning("Redis doesn't answer; connecting again")
            self._drop_connection()

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.abort()

    async def _keep_connected(self) -> None:
        wait = RETRY_FIRST
        while not self._closing:
            try:
                await self._connect(await self._locate())
                wait = RETRY_FIRST
                await self._lost.wait()
                await asyncio.sleep(RETRY_FIRST)
            except (OSError, Refused, TimeoutError) as error:
                logger.debug("cannot connect to Redis: %s", error)
                await asyncio.sleep(wait * random.uniform(0.5, 1.0))
                wait = min(wait * 1.6, RETRY_MOST)

    async def _connect(self, address: Address) -> None:
        replies: asyncio.Queue[Any] = asyncio.Queue()
        self._lost.clear()

        def on_reply(reply: Any) -> None:
            if self._connection is connection:
                self._reply(reply)
            else:
                replies.put_nowait(reply)

        def on_lost() -> None:
            self._lost.set()
            replies.put_nowait(None)
            if self._connection is connection:
                self._disconnected()

        connection = await connect(address, on_reply, on_lost, self._on_read)
        commands = greeting(address)
        connection.write(b"".join([*commands, pack("ROLE")]))
        answers: list[Any] = []
        try:
            async with asyncio.timeout(STALLED):
                for _ in commands:
                    answers.append(await replies.get())
                    if answers[-1] is None or isinstance(answers[-1], hiredis.ReplyError):
                        raise Refused(str(answers[-1]))
                role = await replies.get()  # an error where the command is not allowed
            hello = answers[0]
            self.is_cluster = hello[hello.index(b"mode") + 1] == b"cluster"
            self._check_role(isinstance(role, list) and role[0] == b"slave")
        except BaseException:
            connection.abort()
            raise
        self._connection = connection
        self.address = address
        self.connections += 1
        self.is_up = True
        self.up.set()
        self._on_connect(self)

    def _check_role(self, is_replica: bool) -> None:
        """Raises Refused for a server that can't be written to."""
        if is_replica:
            raise Refused("READONLY this server is a replica")

    def _disconnected(self) -> None:
        self._connection = None
        self.is_up = False
        self.up.clear()
        self._outgoing.clear()
        unanswered, self._unanswered = self._unanswered, deque()
        if not self._closing:
            logger.warning("lost the connection to Redis")
        for on_reply, _command in unanswered:
            on_reply(BROKEN)

    async def close(self) -> None:
        self._closing = True
        connection = self._connection
        if connection is not None:
            connection.abort()
            await connection.closed.wait()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
