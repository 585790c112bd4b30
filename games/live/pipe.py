"""The hot path to Redis: one connection, one write per turn of the event loop, replies in order.

What was not answered when a connection broke is sent again on the next one, in the same order.
So every command must be harmless when it is carried out twice: appends have command ids, ticks
name the entry they follow, everything else sets a value.

A pipe obeys a `Gate`: while it is shut, only urgent commands are written. That is how a process
that comes back from a pause hears of outages, and tells the logs, before anything else.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable
from hashlib import sha1
from typing import Any

import hiredis

from games.live.appends import MOST, Appends, Row
from games.live.resp import Address, Connection, Refused, connect, greeting, pack

RETRY_FIRST, RETRY_MOST = 0.05, 1.0
STALLED = 5.0
"""Seconds without any answer after which the connection is given up."""

# Errors that go away: the command is kept, and sent again on a new connection.
PASSING = ("LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "NOREPLICAS")

OnReply = Callable[[Any], None]
Command = bytes | Appends
logger = logging.getLogger(__name__)


class Gate:
    """Open: all commands flow. Shut: only urgent ones. Each shutting asks for a beat."""

    def __init__(self) -> None:
        self.is_open = False
        self.pipes: list[Pipe] = []
        self.on_shut: Callable[[], None] = lambda: None
        self.is_fresh: Callable[[], bool] = lambda: True

    def lets_through(self) -> bool:
        if self.is_open and not self.is_fresh():
            self.shut()
        return self.is_open

    def shut(self) -> None:
        self.is_open = False
        self.on_shut()

    def open(self) -> None:
        self.is_open = True
        for pipe in self.pipes:
            pipe.flush_soon()


class Pipe:
    """Commands to one server. `send` never waits; the callback gets the reply, which may be a
    `hiredis.ReplyError`."""

    def __init__(
        self,
        address: Address,
        gate: Gate,
        scripts: dict[str, str],
        on_moved: Callable[[Command, OnReply, bool, str], None] | None = None,
        publish: str = "PUBLISH",
    ) -> None:
        """`on_moved` is for a node of a cluster, where each match goes its own way."""
        self.address = address
        self.facts: dict[str, Any] = {}
        """What the server said of itself: version, mode."""
        self.up = asyncio.Event()
        self._gate = gate
        self._scripts = scripts
        self._sha = sha1(scripts["append"].encode()).hexdigest()
        self._on_moved = on_moved
        self._normal: deque[tuple[Command, OnReply, bool]] = deque()
        self._urgent: deque[tuple[Command, OnReply, bool]] = deque()
        self._written: deque[tuple[Command, OnReply, bool]] = deque()
        self._appends: dict[bool, Appends] = {}
        """The last command of each queue, by urgency, as long as entries may be added to it."""
        self._most = MOST if on_moved is None else 1
        self._publish = publish
        self._connection: Connection | None = None
        self._flushing = False
        self._loop = asyncio.get_running_loop()
        self._closing = False
        self._task = self._loop.create_task(self._keep_connected())
        self._lost = asyncio.Event()
        gate.pipes.append(self)

    # -- sending ---------------------------------------------------------------------------------

    def append(self, row: Row, urgent: bool = False) -> None:
        """A row for the append script, which takes all of one turn together; entries may be added
        to it as long as `row.appends` is open."""
        appends = self._appends.get(urgent)
        if appends is None or len(appends.rows) >= self._most:
            appends = Appends(self._sha, self._publish, self._loop.time())
            self.send(appends, appends.answered, urgent)
            self._appends[urgent] = appends
        appends.rows.append(row)
        row.appends = appends

    def send(self, command: Command, on_reply: OnReply, urgent: bool = False) -> None:
        (self._urgent if urgent else self._normal).append((command, on_reply, urgent))
        if (before := self._appends.pop(urgent, None)) is not None:
            before.is_open = False  # what is appended from now on comes after this
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    async def call(self, *args: str | bytes | int, urgent: bool = False) -> Any:
        """One command, its reply awaited; raises Refused. Not for the hot path."""
        future: asyncio.Future[Any] = self._loop.create_future()

        def answered(reply: Any) -> None:
            if future.done():
                return
            if isinstance(reply, hiredis.ReplyError):
                future.set_exception(Refused(str(reply)))
            else:
                future.set_result(reply)

        self.send(pack(*args), answered, urgent)
        return await future

    def flush_soon(self) -> None:
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        if self._connection is None:
            return
        queue = self._urgent
        if self._normal and self._gate.lets_through():
            queue += self._normal
            self._normal.clear()
        if not queue:
            return
        self._urgent = deque()
        self._close_appends()
        self._written += queue
        self._connection.write(
            b"".join([c if isinstance(c, bytes) else c.packed() for c, _, _ in queue])
        )

    # -- replies ---------------------------------------------------------------------------------

    def _reply(self, reply: Any) -> None:
        # Nearly every reply is a list, which needs no second look.
        failed = type(reply) is not list and isinstance(reply, hiredis.ReplyError)
        if failed and self._handled(str(reply)):
            return
        self._written.popleft()[1](reply)

    def _handled(self, error: str) -> bool:
        """True when the command stays alive after this error."""
        word = error.partition(" ")[0]
        if word == "ERR":  # of a script; Redis 6.2 tells the reason last: "... -READONLY You can't"
            word = error.rpartition(" -")[2].partition(" ")[0]
        if word in PASSING:
            logger.warning("Redis says %s; trying again", error)
            self._drop_connection()
            return True
        if word == "NOSCRIPT":
            for text in self._scripts.values():
                self._urgent.append((pack("SCRIPT", "LOAD", text), _ignore, True))
            self.send(*self._written.popleft())
            return True
        if word in ("MOVED", "ASK") and self._on_moved is not None:
            command, on_reply, urgent = self._written.popleft()
            self._on_moved(command, on_reply, urgent, error)
            return True
        return False

    # -- connecting ------------------------------------------------------------------------------

    def check(self) -> None:
        """Called now and then: give up a connection that does not answer."""
        connection = self._connection
        if connection is None or not self._written:
            return
        if self._loop.time() - connection.heard > STALLED and not self._closing:
            logger.warning("Redis does not answer; connecting again")
            self._drop_connection()

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.abort()

    async def _keep_connected(self) -> None:
        wait = RETRY_FIRST
        while not self._closing:
            try:
                await self._connect()
                wait = RETRY_FIRST
                await self._lost.wait()
                await asyncio.sleep(RETRY_FIRST)
            except (OSError, Refused, TimeoutError) as error:
                logger.debug("no Redis: %s", error)
                await asyncio.sleep(wait * random.uniform(0.5, 1.0))
                wait = min(wait * 1.6, RETRY_MOST)

    async def _connect(self) -> None:
        replies: asyncio.Queue[Any] = asyncio.Queue()
        self._lost.clear()
        signed_in = False

        def on_reply(reply: Any) -> None:
            if signed_in:
                self._reply(reply)
            else:
                replies.put_nowait(reply)

        def on_lost() -> None:
            self._lost.set()
            replies.put_nowait(None)
            if self._connection is connection:
                self._disconnected()

        connection = await connect(self.address, on_reply, on_lost)
        said = greeting(self.address)
        said += [pack("SCRIPT", "LOAD", text) for text in self._scripts.values()]
        connection.write(b"".join(said))
        try:
            async with asyncio.timeout(STALLED):
                for i in range(len(said)):
                    reply = await replies.get()
                    if reply is None or isinstance(reply, hiredis.ReplyError):
                        raise Refused(str(reply))
                    if i == 0:
                        self.facts = _facts(reply)
        except BaseException:
            connection.abort()
            raise
        signed_in = True
        self._connection = connection
        self.up.set()
        self.flush_soon()

    def _disconnected(self) -> None:
        """Keep what was not answered; nothing of it goes out before the next beat."""
        self._connection = None
        self.up.clear()
        self._close_appends()
        back = self._written
        self._written = deque()
        for item in reversed(back):
            (self._urgent if item[2] else self._normal).appendleft(item)
        if not self._closing:
            logger.warning("lost the connection to Redis")
            self._gate.shut()

    def hand_over(self, other: Pipe) -> None:
        """Give what waits here to another node of the cluster, which knows where it belongs."""
        for command, on_reply, urgent in [*self._urgent, *self._normal]:
            other.send(command, on_reply, urgent)
        self._urgent.clear()
        self._normal.clear()
        self._close_appends()

    def _close_appends(self) -> None:
        for appends in self._appends.values():
            appends.is_open = False
        self._appends.clear()

    async def close(self) -> None:
        self._closing = True
        connection = self._connection
        if connection is not None:
            connection.abort()
            await connection.closed.wait()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def _ignore(reply: Any) -> None:
    pass


def _facts(hello: list[Any]) -> dict[str, Any]:
    def text(value: Any) -> Any:
        return value.decode() if isinstance(value, bytes) else value

    return {text(hello[i]): text(hello[i + 1]) for i in range(0, len(hello), 2)}
