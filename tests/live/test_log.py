"""A log and its server: one request at a time, whatever the replies and in whatever order."""

from __future__ import annotations

import asyncio
from typing import Any

import hiredis
import pytest

from games.live.counters import Sent
from games.live.log import MOST_TURNS, Batch, Log
from games.live.log import Writer as RealWriter
from games.live.proposer import MOST_COMMANDS
from games.live.row import OVER, STORED, Command, Result, Row
from games.redis.node import BROKEN


class Match:
    """Accepts everything; `stored` has the ids that are in the log already."""

    def __init__(self) -> None:
        self.applied: list[str] = []
        self.settled: dict[str, Result] = {}
        self.stored: set[str] = set()

    def check(self, command: Command, time: int) -> Result | None:
        return STORED if command.cid in self.stored else None

    def settle(self, command: Command, result: Result) -> None:
        self.settled[command.cid] = result

    def apply(self, row: Row, own: bool) -> None:
        self.applied += [command.cid for command in row.commands]

    def diverged(self) -> None:
        raise AssertionError("the log is as it was")


class Writer:
    """Notes which logs have something to do, and sends nothing by itself."""

    def __init__(self) -> None:
        self.woken = 0
        self.commands = 0
        self.published: list[Row] = []

    def wake(self, log: Log) -> None:
        self.woken += 1

    def wake_later(self, log: Log, seconds: float) -> None:
        self.woken += 1

    def publish(self, match_id: str, row: Row, others: set[str]) -> None:
        self.published.append(row)


@pytest.fixture
def match() -> Match:
    return Match()


@pytest.fixture
async def log(match: Match) -> Log:
    made = Log(Writer(), "web-1", "m", match)
    made.proposer.resume(1, 0, {"web-1"})
    return made


def send(log: Log) -> tuple[bytes, Any]:
    """The next command, and where its reply goes."""
    command = log.next_command(1_000, Sent(0.0))
    assert command is not None
    return command, log.receiver()


def move(cid: str) -> Command:
    return Command("action", 0, cid, b"{}")


async def test_a_look_waits_for_the_row_in_flight(log: Log, match: Match) -> None:
    log.append(move("a"))
    command, reply = send(log)
    assert b"XADD" in command
    log.look()
    assert log.next_command(1_000, Sent(0.0)) is None
    reply(b"2-0")
    assert match.applied == ["a"]
    command, reply = send(log)
    assert b"XRANGE" in command
    reply([])
    assert log.proposer.is_idle


async def test_a_reply_to_a_request_that_was_given_up_is_ignored(log: Log, match: Match) -> None:
    log.append(move("a"))
    _, late = send(log)
    log.broke()
    command, reply = send(log)
    assert b"XRANGE" in command
    late(b"2-0")
    assert match.applied == []
    reply([[b"1-0", [b"web-1", b"0\nsetup\n\n\n{}"]]])
    command, reply = send(log)
    assert b"XADD" in command
    reply(b"2-0")
    assert match.applied == ["a"]


async def test_a_move_behind_many_duplicates_is_not_forgotten(log: Log, match: Match) -> None:
    for number in range(2 * MOST_COMMANDS):
        match.stored.add(f"old{number}")
        log.append(move(f"old{number}"))
    log.append(move("new"))
    _, reply = send(log)
    reply(b"2-0")
    assert match.applied == ["new"]
    assert len(match.settled) == 2 * MOST_COMMANDS


async def test_an_error_of_redis_refuses_moves_and_keeps_the_rest(log: Log, match: Match) -> None:
    log.append(move("a"))
    log.append(Command("return", 0, "!back"))
    _, reply = send(log)
    reply(hiredis.ReplyError("OOM command not allowed"))
    assert match.settled["a"].code == "not_stored"
    _, reply = send(log)
    reply(b"2-0")
    assert match.applied == ["!back"]


async def test_a_fault_of_a_match_is_its_own(log: Log, match: Match, monkeypatch) -> None:
    def fails(row: Row, own: bool) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(match, "apply", fails)
    log.append(move("a"))
    _, reply = send(log)
    reply(b"2-0")  # logged, and read again later
    assert log.proposer.has_work


async def test_a_row_whose_slot_has_moved_is_proposed_again(log: Log, match: Match) -> None:
    class Node:
        def __init__(self) -> None:
            self.queued: list[tuple[bytes, Any, bool]] = []

        def queue(self, command: bytes, on_reply: Any, redirect: bool = True) -> None:
            self.queued.append((command, on_reply, redirect))

        send = queue

    node = Node()
    batch = Batch(node, 1)
    log.append(move("a"))
    command = log.next_command(1_000, Sent(0.0))
    assert command is not None
    batch.add(command, log)
    batch.wait()
    (_, moved, redirect), (_, waited, _) = node.queued
    assert not redirect
    moved(BROKEN)
    waited(1)
    assert log.proposer.in_flight is None
    command, _ = send(log)
    assert b"XRANGE" in command


async def test_waiting_for_a_match_that_is_gone_ends(log: Log) -> None:
    log.append(Command(OVER))
    _, reply = send(log)
    waiting = asyncio.ensure_future(log.refresh())
    await asyncio.sleep(0)
    reply(None)
    await asyncio.wait_for(waiting, 10)
    await asyncio.wait_for(log.refresh(), 10)


class Server:
    """A server that answers when it is told to. `writes`: the commands of each write."""

    is_up = True

    def __init__(self) -> None:
        self.nodes = [self]
        self.writes: list[list[bytes]] = []
        self._queued: list[bytes] = []
        self._unanswered: list[Any] = []
        self._sent = 0

    def node(self, number: int) -> Server:
        return self

    def mark(self) -> int:
        return self._sent

    def has_answered(self, mark: int) -> bool:
        return self._sent - len(self._unanswered) >= mark

    def queue(self, command: bytes, on_reply: Any) -> None:
        self._sent += 1
        self._queued.append(command)
        self._unanswered.append(on_reply)

    def flush(self) -> None:
        self.writes.append(self._queued)
        self._queued = []

    def answer(self, number: int) -> None:
        for on_reply in self._unanswered[:number]:
            on_reply(b"2-0")
        del self._unanswered[:number]

    def lose_connection(self) -> None:
        unanswered, self._unanswered = self._unanswered, []
        for on_reply in unanswered:
            on_reply(BROKEN)


class Fresh:
    def is_fresh(self) -> bool:
        return True

    def now(self) -> int:
        return 1_000


async def turns() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_rows_that_come_while_a_write_is_unanswered_share_the_next_one() -> None:
    server = Server()
    writer = RealWriter(server, lambda number: Fresh(), lambda *row: None)
    logs = [Log(writer, "web-1", f"m{number}", Match()) for number in range(4)]
    for log in logs:
        log.proposer.resume(1, 0, {"web-1"})
    for log in logs[:2]:
        log.append(move("a"))
    await turns()
    for log in logs[2:]:
        log.append(move("b"))
        await turns()
    assert [len(write) for write in server.writes] == [2]

    server.answer(1)
    writer.go_on()
    await turns()
    assert [len(write) for write in server.writes] == [2]  # a row is still without its reply
    server.answer(1)
    logs[0].append(move("c"))
    writer.go_on()
    await turns()
    assert [len(write) for write in server.writes] == [2, 3]

    # Commands of others hold nothing up, and a lost connection leaves nothing behind.
    server.answer(3)
    server.queue(b"GET", lambda reply: None)
    logs[1].append(move("d"))
    writer.go_on()
    await turns()
    assert len(server.writes) == 3
    logs[2].append(move("e"))
    await turns()
    server.lose_connection()
    writer.go_on()
    await turns()
    assert b"\ne\n" in server.writes[-1][-1]


async def test_a_write_waits_while_commands_come_but_not_for_ever() -> None:
    server = Server()
    writer = RealWriter(server, lambda number: Fresh(), lambda *row: None)
    logs = [Log(writer, "web-1", f"m{number}", Match()) for number in range(20)]
    for log in logs:
        log.proposer.resume(1, 0, {"web-1"})
    logs[0].append(move("a"))
    await asyncio.sleep(0)
    assert [len(write) for write in server.writes] == [1]  # alone: at once

    server.answer(1)
    logs[1].append(move("b"))
    logs[2].append(move("c"))
    await asyncio.sleep(0)
    assert len(server.writes) == 1
    logs[1].append(move("d"))  # the opponent's answer: the same row
    await turns()
    assert [len(write) for write in server.writes] == [1, 2]
    assert b"\nb\n" in server.writes[1][0]
    assert b"\nd\n" in server.writes[1][0]

    server.answer(2)
    for log in logs[3:]:
        log.append(move("e"))
        log.append(move("f"))
        await asyncio.sleep(0)
        if len(server.writes) == 3:
            break
    assert len(server.writes[2]) == MOST_TURNS + 1
