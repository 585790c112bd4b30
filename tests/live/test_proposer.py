"""The protocol of the log, step by step: proposals, refusals, broken connections, fail-over."""

from __future__ import annotations

import pytest

from games.live.proposer import KEPT_ROWS, MOST_COMMANDS, Proposer
from games.live.row import JOIN, PART, STORED, Command, Result, Row, decode

ILLEGAL = Result("illegal", "Not now.", is_final=False)


class Redis:
    """One stream: an id must be above the last one."""

    def __init__(self, *rows: Row) -> None:
        self.rows = {row.number: row for row in rows}

    def add(self, row: Row) -> bool:
        if row.number <= max(self.rows, default=0):
            return False
        self.rows[row.number] = decode(row.number, row.process, row.encode())
        return True

    def since(self, first: int) -> list[Row]:
        return [row for number, row in sorted(self.rows.items()) if number >= first]


class Process:
    """A proposer and the match that it feeds; `illegal` holds the ids that the rules refuse."""

    def __init__(self, name: str, redis: Redis) -> None:
        self.redis = redis
        self.ids: list[str] = []
        self.settled: dict[str, Result] = {}
        self.acknowledged: list[str] = []
        self.illegal: set[str] = set()
        self.has_diverged = False
        self.proposer = Proposer(name, self)
        self.proposer.resume(1, 0, set())

    def check(self, command: Command, time: int) -> Result | None:
        if command.cid in self.ids:
            return STORED
        return ILLEGAL if command.cid in self.illegal else None

    def settle(self, command: Command, result: Result) -> None:
        self.settled[command.cid] = result

    def apply(self, row: Row, own: bool) -> None:
        for command in row.commands:
            self.ids.append(command.cid)
            if own:
                self.acknowledged.append(command.cid)

    def diverged(self) -> None:
        self.has_diverged = True

    def append(self, *cids: str) -> None:
        for cid in cids:
            self.proposer.append(Command("action", 0, cid, b"{}"))

    def read(self) -> bool:
        first = self.proposer.next_read()
        if first is None:
            return False
        self.proposer.read(first, self.redis.since(first))
        return True

    def settle_all(self, now: int = 1) -> None:
        """Until there is nothing left to do."""
        for _ in range(100):
            if self.read():
                continue
            row = self.proposer.propose(now)
            if row is None:
                return
            if self.redis.add(row):
                self.proposer.stored()
            else:
                self.proposer.refused()
        raise AssertionError("it never comes to rest")


@pytest.fixture
def redis() -> Redis:
    return Redis(Row(1, "maker", 0, [Command("setup")]))


@pytest.fixture
def web(redis: Redis) -> Process:
    return Process("web", redis)


@pytest.fixture
def other(redis: Redis) -> Process:
    return Process("other", redis)


def ids(redis: Redis) -> list[str]:
    return [command.cid for row in redis.since(2) for command in row.commands]


def test_commands_of_one_turn_are_one_row_and_acknowledged_once_it_is_stored(web, redis):
    web.append("a", "b")
    row = web.proposer.propose(7)
    assert (row.number, row.time, web.acknowledged) == (2, 7, [])
    web.append("c")
    assert web.proposer.propose(7) is None  # one row in flight
    redis.add(row)
    web.proposer.stored()
    assert web.acknowledged == ["a", "b"]
    web.settle_all()
    assert ids(redis) == web.acknowledged == ["a", "b", "c"]


def test_a_refused_row_is_proposed_again_behind_what_it_lacked(web, other, redis):
    web.append("a")
    other.append("b")
    row = other.proposer.propose(1)
    web.settle_all()
    assert not redis.add(row)
    other.proposer.refused()
    assert other.proposer.propose(1) is None  # read first
    other.settle_all()
    assert ids(redis) == other.ids == ["a", "b"]
    assert other.acknowledged == ["b"]


def test_a_command_that_another_process_stored_is_not_stored_again(web, other, redis):
    web.append("a")
    web.settle_all()
    other.append("a")
    other.settle_all()
    assert ids(redis) == ["a"]
    assert other.settled == {"a": STORED}


def test_a_broken_connection_is_followed_by_a_read(web, redis):
    """Stored or not, the row's command is in the log once and acknowledged."""
    for cid, arrived in (("a", True), ("b", False)):
        web.append(cid)
        row = web.proposer.propose(1)
        if arrived:
            redis.add(row)
        web.proposer.broke()
        assert web.proposer.propose(1) is None
        web.settle_all()
    assert ids(redis) == web.ids == ["a", "b"]
    assert web.settled == {"a": STORED}
    assert web.acknowledged == ["b"]


def test_a_row_that_arrives_late_from_the_old_connection_counts_once(web, redis):
    web.append("a")
    late = web.proposer.propose(1)
    web.proposer.broke()
    assert web.read()
    web.append("b")
    again = web.proposer.propose(1)
    assert redis.add(late)
    assert not redis.add(again)
    web.proposer.refused()
    web.settle_all()
    assert ids(redis) == ["a", "b"]
    assert web.settled == {"a": STORED}


def test_time_never_goes_back(web, redis):
    web.append("a")
    web.settle_all(now=50)
    web.append("b")
    web.settle_all(now=40)
    assert [row.time for row in redis.since(2)] == [50, 50]


def test_an_illegal_command_is_refused_only_after_a_look_at_the_log(web, other, redis):
    other.append("a")
    other.settle_all()
    web.illegal = {"a", "x"}
    web.append("a", "x")
    assert web.proposer.propose(1) is None
    web.settle_all()
    assert web.settled == {"a": STORED, "x": ILLEGAL}
    assert ids(redis) == ["a"]


def test_an_illegal_command_waits_for_the_commands_before_it(web, redis):
    web.illegal = {"b"}
    web.append("a", "b", "c")
    row = web.proposer.propose(1)
    assert [command.cid for command in row.commands] == ["a"]
    redis.add(row)
    web.illegal = set()  # it was "a" that made it legal
    web.proposer.stored()
    web.settle_all()
    assert ids(redis) == ["a", "b", "c"]


def test_a_row_is_not_longer_than_the_most(web, redis):
    web.append(*(str(number) for number in range(MOST_COMMANDS + 5)))
    web.settle_all()
    assert [len(row.commands) for row in redis.since(2)] == [MOST_COMMANDS, 5]


def test_hints_bring_rows_and_a_lost_one_is_read(web, other, redis):
    other.append("a")
    other.settle_all()
    web.proposer.hint(redis.rows[2])
    web.proposer.hint(redis.rows[2])
    assert web.ids == ["a"]
    for cid in ("b", "c"):
        other.append(cid)
        other.settle_all()
    web.proposer.hint(redis.rows[4])
    assert web.ids == ["a"]
    assert web.read()
    assert web.ids == ["a", "b", "c"]


def test_a_refusal_needs_no_read_when_the_hint_came_first(web, other, redis):
    web.append("a")
    row = web.proposer.propose(1)
    other.append("b")
    other.settle_all()
    web.proposer.hint(redis.rows[2])
    assert not redis.add(row)
    web.proposer.refused()
    assert web.proposer.propose(1).number == 3


def test_join_and_part_tell_who_else_hosts_the_match(web, other):
    for process in (web, other):
        process.proposer.append(Command(JOIN, cid=process.proposer.process))
        process.settle_all()
    web.proposer.look()
    web.settle_all()
    assert web.proposer.others == {"other"}
    other.proposer.append(Command(PART, cid="part"))
    other.settle_all()
    web.proposer.look()
    web.settle_all()
    assert web.proposer.others == set()
    assert web.proposer.hosts == {"web"}


def test_rows_that_a_fail_over_lost_are_restored_before_anything_else(web, other, redis):
    for cid in ("a", "b", "c"):
        web.append(cid)
        web.settle_all()
    before = redis.since(1)
    for lost in (3, 4):
        del redis.rows[lost]
    web.append("d")
    web.proposer.broke()
    web.settle_all()
    assert [(r.process, r.encode()) for r in redis.since(1)[:4]] == [
        (r.process, r.encode()) for r in before
    ]
    assert ids(redis) == web.ids == ["a", "b", "c", "d"]
    assert web.acknowledged == ["a", "b", "c", "d"]  # each once
    other.proposer.look()
    other.settle_all()
    assert other.ids == web.ids


def test_two_processes_restore_the_same_rows(web, other, redis):
    for cid in ("a", "b", "c"):
        web.append(cid)
        web.settle_all()
    other.proposer.look()
    other.settle_all()
    for lost in (2, 3, 4):
        del redis.rows[lost]
    for process in (web, other):
        process.proposer.broke()
        process.read()
    first, second = web.proposer.propose(1), other.proposer.propose(1)
    assert redis.add(first)
    assert not redis.add(second)
    web.proposer.stored()
    other.proposer.refused()
    other.settle_all()
    web.settle_all()
    assert ids(redis) == ["a", "b", "c"]
    assert not web.has_diverged
    assert not other.has_diverged


def test_other_rows_in_place_of_ours_mean_that_this_copy_is_wrong(web, other, redis):
    web.append("a")
    web.settle_all()
    del redis.rows[2]
    other.append("b")
    other.settle_all()
    web.append("c")
    web.proposer.broke()
    web.settle_all()
    assert web.has_diverged
    assert ids(redis) == ["b"]
    assert [command.cid for command in web.proposer.waiting] == ["c"]


def test_a_log_that_lost_more_than_we_hold_is_not_written_to(web, redis):
    for number in range(KEPT_ROWS + 3):
        web.append(str(number))
        web.settle_all()
    redis.rows = {1: redis.rows[1]}
    web.append("more")
    web.proposer.broke()
    web.settle_all()
    assert web.has_diverged
    assert list(redis.rows) == [1]


def test_a_row_stored_by_two_primaries_is_compared(web, other, redis):
    web.append("a")
    web.proposer.propose(1)
    other.append("b")
    other.settle_all()
    web.proposer.hint(redis.rows[2])
    web.proposer.stored()  # says a primary that nobody follows any more
    web.settle_all()
    assert ids(redis) == web.ids == ["b", "a"]
