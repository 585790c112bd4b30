"""The append script and what is built on it, against a real Redis."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, NamedTuple
from unittest.mock import ANY

import pytest

from games.live import log as log_module
from games.live.appends import AGAIN, APPENDED, EARLY, FAILED, GONE, OVER, UNNEEDED
from games.live.entry import ACTION, TICK, Entry, from_hint, from_row, said
from games.live.host import Host
from games.live.log import LONGEST, Log, key
from games.live.resp import connect, greeting, pack
from tests.live.conftest import until

SETUP = b'{"mode":"claim"}'


class Appended(NamedTuple):
    status: int
    seq: int
    t: int
    hosts: int
    """0: nobody asked, because the row was where its sender thought."""


class Answer:
    """Waits for what becomes of one entry."""

    def __init__(self) -> None:
        self.future: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()

    def answered(self, *answer: int) -> None:
        self.future.set_result(Appended(*answer))


class Reader:
    """Has applied the log so far, as it says."""

    def __init__(self, known: int, is_alone: bool = False) -> None:
        self.known, self.is_alone = known, is_alone

    def stored(self, row: list[Answer], first: int, t: int) -> None:
        for seq, waiting in enumerate(row, first):
            waiting.answered(APPENDED, seq, t, 0)


async def append(log: Log, cid: str, kind: str = ACTION, seat: int | None = 0) -> Appended:
    answer = Answer()
    log.append(kind, seat, cid, b"{}", answer)
    return await answer.future


async def knowing(log: Log, known: int, *cids: str, alone: bool = False) -> list[Appended]:
    """The answers to who has applied all entries before this one, and sends these in one turn."""
    log.reader = Reader(known, alone)
    return await asyncio.gather(*(append(log, cid) for cid in cids))


async def alone(log: Log, *cids: str) -> list[Appended]:
    """The same for who is the only host as far as it knows, and has applied everything."""
    return await knowing(log, (await log.read())[-1].seq + 1, *cids, alone=True)


async def tick(log: Log, after: int, due: int) -> Appended:
    answer = Answer()
    log.tick(after, due, answer)
    return await answer.future


@pytest.fixture
async def log(make_host) -> Log:
    host: Host = await make_host()
    log = Log(host.store, "abcdefghij00")
    await log.create(SETUP)
    return log


async def test_entries_are_numbered_without_gaps_and_time_never_goes_back(log):
    for n in range(5):
        assert (await append(log, f"c{n}"))[:2] == (APPENDED, n + 1)
    entries = await log.read()
    assert [e.seq for e in entries] == [0, 1, 2, 3, 4, 5]
    assert entries[0].data == SETUP
    times = [e.t for e in entries]
    assert times == sorted(times)


async def rows(log: Log) -> list[bytes]:
    return [row[0] for row in await log.store.call("XRANGE", key(log.id, "log"), "-", "+")]


async def test_a_clock_that_was_set_back_does_not_show(log):
    """Neither to who knows the last row, nor to who does not, nor to a tick."""
    ahead = (await log.read())[0].t + 60_000
    entry = (ahead, said(ACTION, 0, "early") + b"{}")
    await log.store.call("XADD", key(log.id, "log"), "1-0", *entry)
    assert (await append(log, "a")) == (APPENDED, 2, ahead, 0)
    assert await alone(log, "b") == [(APPENDED, 3, ahead, 0)]
    assert await alone(log, "c", "d") == [(APPENDED, 4, ahead, 0), (APPENDED, 5, ahead, 0)]
    assert (await tick(log, 5, 1)).t == ahead


async def test_the_time_of_one_match_is_not_that_of_others(log):
    """One was written while the clock was an hour ahead; entries of both leave in one turn."""
    other = Log(log.store, "abcdefghij01")
    await other.create(SETUP)
    ahead = (await log.read())[0].t + 3_600_000
    await log.store.call("XADD", key(log.id, "log"), "1-0", ahead, said(ACTION, 0, "x") + b"{}")
    for turn in "12":  # the first time nothing is known of the last row
        one, another = await asyncio.gather(alone(log, f"y{turn}"), alone(other, f"z{turn}"))
        assert one[0].t == ahead
        assert another[0].t < ahead


async def config(log: Log, replicas: int) -> None:
    command = ("CONFIG", "SET", "min-replicas-to-write", replicas)
    await log.store.pipe("").call(*command, urgent=True)


async def test_a_server_that_may_not_write_now_gets_the_entries_again(log):
    """As during a failover: they are kept, in order, and stored once."""
    await config(log, 1)
    waiting = asyncio.ensure_future(knowing(log, 1, *(f"c{n}" for n in range(3))))
    creating = asyncio.ensure_future(Log(log.store, "abcdefghij01").create(SETUP))
    try:
        await asyncio.wait([waiting], timeout=0.3)
        assert not waiting.done()
        assert not creating.done()
    finally:
        await config(log, 0)
    assert [one[:2] for one in await waiting] == [(APPENDED, n + 1) for n in range(3)]
    assert [e.cid for e in await log.read()][1:] == ["c0", "c1", "c2"]
    assert await creating


async def test_a_command_id_counts_once_per_seat(log):
    first = await append(log, "x")
    assert (await append(log, "x"))[:2] == (AGAIN, first.seq)
    assert (await append(log, "x", seat=1)).status == APPENDED
    assert (await append(log, "", seat=1)).status == APPENDED
    assert (await append(log, "", seat=1)).status == APPENDED


async def test_what_the_sender_does_not_know_is_looked_at(log):
    """Who says what it has applied is asked no more than that."""
    assert [one.seq for one in await knowing(log, 1, "a", "b")] == [1, 2]
    # Another process, which has not heard of these two, brings the second again.
    assert (await knowing(log, 1, "b"))[0][:2] == (AGAIN, 2)
    assert (await knowing(log, 1, "c"))[0].seq == 3
    # What was sent again after a broken connection: the first copies count.
    again = await knowing(log, 1, "a", "new", "b")
    assert [one[:2] for one in again] == [(AGAIN, 1), (APPENDED, 4), (AGAIN, 2)]
    assert (await knowing(log, 2, "b"))[0][:2] == (AGAIN, 2)
    # A number too high leaves no gap.
    assert (await knowing(log, 9, "d"))[0].seq == 5
    assert [e.seq for e in await log.read()] == [0, 1, 2, 3, 4, 5]


async def test_a_copy_is_found_whatever_became_of_the_commands_before_it(log):
    """Another process has stored b. As many entries as were sent are there, but not the same."""
    assert (await knowing(log, 1, "b"))[0].seq == 1
    answers = await knowing(log, 1, "a", "b", "c")
    assert [one[:2] for one in answers] == [(APPENDED, 2), (AGAIN, 1), (APPENDED, 3)]
    await log.finish(b"{}")
    answers = await knowing(log, 3, "d", "c")
    assert [one[:2] for one in answers] == [(OVER, 3), (AGAIN, 3)]


async def test_a_key_of_another_kind_hurts_its_own_match_only(log):
    broken = Log(log.store, "nosuchmatch1")
    await log.store.call("SET", key(broken.id, "log"), "not a stream")
    answers = await asyncio.gather(append(log, "a"), append(broken, "b"), append(log, "c"))
    assert [a.status for a in answers] == [APPENDED, FAILED, APPENDED]


async def test_a_finished_match_takes_nothing_but_still_knows_what_it_took(log):
    first = await append(log, "x")
    assert await log.finish(b"{}") == 1
    assert (await append(log, "y")).status == OVER
    assert (await append(log, "x"))[:2] == (AGAIN, first.seq)
    assert len(await log.read()) == 2


async def test_an_unknown_match_is_gone(log):
    assert (await append(Log(log.store, "nosuchmatch0"), "x")).status == GONE


async def test_a_tick_counts_only_at_its_time_and_after_the_entry_it_was_computed_from(log):
    now = (await log.read())[0].t
    assert (await tick(log, 0, now + 60_000)).status == EARLY
    await append(log, "x")
    assert (await tick(log, 0, now))[:2] == (UNNEEDED, 1)
    assert (await tick(log, 1, now)).status == APPENDED
    assert (await tick(log, 1, now)).status == UNNEEDED, "a second host's tick makes no entry"


async def test_creating_again_changes_nothing(log):
    await append(log, "x")
    before = await log.read()
    assert await log.create(b"other") == before[0].t
    assert await log.read() == before


async def test_entries_of_one_turn_are_one_row(log):
    """Numbered one by one, whoever asks for whatever part of them."""
    await alone(log, "a")
    assert [one.seq for one in await alone(log, "b", "c", "d")] == [2, 3, 4]
    assert (await rows(log))[-1] == b"4-0"
    entries = await log.read()
    assert [(e.seq, e.cid) for e in entries[1:]] == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
    for first in range(6):
        assert await log.read(first) == entries[first:]
    assert len({e.t for e in entries[2:]}) == 1
    # Too many for one row are several, in their order.
    many = [f"m{n}" for n in range(LONGEST + 3)]
    assert [one.seq for one in await alone(log, *many)] == [5 + n for n in range(len(many))]
    assert (await rows(log))[-2:] == [b"%d-0" % (4 + LONGEST), b"%d-0" % (4 + len(many))]
    assert [e.cid for e in await log.read(5)] == many


async def test_published_only_when_another_process_hosts_it(log):
    heard: list[bytes] = []
    await log.store.listen(key(log.id, "new"), heard.append)
    assert await log.host("me") == 1
    await alone(log, "alone")
    assert await log.host("other") == 2
    await knowing(log, 2, "together", "and more")
    await until(lambda: heard)
    (raw,) = heard
    assert [entry.cid for entry in from_hint(raw)] == ["together", "and more"]
    assert from_hint(raw) == (await log.read())[-2:]


async def test_who_is_no_host_tells_the_only_one(log):
    heard: list[bytes] = []
    await log.store.listen(key(log.id, "new"), heard.append)
    await log.host("me")
    await append(Log(log.store, log.id), "from elsewhere")
    await until(lambda: heard)


async def test_the_only_host_is_refused_once_there_is_another(log):
    """What it believes is asked for no more than once: then it is told, and all others hear."""
    heard: list[bytes] = []
    await log.store.listen(key(log.id, "new"), heard.append)
    assert await log.host("me") == 1
    assert await alone(log, "a") == [(APPENDED, 1, ANY, 1)]
    assert await alone(log, "b") == [(APPENDED, 2, ANY, 0)]
    assert await log.host("other") == 2
    # Two of one turn, and one of a call of its own that leaves before their answers come.
    log.reader = Reader(3, is_alone=True)
    answers = [Answer() for _ in range(3)]
    for cid, answer in zip("cde", answers, strict=True):
        log.append(ACTION, 0, cid, b"{}", answer)
        if cid == "d":
            log.store.pipe("x")._flush()
    done = [await answer.future for answer in answers]
    assert [(a.status, a.seq, a.hosts) for a in done] == [(APPENDED, n, 2) for n in (3, 4, 5)]
    await until(lambda: len(heard) == 2)
    told = [entry.cid for raw in heard for entry in from_hint(raw)]
    assert told == ["c", "d", "e"]
    assert [e.seq for e in await log.read()] == [0, 1, 2, 3, 4, 5]


async def test_who_was_taken_for_dead_is_asked_everything(log):
    """The one who hosts it now is alone, and so is the one who was forgotten: both believe it."""
    await log.host("me")
    await alone(log, "a")
    await log.forget_hosts(["me"])
    other = Log(log.store, log.id)
    assert await other.host("other") == 1
    assert (await knowing(log, 2, "b", alone=True))[0].hosts == 1
    assert [e.cid for e in await log.read(1)] == ["a", "b"]


async def test_the_only_host_is_believed_no_more_than_the_log(log):
    """It knows too little, or the match is over or gone."""
    await log.host("me")
    await alone(log, "a")
    stranger = Log(log.store, log.id)
    assert (await knowing(stranger, 2, "b"))[0].seq == 2
    assert await knowing(log, 2, "b", "c", alone=True) == [
        (AGAIN, 2, ANY, ANY),
        (APPENDED, 3, ANY, ANY),
    ]
    assert await alone(log, "d") == [(APPENDED, 4, ANY, 0)]
    await log.finish(b"{}")
    for cid in ("e", "f"):  # whatever the first answer told
        assert (await alone(log, cid))[0][:2] == (OVER, 4)
    assert (await knowing(log, 1, "a"))[0][:2] == (AGAIN, 1)
    await log.store.call("DEL", key(log.id, "log"))
    assert (await knowing(log, 5, "g", alone=True))[0].status == GONE


async def test_who_always_has_something_under_way_is_believed_again(log):
    """After another one wrote, all that is under way is asked everything; what comes behind that is
    not, though there is no moment at which nothing is under way."""
    await log.host("me")
    await alone(log, "first")
    log.reader = Reader(2, is_alone=True)
    answers = send(log, "a", "b")
    await append(Log(log.store, log.id), "of another one")
    for number in range(8):
        answers += send(log, f"c{number}", f"d{number}")
        await answers[-2].future  # the last one is still under way
    done = [await answer.future for answer in answers]
    assert [one.status for one in done] == [APPENDED] * len(done)
    assert [one.hosts for one in done[-8:]] == [0] * 8
    entries = await log.read()
    assert [e.seq for e in entries] == list(range(len(entries)))
    assert [e.cid for e in entries if e.cid[:1] in tuple("abcd")] == ["a", "b"] + [
        f"{letter}{number}" for number in range(8) for letter in "cd"
    ]


def send(log: Log, *cids: str) -> list[Answer]:
    """Each as a call of its own, written at once."""
    answers = []
    for cid in cids:
        answers.append(Answer())
        log.append(ACTION, 0, cid, b"{}", answers[-1])
        log.store.pipe("x")._flush()
    return answers


async def heard_of(log: Log, heard: list[bytes]) -> list[str]:
    """The command ids of all that was published before now."""
    marks: list[bytes] = []
    await log.store.listen("mark", marks.append)
    log.store.tell("mark", b"")
    await until(lambda: marks)
    return [entry.cid for raw in heard for entry in from_hint(raw)]


async def test_who_comes_between_two_rows_that_ask_hears_what_follows(log):
    """The second one was answered, but its sender does not know that yet when it sends a third."""
    heard: list[bytes] = []
    await log.store.listen(key(log.id, "new"), heard.append)
    pipe = log.store.pipe("x")
    await log.host("me")
    log.reader = Reader(1, is_alone=True)
    (first,) = send(log, "a")
    pipe.send(pack(*log._hosts_command(["other"], 0)), lambda reply: None)
    second, replies = Answer(), []
    log.append(ACTION, 0, "b", b"{}", second)
    command, on_reply, urgent = pipe._normal.pop()
    pipe._normal.append((command, replies.append, urgent))
    pipe._flush()
    await first.future
    await until(lambda: replies)
    (third,) = send(log, "c")
    on_reply(replies[0])
    assert [(await one.future).seq for one in (first, second, third)] == [1, 2, 3]
    assert await heard_of(log, heard) == ["b", "c"]


async def resubmitted(log: Log) -> None:
    """Two rows are under way when the connection breaks; the first one was stored."""
    pipe = log.store.pipe("x")
    await log.host("me")
    await alone(log, "first")
    log.reader = Reader(2, is_alone=True)
    connection, written = pipe._connection, []
    connection.write = written.append
    answers = send(log, "a", "b")
    replies: list[Any] = []
    other = await connect(pipe.address, replies.append, lambda: None)
    other.write(b"".join(greeting(pipe.address)) + written[0])
    await until(lambda: len(replies) == len(greeting(pipe.address)) + 1)
    other.abort()
    connection.abort()
    assert [(await one.future)[:2] for one in answers] == [(AGAIN, 2), (APPENDED, 3)]
    log.reader = Reader(4, is_alone=True)


async def test_a_row_is_not_written_behind_itself_when_it_is_sent_again(log):
    """Its sender guessed, wrongly, the very id that the row itself gets."""
    pipe = log.store.pipe("x")
    await log.host("me")
    log.reader = Reader(1, is_alone=True)
    first, second = send(log, "a", "b")
    await second.future
    log._last, log._part = 3, 1  # it counted on a tick that turned out not to be needed
    (third,) = send(log, "c")
    command, _, _ = pipe._written[-1]
    replies: list[Any] = []
    pipe.send(command.packed(), replies.append)
    await until(lambda: replies)
    assert [(await one.future).seq for one in (first, second, third)] == [1, 2, 3]
    assert replies[0][0][4:] == [AGAIN, 3]
    assert [e.cid for e in await log.read(1)] == ["a", "b", "c"]


async def test_who_comes_after_a_resubmission_hears_what_follows(log):
    heard: list[bytes] = []
    await log.store.listen(key(log.id, "new"), heard.append)
    await resubmitted(log)
    assert await Log(log.store, log.id).host("other") == 2
    for one in send(log, *"cdef"):
        assert (await one.future).status == APPENDED
    assert await heard_of(log, heard) == list("cdef")


async def test_nothing_is_stored_after_the_end_that_follows_a_resubmission(log):
    await resubmitted(log)
    assert await Log(log.store, log.id).finish(b"{}") == 3
    assert [(await one.future).status for one in send(log, "c", "d")] == [OVER, OVER]


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_breaks_all_is_stored_once_in_order_and_told(make_host, seed):
    """Rows of one or more entries, urgent ones, connections that break, and a second host."""
    draw = Random(seed)
    one, two = await make_host(), await make_host()
    pipe = one.store.pipe("x")
    for number in range(12):
        log = Log(one.store, f"match{seed}x{number:05d}")
        await log.create(SETUP)
        heard: list[bytes] = []
        await two.store.listen(key(log.id, "new"), heard.append)
        await log.host("one")
        log.reader = reader = Reader(1, is_alone=True)
        answers: dict[str, Answer] = {}
        joins, joining = draw.randrange(8, 30), None
        for step in range(40):
            for _ in range(draw.choice((1, 1, 2))):
                answers[cid := f"c{len(answers)}"] = answer = Answer()
                log.append(ACTION, 0, cid, b"{}", answer, urgent=draw.random() < 0.05)
            if draw.random() < 0.1:
                log.tick(draw.randrange(step + 1), 1, Answer())
            if draw.random() < 0.5:
                pipe._flush()
            done = (answer.future.result() for answer in answers.values() if answer.future.done())
            seqs = {one.seq for one in done}
            while reader.known in seqs:
                reader.known += 1
            if draw.random() < 0.1 and pipe._connection is not None:
                pipe._connection.abort()
            if step == joins:
                joining = asyncio.ensure_future(Log(two.store, log.id).host("two"))
            await asyncio.sleep(0)
        await joining
        stored = {cid: (await answer.future).seq for cid, answer in answers.items()}
        entries = await log.read()
        assert [e.seq for e in entries] == list(range(len(entries)))
        assert len([e for e in entries if e.cid]) == len(stored)
        assert {e.cid: e.seq for e in entries if e.cid} == stored
        assert log._under_way == 0
        raw = await one.store.call("XRANGE", key(log.id, "log"), "-", "+")
        marked = max(at for at, row in enumerate(raw) if not row[1][1])
        behind = [entry.seq for row in raw[marked:] for entry in from_row(row)]
        await heard_of(Log(two.store, log.id), heard)
        assert set(behind) <= {entry.seq for hint in heard for entry in from_hint(hint)}


async def test_an_urgent_entry_overtakes(log):
    await log.host("me")
    await alone(log, "a")
    log.reader = Reader(2, is_alone=True)
    answers = [Answer() for _ in range(3)]
    log.append(ACTION, 0, "b", b"{}", answers[0])
    log.append(ACTION, 0, "urgent", b"{}", answers[1], urgent=True)
    log.append(ACTION, 0, "c", b"{}", answers[2])
    done = [await answer.future for answer in answers]
    assert [(one.seq, one.hosts) for one in done] == [(3, 0), (2, 0), (4, 0)]
    assert [e.cid for e in await log.read(1)] == ["a", "urgent", "b", "c"]


async def test_a_tick_between_is_found(log):
    """It is not counted on: rows behind one that was needed ask everything."""
    now = (await log.read())[0].t
    await log.host("me")
    await alone(log, "a")
    log.reader = Reader(2, is_alone=True)
    answers = [Answer() for _ in range(2)]
    log.tick(1, now, answers[0])
    log.append(ACTION, 0, "b", b"{}", answers[1])
    done = [await answer.future for answer in answers]
    assert [one[:2] for one in done] == [(APPENDED, 2), (APPENDED, 3)]
    assert [e.kind for e in await log.read(1)] == [ACTION, TICK, ACTION]
    assert (await alone(log, "c"))[0] == (APPENDED, 4, ANY, 0)


async def test_entries_of_an_older_version_are_read(log):
    old = ("t", 5, "k", ACTION, "s", 1, "c", "old", "d", '{"a":"\n"}')
    await log.store.call("XADD", key(log.id, "log"), "1-0", *old)
    entry = (await log.read())[1]
    assert entry == Entry(1, 5, ACTION, 1, "old", b'{"a":"\n"}')
    assert (await append(log, "old", seat=1))[:2] == (AGAIN, 1)
    assert (await append(log, "new", seat=1)) == (APPENDED, 2, ANY, ANY)
    assert await log.host("me") == 1
    assert await log.read(2) == (await log.read())[2:]


async def test_all_appends_of_one_turn_are_one_write(log, monkeypatch):
    pipe = log.store.pipe(log.store.key(key(log.id, "log")))
    writes: list[bytes] = []
    write = pipe._connection.write
    monkeypatch.setattr(pipe._connection, "write", lambda data: (writes.append(data), write(data)))
    answers = await asyncio.gather(*(append(log, f"c{n}") for n in range(50)))
    assert [a.seq for a in answers] == list(range(1, 51))
    (written,) = [data for data in writes if b"\nc1\n" in data]
    assert b"\nc49\n" in written
    assert written.count(b"EVALSHA") == 1, "and one call of the script"


async def test_what_was_not_answered_is_sent_again_on_a_new_connection(log):
    pipe = log.store.pipe(log.store.key(key(log.id, "log")))
    waiting = asyncio.gather(*(append(log, f"c{n}") for n in range(20)))
    await asyncio.sleep(0)  # they are queued
    pipe._flush()  # and written
    pipe._connection.abort()
    answers = await asyncio.wait_for(waiting, 5)
    assert {a.status for a in answers} <= {APPENDED, AGAIN}
    assert [e.cid for e in (await log.read())[1:]] == [f"c{n}" for n in range(20)]


async def test_scripts_are_loaded_again_when_redis_has_forgotten_them(log):
    await log.store.pipe("x").call("SCRIPT", "FLUSH")
    answers = await asyncio.gather(*(append(log, f"c{n}") for n in range(3)))
    assert [a.seq for a in answers] == [1, 2, 3]


async def test_archived_keys_expire(log):
    await append(log, "x")
    await log.archived()
    for name in ("log", "head"):
        left = await log.store.call("TTL", key(log.id, name))
        assert 0 < left <= log_module.KEPT_SECONDS
    assert await log.store.call("ZSCORE", log_module.DUE, log.id) is None
    await log.host("who looks at it afterwards")
    assert 0 < await log.store.call("TTL", key(log.id, "hosts")) <= log_module.KEPT_SECONDS
