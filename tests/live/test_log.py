"""The append script and what is built on it, against a real Redis."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest

from games.live import log as log_module
from games.live.appends import AGAIN, APPENDED, EARLY, FAILED, GONE, OVER, UNNEEDED
from games.live.entry import ACTION, Entry, from_hint, said
from games.live.host import Host
from games.live.log import Log, key
from tests.live.conftest import until

SETUP = b'{"mode":"claim"}'


class Appended(NamedTuple):
    status: int
    seq: int
    t: int
    hosts: int


async def append(
    log: Log, cid: str, kind: str = ACTION, seat: int | None = 0, **known: int
) -> Appended:
    done = asyncio.get_running_loop().create_future()
    log.append(kind, seat, cid, b"{}", lambda *answer: done.set_result(Appended(*answer)), **known)
    return await done


async def tick(log: Log, after: int, due: int) -> Appended:
    done = asyncio.get_running_loop().create_future()
    log.tick(after, due, lambda *answer: done.set_result(Appended(*answer)))
    return await done


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


async def test_a_clock_that_was_set_back_does_not_show(log):
    """Neither to who knows the last entry, nor to who does not, nor to a tick."""
    ahead = (await log.read())[0].t + 60_000
    entry = (ahead, said(ACTION, 0, "early") + b"{}")
    await log.store.call("XADD", key(log.id, "log"), "1-0", *entry)
    assert (await append(log, "a")) == (APPENDED, 2, ahead, 0)
    assert (await append(log, "b", known=3, time=ahead)) == (APPENDED, 3, ahead, 0)
    # Entry 3 was sent, and its answer has not come back.
    assert (await append(log, "c", known=3, time=0)).t == ahead
    assert (await tick(log, 4, 1)).t == ahead
    # As the only host: sent before the answers to those, and two of one call.
    assert (await append(log, "e", known=3, time=0, length=6)).t == ahead
    pair = [append(log, f"f{n}", known=7, time=ahead, length=7 + n) for n in range(2)]
    assert [one.t for one in await asyncio.gather(*pair)] == [ahead, ahead]
    # Two of one call, sent before the answers to those.
    pair = [append(log, f"d{n}", known=3, time=0) for n in range(2)]
    assert [one.t for one in await asyncio.gather(*pair)] == [ahead, ahead]


async def test_the_time_of_one_match_is_not_that_of_others(log):
    """One was written while the clock was an hour ahead; entries of both leave in one turn."""
    other = Log(log.store, "abcdefghij01")
    await other.create(SETUP)
    ahead = (await log.read())[0].t + 3_600_000
    await log.store.call("XADD", key(log.id, "log"), "1-0", ahead, said(ACTION, 0, "x") + b"{}")
    pair = append(log, "y", known=2, time=ahead, length=2), append(other, "z", known=1, length=1)
    first, second = await asyncio.gather(*pair)
    assert first.t == ahead
    assert second.t < ahead


async def config(log: Log, replicas: int) -> None:
    command = ("CONFIG", "SET", "min-replicas-to-write", replicas)
    await log.store.pipe("").call(*command, urgent=True)


async def test_a_server_that_may_not_write_now_gets_the_entries_again(log):
    """As during a failover: they are kept, in order, and stored once."""
    await config(log, 1)
    waiting = asyncio.gather(*(append(log, f"c{n}", known=1) for n in range(3)))
    creating = asyncio.ensure_future(Log(log.store, "abcdefghij01").create(SETUP))
    try:
        await asyncio.wait([asyncio.ensure_future(waiting)], timeout=0.3)
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
    assert (await append(log, "a", known=1)).seq == 1
    assert (await append(log, "b", known=1)).seq == 2
    # Another process, which has not heard of these two, brings the second again.
    assert (await append(log, "b", known=1))[:2] == (AGAIN, 2)
    assert (await append(log, "c", known=1)).seq == 3
    # What was sent again after a broken connection: the first copies count.
    assert (await append(log, "a", known=1))[:2] == (AGAIN, 1)
    assert (await append(log, "b", known=2))[:2] == (AGAIN, 2)
    # A number too high leaves no gap.
    assert (await append(log, "d", known=9)).seq == 4
    assert [e.seq for e in await log.read()] == [0, 1, 2, 3, 4]


async def test_a_copy_is_found_whatever_became_of_the_commands_before_it(log):
    """Another process has stored b. As many entries as were sent are there, but not the same."""
    assert (await append(log, "b", known=1)).seq == 1
    answers = await asyncio.gather(*(append(log, cid, known=1) for cid in ("a", "b", "c")))
    assert [one[:2] for one in answers] == [(APPENDED, 2), (AGAIN, 1), (APPENDED, 3)]
    await log.finish(b"{}")
    answers = await asyncio.gather(*(append(log, cid, known=3) for cid in ("d", "c")))
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


async def test_published_only_when_another_process_hosts_it(log):
    heard: list[bytes] = []
    await log.store.listen(key(log.id, "new"), heard.append)
    assert await log.host("me") == 1
    await append(log, "alone")
    assert await log.host("other") == 2
    await append(log, "together")
    await until(lambda: heard)
    assert [from_hint(raw).cid for raw in heard] == ["together"]
    assert from_hint(heard[0]) == (await log.read())[-1]


async def test_the_only_host_is_refused_once_there_is_another(log):
    """What it believes is asked for no more than once: then it is told, and all others hear."""
    heard: list[bytes] = []
    await log.store.listen(key(log.id, "new"), heard.append)
    assert await log.host("me") == 1
    assert (await append(log, "a", known=1, length=1))[:2] == (APPENDED, 1)
    assert await log.host("other") == 2
    # Two of one turn, and one of a call of its own that left before their answers came.
    pair = asyncio.gather(*(append(log, c, known=2, length=n) for c, n in (("b", 2), ("c", 3))))
    await asyncio.sleep(0)
    log.store.pipe("x")._appends.clear()
    third = await append(log, "d", known=2, length=4)
    answers = [*await pair, third]
    assert [(a.status, a.seq, a.hosts) for a in answers] == [(APPENDED, n, 2) for n in (2, 3, 4)]
    await until(lambda: len(heard) == 3)
    assert [from_hint(raw).cid for raw in heard] == ["b", "c", "d"]
    assert [e.seq for e in await log.read()] == [0, 1, 2, 3, 4]


async def test_the_only_host_is_believed_no_more_than_the_log(log):
    """It knows too little, or too much (Redis has lost the end), or the match is over or gone."""
    assert (await append(log, "a", known=1, length=1)).seq == 1
    assert (await append(log, "a", known=1, length=1))[:2] == (AGAIN, 1)
    assert (await append(log, "b", known=1, length=1)).seq == 2
    assert (await append(log, "c", known=9, length=9)).seq == 3
    pair = [append(log, cid, known=4, length=n) for cid, n in (("d", 4), ("e", 5))]
    assert [one.seq for one in await asyncio.gather(*pair)] == [4, 5]
    await log.host("other")
    await log.finish(b"{}")
    await log.host("a third")
    assert (await append(log, "f", known=6, length=6)).status == OVER
    assert (await append(log, "a", known=1, length=1))[:2] == (AGAIN, 1)
    gone = Log(log.store, "nosuchmatch0")
    assert (await append(gone, "x", known=1, length=1)).status == GONE
    assert [e.seq for e in await log.read()] == [0, 1, 2, 3, 4, 5]


async def test_entries_of_an_older_version_are_read(log):
    old = ("t", 5, "k", ACTION, "s", 1, "c", "old", "d", '{"a":"\n"}')
    await log.store.call("XADD", key(log.id, "log"), "1-0", *old)
    entry = (await log.read())[1]
    assert entry == Entry(1, 5, ACTION, 1, "old", b'{"a":"\n"}')
    assert (await append(log, "old", seat=1, known=1))[:2] == (AGAIN, 1)


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
