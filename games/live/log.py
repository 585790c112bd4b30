"""The logs of the matches that this process hosts: carries out what their proposers decide.

Rows of all matches leave in one write per server, the next write when that one is answered: what
comes while Redis syncs its disk shares the next sync (group commit). While the event loop still
brings commands, a write waits for them: players who answer the same news then share a row, and
each of them gets one frame for all of it. With `LIVE_ACK_REPLICAS` a
`WAIT` follows each write, and nobody learns of a row before so many replicas have it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Set
from functools import partial
from typing import Any, Final

import hiredis

from games.live.counters import COUNTERS, Sent
from games.live.heartbeat import Heartbeat
from games.live.proposer import Match, Proposer
from games.live.row import NOT_STORED, Command, Row, from_stream
from games.live.stored_log import SMALLER_ID, match_key
from games.redis.node import BROKEN, Node
from games.redis.servers import Servers, slot
from games.redis.wire import bulk, pack

WAIT_MS: Final = 1000
"""The time that one WAIT waits for replicas; another one follows."""

MOST_TURNS: Final = 4
"""Turns of the event loop for which a write waits while each brings more commands."""

KNOWN: Final = 2048
AFTER_BREAK, AFTER_FAULT = 0.05, 1.0
"""Seconds before the next try: of a server that lost the connection or the slot, and of one that
answers with an error."""

KNOWN_IDS: Final = [bulk(f"{number}-0") for number in range(KNOWN)]
"""The ids of the first rows, as Redis reads them."""

Publish = Callable[[str, Row, Set[str]], None]
"""Is called with the match, a row that this process stored, and the other hosts."""
logger = logging.getLogger(__name__)


class Writer:
    """One per process."""

    def __init__(
        self,
        servers: Servers,
        heartbeat: Callable[[int], Heartbeat],
        publish: Publish,
        replicas: int = 0,
    ) -> None:
        """`heartbeat`: of the server that has a slot; it knows the clock, and whether anything may
        be appended. `replicas`: how many must have a row before anybody learns of it."""
        self.servers = servers
        self.publish = publish
        self._heartbeat = heartbeat
        self._replicas = replicas
        self._due: list[Log] = []
        """To be looked at, at the end of this turn."""
        self._held: list[Log] = []
        """The same, once their server has answered the last rows."""
        self.commands = 0
        """Appended so far, to any log."""
        self._marks: dict[Node, int] = {}
        """Of each server that was written to: what it has to answer before the next rows."""
        self._loop = asyncio.get_running_loop()

    def wake(self, log: Log) -> None:
        """This log may have something to propose or to read, at the end of the turn."""
        if not log.is_due:
            log.is_due = True
            if not self._due:
                self._loop.call_soon(self._gather, self.commands, MOST_TURNS)
            self._due.append(log)

    def wake_later(self, log: Log, seconds: float) -> None:
        self._loop.call_later(seconds, self.wake, log)

    def go_on(self) -> None:
        """A server has answered, or there is a new connection: look again at what waits for one.
        Those who have just been told of their rows may answer at once, so wait for them."""
        if self._held:
            if not self._due:
                self._loop.call_soon(self._gather, -1, MOST_TURNS)
            self._due += self._held
            self._held.clear()

    def _gather(self, commands: int, turns: int) -> None:
        """Write what is due, once a turn has brought no more commands than there were."""
        if turns and self.commands != commands:
            self._loop.call_soon(self._gather, self.commands, turns - 1)
        else:
            self.flush()

    def flush(self) -> None:
        """Send what is due, except to servers that can't be reached or haven't answered yet."""
        due, self._due = self._due, []
        sent, batches = Sent(time.monotonic()), dict[Node, Batch]()
        last, now, may_write, written = None, 0, False, set[Node]()
        busy = [node for node, mark in self._marks.items() if not node.has_answered(mark)]
        for log in due:
            node = self.servers.node(log.slot)
            if node in busy:
                self._held.append(log)
                continue
            log.is_due = False
            if node is not last:
                heartbeat = self._heartbeat(log.slot)
                # If not, the new connection or the next heartbeat wakes all logs of the server.
                last, may_write = node, node.is_up and heartbeat.is_fresh()
                now = heartbeat.now()
            if not may_write:
                continue
            try:
                command = log.next_command(now, sent)
            except Exception:
                logger.exception("match %s: cannot propose a row", log.id)
                continue
            if command is None:
                continue
            if self._replicas:
                batch = batches.get(node) or batches.setdefault(node, Batch(node, self._replicas))
                batch.add(command, log)
            else:
                node.queue(command, log.receiver())
            written.add(node)
        for batch in batches.values():
            batch.wait()
        for node in written:
            self._marks[node] = node.mark()
            node.flush()

    async def confirm(self, log_key: str) -> None:
        """Return once enough replicas have everything written so far on this key's server."""
        if self._replicas:
            wait = pack("WAIT", self._replicas, WAIT_MS)
            while True:
                # WAIT counts the writes of its own connection, so there has to be one.
                await self.servers.call("SET", _sync_key(log_key), 1, "EX", 60)
                reply = await self.servers.node(slot(log_key)).ask(wait)
                if reply is not BROKEN and reply >= self._replicas:
                    return


class Batch:
    """The commands of one write, whose replies are held back until enough replicas have it all."""

    def __init__(self, node: Node, replicas: int) -> None:
        self._node = node
        self._replicas = replicas
        self._held: list[tuple[Callable[[Any], None], Any]] = []
        self._warned = False

    def add(self, command: bytes, log: Log) -> None:
        receive = log.receiver()
        # Not redirected: the replicas of another node would have to be waited for, too.
        self._node.queue(command, lambda reply: self._held.append((receive, reply)), redirect=False)
        if log.is_reading:
            # What was read must be on the replicas too, and WAIT counts only our own writes.
            self._node.send(pack("SET", _sync_key(log.key), 1, "EX", 60), lambda reply: None)

    def wait(self) -> None:
        self._node.send(pack("WAIT", self._replicas, WAIT_MS), self._waited)

    def _waited(self, reply: Any) -> None:
        if type(reply) is int and reply < self._replicas:
            if not self._warned:
                self._warned = True
                logger.warning("only %d replicas have the last moves; waiting", reply)
            self.wait()
            return
        held, self._held = self._held, []
        for receive, answer in held:
            receive(answer if type(reply) is int else BROKEN)


def _sync_key(log_key: str) -> str:
    return f"{log_key.removesuffix('log')}sync"


class Log:
    """One match's log. Appending never waits: a callback gets each command's result later."""

    __slots__ = (
        "_head",
        "_idle",
        "_process",
        "_reading_from",
        "_refreshed",
        "_request",
        "_sent",
        "_writer",
        "id",
        "is_due",
        "key",
        "on_gone",
        "proposer",
        "slot",
    )

    def __init__(self, writer: Writer, process: str, match_id: str, match: Match) -> None:
        self.id = match_id
        self.key = match_key(match_id, "log")
        self.slot = slot(self.key)
        self.proposer = Proposer(process, match)
        self.is_due = False
        self.on_gone: Callable[[], None] = lambda: None
        self._writer = writer
        self._head = b"*6\r\n" + bulk("XADD") + bulk(self.key) + bulk("NOMKSTREAM")
        self._process = bulk(process)
        self._reading_from: int | None = None
        self._request = 0
        """Counts the commands sent; the reply to one that was given up is ignored."""
        self._refreshed: list[asyncio.Future[None]] = []
        self._sent = Sent(0.0)
        self._idle: list[asyncio.Future[None]] = []

    def append(self, command: Command, first: bool = False) -> None:
        """`first`: before everything that waits."""
        if first:
            self.proposer.waiting.insert(0, command)
        else:
            self.proposer.waiting.append(command)
        self._writer.commands += 1
        if not self.is_due:
            self._writer.wake(self)

    def has(self, seat: int | None, cid: str) -> bool:
        """Whether such a command is on its way."""
        row = self.proposer.in_flight
        under_way = [*self.proposer.waiting, *(row.commands if row is not None else ())]
        return any(command.seat == seat and command.cid == cid for command in under_way)

    def hint(self, row: Row) -> None:
        """Another process says that it stored this row."""
        self.proposer.hint(row)
        self._writer.wake(self)

    def look(self) -> None:
        """Read what may have been missed."""
        self.proposer.look()
        self._writer.wake(self)

    async def refresh(self) -> None:
        """Return when everything is applied that is in the log now."""
        if self.proposer.is_closed:
            return
        future = asyncio.get_running_loop().create_future()
        self._refreshed.append(future)
        self.look()
        await future

    async def idle(self) -> None:
        """Return when every command has its result."""
        if not self.proposer.is_idle and not self.proposer.is_closed:
            future = asyncio.get_running_loop().create_future()
            self._idle.append(future)
            await future

    def broke(self) -> None:
        """There is a new connection to the server that has this log."""
        self._give_up_request()
        self.proposer.broke()
        self._writer.wake(self)

    def replaced(self, match: Match) -> None:
        """The match was built again from the whole log: go on with a proposer of its own, and the
        commands that wait."""
        old = self.proposer
        self.proposer = Proposer(old.process, match)
        self.proposer.waiting = old.take_all()

    def close(self) -> None:
        """The match leaves this process."""
        self.proposer.close()
        self.proposer.take_all()  # commands lead back to their senders
        self._resolve(self._refreshed)
        self._resolve(self._idle)

    def send(self, name: str, key_name: str, *args: str | bytes | int) -> None:
        """A command for another key of the match; nobody needs the answer."""
        node = self._writer.servers.node(self.slot)
        node.send(pack(name, match_key(self.id, key_name), *args), lambda reply: None)

    # -- called by the writer --------------------------------------------------------------------

    @property
    def is_reading(self) -> bool:
        return self._reading_from is not None

    def next_command(self, now: int, sent: Sent) -> bytes | None:
        """A read, a proposal, or nothing."""
        proposer = self.proposer
        first = proposer.next_read()
        if first is None:
            row = proposer.propose(now)
            if row is not None:
                self._sent = sent
                number, value = row.number, row.encode()
                return b"%b%b%b$%d\r\n%b\r\n" % (
                    self._head,
                    KNOWN_IDS[number] if number < KNOWN else bulk(f"{number}-0"),
                    # A row that is restored may be another process's.
                    self._process if row.process is proposer.process else bulk(row.process),
                    len(value),
                    value,
                )
            first = proposer.next_read()  # a doubtful command asks for one
            if first is None:
                self._check_idle()
                return None
        self._reading_from = first
        return pack("XRANGE", self.key, f"{first}-0", "+")

    def receiver(self) -> Callable[[Any], None]:
        """Receives the reply to the command that is sent now."""
        self._request += 1
        return partial(self._receive, self._request)

    def _receive(self, request: int, reply: Any) -> None:
        if request != self._request:
            return
        try:
            self.answered(reply)
        except Exception:
            logger.exception("match %s: cannot handle a reply of Redis", self.id)
            self._give_up_request()
            self.proposer.broke()
            self._writer.wake_later(self, AFTER_FAULT)

    def _give_up_request(self) -> None:
        self._request += 1
        self._reading_from = None

    def answered(self, reply: Any) -> None:
        """Redis' reply to the last command."""
        proposer = self.proposer
        if self._reading_from is not None:
            if not self._read(self._reading_from, reply):
                return
        elif type(reply) is bytes:
            row = proposer.in_flight
            COUNTERS.answered(self._sent)
            proposer.stored()
            if proposer.others:
                self._publish(row)
        elif reply is BROKEN:
            proposer.broke()
            self._writer.wake_later(self, AFTER_BREAK)
            return
        elif reply is None:
            proposer.close()
            self._resolve(self._refreshed)
            self.on_gone()
        elif str(reply).startswith(SMALLER_ID):
            proposer.refused()
        else:
            logger.error("match %s: cannot store a row: %s", self.id, reply)
            proposer.failed(NOT_STORED)
            self._writer.wake_later(self, AFTER_FAULT)
            return
        if proposer.waiting or proposer.has_work:
            self._writer.wake(self)
        elif self._idle:
            self._check_idle()

    def _read(self, first: int, reply: Any) -> bool:
        """False: it has to be tried again later."""
        self._reading_from = None
        if reply is BROKEN or isinstance(reply, hiredis.ReplyError):
            if reply is not BROKEN:
                logger.error("match %s: cannot read the log: %s", self.id, reply)
            self.proposer.broke()
            self._writer.wake_later(self, AFTER_BREAK if reply is BROKEN else AFTER_FAULT)
            return False
        for row in self.proposer.read(first, [from_stream(item) for item in reply]):
            self._publish(row)
        self._resolve(self._refreshed)
        return True

    def _publish(self, row: Row | None) -> None:
        if row is not None and self.proposer.others:
            self._writer.publish(self.id, row, self.proposer.others)

    def _check_idle(self) -> None:
        if self.proposer.is_idle or self.proposer.is_closed:
            self._resolve(self._idle)

    @staticmethod
    def _resolve(futures: list[asyncio.Future[None]]) -> None:
        for future in futures:
            if not future.done():
                future.set_result(None)
        futures.clear()
