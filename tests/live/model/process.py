"""A web process in the model: a log, its copy of the match, a connection to Redis."""

from __future__ import annotations

from typing import Any, NamedTuple

import hiredis

from games.live.counters import Sent
from games.live.log import Log
from games.live.proposer import Proposer
from games.live.row import JOIN, OVER, STORED, Command, Result, Row, decode
from games.redis.node import BROKEN
from tests.live.model.redis import Item, Redis

TICK, ACTION = "tick", "action"
LAST_MOVE = "last move"
"""The id of the action that decides the match; an `over` row follows it."""
ILLEGAL = Result("illegal", "Not in this state.", is_final=False)
STALE = Result("stale", "That tick is in the log.")
ENDED = Result("over", "The match is over.")
NOT_HERE = Result("gone", "The match is gone.")


class Broken(AssertionError):
    """The protocol broke a promise."""


class Answer(NamedTuple):
    process: str
    cid: str
    result: Result


class Copy:
    """The match: commands count once, some need another one before them, ticks have numbers."""

    def __init__(self, process: str) -> None:
        self.process = process
        self.items: list[Item] = []
        self.cids: list[str] = []
        self.ticks = 0
        self.is_decided = False
        self.is_over = False
        self.has_diverged = False
        self.answers: list[Answer] = []
        """Since they were last collected."""

    def check(self, command: Command, time: int) -> Result | None:
        if command.cid in self.cids:
            return STORED
        if self.is_over or (self.is_decided and command.kind != OVER):
            return ENDED
        if command.kind == TICK:
            return None if int(command.data) == self.ticks else STALE
        if command.kind == ACTION and command.data and command.data.decode() not in self.cids:
            return ILLEGAL
        return None

    def settle(self, command: Command, result: Result) -> None:
        if command.kind == ACTION:
            self.answers.append(Answer(self.process, command.cid, result))

    def apply(self, row: Row, own: bool) -> None:
        item = Item(row.number, row.process, row.encode())
        if self.items and row.number != self.items[-1].number + 1:
            raise Broken(f"{self.process} applied row {row.number} after {self.items[-1].number}")
        self.items.append(item)
        for command in row.commands:
            if self.is_over:
                raise Broken(f"{command.kind} {command.cid} was written after the end")
            if command.kind == TICK:
                if int(command.data) != self.ticks:
                    raise Broken(f"tick {int(command.data)} fired twice")
                self.ticks += 1
            if command.cid == LAST_MOVE:
                self.is_decided = True
            if command.kind == OVER:
                self.is_over = True
            if command.cid:
                if command.cid in self.cids:
                    raise Broken(f"command {command.cid} is in the log twice")
                self.cids.append(command.cid)
            if own:
                self.settle(command, STORED)

    def diverged(self) -> None:
        self.has_diverged = True


SENT = Sent(0.0)


class Request(NamedTuple):
    """A request of a process to Redis: a row to add, or a read from a row on; then the reply."""

    item: Item | None = None
    first: int = 0
    wait_for: int = 0
    """Replicas must have so many rows before the reply comes (WAIT)."""
    reply: Any = None


def parsed(command: bytes) -> Request:
    reader = hiredis.Reader()
    reader.feed(command)
    name, _key, *words = reader.gets()
    if name == b"XRANGE":
        return Request(first=int(words[0].partition(b"-")[0]))
    assert name == b"XADD"
    _nomkstream, number, process, value = words
    return Request(Item(int(number.partition(b"-")[0]), process.decode(), value))


class Process:
    """Drives a log as the runtime's `Writer` does, with a connection that the world may break:
    commands leave one at a time, replies come in order and don't say what they answer. Subclasses
    make mistakes."""

    proposer_class: type[Proposer] = Proposer
    copy_class: type[Copy] = Copy
    nomkstream = True

    def __init__(self, name: str, ack_replicas: int, skew: int = 0) -> None:
        """Acknowledgements wait for so many replicas; its clock differs by `skew`."""
        self.name = name
        self.commands = 0
        self.ack_replicas = ack_replicas
        self.skew = skew
        self.copy = self.copy_class(name)
        self.log = Log(self, name, "match", self.copy)
        self.log.proposer = self.proposer_class(name, self.copy)
        self.log.on_gone = self.give_up
        self.requests: list[Request] = []
        """Sent, in order; the first one is the next that Redis carries out."""
        self.replies: list[Request] = []
        self.hints: list[Item] = []
        self.missed_hint = False
        """A hint was lost, and nothing was read since: only a look at the log can tell."""
        self.published: list[tuple[str, Item]] = []
        self.has_joined = False
        self.log.look()
        self.drive(0)

    @property
    def proposer(self) -> Proposer:
        return self.log.proposer

    # -- what the log asks of its writer -----------------------------------------------------------

    def wake(self, log: Log) -> None:
        log.is_due = True

    def wake_later(self, log: Log, seconds: float) -> None:
        log.is_due = True

    def publish(self, match_id: str, row: Row, others: set[str]) -> None:
        item = Item(row.number, row.process, row.encode())
        self.published += [(other, item) for other in sorted(others)]

    # -- what the process does by itself -----------------------------------------------------------

    def drive(self, now: int) -> None:
        """Send what is due, as at the end of a turn of the event loop."""
        if not self.has_joined and self.copy.items:
            self.has_joined = True
            self.append(Command(JOIN, cid=f"join {self.name}"))
        if self.copy.is_decided and not self.copy.is_over:
            self.append(Command(OVER, cid="over"))
        if self.log.is_due:
            self.log.is_due = False
            command = self.log.next_command(now + self.skew, SENT)
            if command is not None:
                self.requests.append(parsed(command))

    def submit(self, command: Command, now: int) -> None:
        if self.proposer.is_closed:
            self.copy.settle(command, NOT_HERE)  # its socket was closed when the match went
            return
        self.append(command)
        self.drive(now)

    def append(self, command: Command) -> None:
        """A command that is on its way already isn't taken twice, and there is one tick at most."""
        flying = self.proposer.in_flight.commands if self.proposer.in_flight else []
        known = [(each.kind, each.cid) for each in [*self.proposer.waiting, *flying]]
        if (command.kind, command.cid) not in known:
            self.log.append(command)

    def look(self, now: int) -> None:
        self.missed_hint = False
        self.log.look()
        self.drive(now)

    def hear_hint(self, now: int) -> None:
        self.log.hint(decode(*self.hints.pop(0)))
        self.drive(now)

    def hear_reply(self, now: int) -> None:
        self.log.answered(self.replies.pop(0).reply)
        self.drive(now)

    def break_connection(self, now: int) -> None:
        """Every request without a reply is told so, then there is a new connection."""
        unanswered = len(self.requests) + len(self.replies)
        self.requests.clear()
        self.replies.clear()
        for _ in range(unanswered):
            self.log.answered(BROKEN)
        self.log.broke()
        self.drive(now)

    def rows_sent(self) -> list[Item]:
        """Rows that Redis hasn't carried out yet."""
        return [each.item for each in self.requests if each.item and not each.wait_for]

    # -- what Redis does with its requests ---------------------------------------------------------

    def can_execute(self, store: Redis) -> bool:
        if not self.requests:
            return False
        waits_for = self.requests[0].wait_for
        return not waits_for or store.wait(waits_for, self.ack_replicas)

    def execute(self, store: Redis) -> None:
        request = self.requests.pop(0)
        if request.wait_for:
            store.durable = max(store.durable, request.wait_for)
            self.replies.append(request)
            return
        if request.item is None:
            self.missed_hint = False
            reply: Any = store.xrange(request.first)
        else:
            reply = store.xadd(request.item, self.nomkstream)
        request = request._replace(reply=reply)
        if self.must_wait(request):
            self.requests.insert(0, request._replace(wait_for=store.length()))
        else:
            self.replies.append(request)

    def must_wait(self, request: Request) -> bool:
        """Acknowledged is what so many replicas have, and so is what a read shows as stored."""
        return self.ack_replicas > 0 and isinstance(request.reply, (bytes, list))

    def give_up(self) -> None:
        """The match is gone: nothing that waits will be stored."""
        for command in self.proposer.take_all():
            self.copy.settle(command, NOT_HERE)
