"""Time during which the site was down is never held against a player."""

from __future__ import annotations

import asyncio

import pytest

from games.live.appends import AGAIN
from games.live.entry import said
from games.live.log import key
from games.live.pulse import GAP_MS, KEYS
from games.live.seat import SeatClient
from tests.live.conftest import until
from tests.live.test_match import new_match

pytestmark = pytest.mark.django_db(transaction=True)


async def was_down(host, ms: int) -> None:
    """As if nobody had beaten for so long."""
    await host.store.call("SET", KEYS[1], host.pulse.now() - ms)


async def test_an_outage_is_in_every_log_once_and_moves_the_clock(here, make_host):
    other = await make_host()
    match_id = await new_match()
    ann = await SeatClient.open(match_id, 0)
    bob = SeatClient(other, await other.join(match_id), 1)
    await until(lambda: ann.replica.course.next == bob.replica.course.next == 3)
    due, origin = ann.replica.alarm.due, ann.replica.course.state.origin
    for host in (here, other):
        host.store.gate.shut()
    await was_down(here, 40_000)
    await until(lambda: here.pulse.outages and other.pulse.outages)
    outage = here.pulse.outages[0]
    assert 39_000 < outage.end - outage.start < 45_000
    await until(lambda: ann.replica.course.state.origin > origin)
    moved = ann.replica.course.state.origin - origin
    # The match is younger than the outage: it stood still since its last entry.
    assert 0 < moved <= outage.end - outage.start
    await until(lambda: bob.replica.course.state == ann.replica.course.state)
    assert ann.replica.alarm.due == due + moved
    assert [e.kind for e in await ann.replica.log.read()].count("outage") == 1


async def test_nothing_goes_before_the_outage(here):
    """A process that was away hears of the outage before it appends what waits."""
    match_id = await new_match()
    ann = await SeatClient.open(match_id, 0)
    await until(lambda: ann.replica.course.next == 2)
    pipe = here.store.pipe("x")
    await was_down(here, 20_000)
    pipe._connection.abort()
    assert (await ann.act({"type": "ready"})).stored
    kinds = [e.kind for e in await ann.replica.log.read()]
    assert kinds == ["setup", "return", "outage", "action"]


async def test_an_outage_that_overtakes_a_move_is_stored_once(here, monkeypatch):
    """Its place in the log is not the one that its sender would guess: sent again after a lost
    connection, it must not be taken for the entry that was expected there."""
    ann = await SeatClient.open(await new_match(), 0)
    await until(lambda: ann.replica.course.next == 2)
    replica, rows, replies, pipe = ann.replica, [], [], here.store.pipe("x")
    append = pipe.append
    monkeypatch.setattr(
        pipe, "append", lambda row, urgent=False: rows.append(row) or append(row, urgent)
    )
    here.store.gate.is_open = False  # the move waits, the outage does not
    moving = asyncio.create_task(ann.act({"type": "ready"}))
    await until(lambda: replica.commands.sent)
    replica.commands.append("outage", None, "!outage:1", b'{"ms":5}', urgent=True)
    pipe._flush()
    pipe.send(rows[-1].appends.packed(), replies.append, urgent=True)
    await until(lambda: replies)
    here.store.gate.open()
    assert (await moving).stored
    assert replies[0][0][4:] == [AGAIN, 2]
    assert [e.kind for e in await replica.log.read()] == ["setup", "return", "outage", "action"]


async def test_a_process_that_slept_beats_before_it_appends(here):
    match_id = await new_match()
    ann = await SeatClient.open(match_id, 0)
    await until(lambda: ann.replica.course.next == 2)
    await was_down(here, 20_000)
    here.pulse._answered -= 10  # its last beat was long ago
    assert (await ann.act({"type": "ready"})).stored
    kinds = [e.kind for e in await ann.replica.log.read()]
    assert kinds == ["setup", "return", "outage", "action"]


async def test_outages_missed_by_an_unhosted_match_count_together(here, make_host):
    match_id = await new_match(seconds=100)
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    await until(lambda: ann.replica.course.state.phase == "live")
    log = ann.replica.log
    entries = await log.read()
    # It was played a minute ago, before two outages; then a new process meets it.
    await here.store.call("DEL", key(match_id, "log"))
    for i, e in enumerate(entries):
        text = said(e.kind, e.seat, e.cid) + e.data
        entry = (f"{i}-0" if i else "0-1", e.t - 60_000, text)
        await here.store.call("XADD", key(match_id, "log"), *entry)
    now = entries[-1].t - 60_000
    spans = [(now + 1_000, now + 31_000), (now + 41_000, now + 51_000)]
    for start, end in spans:
        await here.store.call("ZADD", KEYS[2], end, f"{start}:{end}")
    origin = ann.replica.course.state.origin - 60_000
    other = await make_host()
    replica = await other.join(match_id)
    await until(lambda: replica.course.state.origin > origin)
    assert replica.course.state.origin - origin == 40_000
    assert replica.course.state.now < 25_000


async def test_workers_alone_do_not_make_a_site(make_host):
    """While only a worker lives, no clock runs; when a web process comes, the pause counts."""
    web, worker = await make_host(), await make_host(serving=False)
    assert not worker.pulse.suspended
    await web.close()
    await was_down(worker, GAP_MS + 10_000)
    await until(lambda: worker.pulse.suspended)
    assert not worker.pulse.outages
    again = await make_host()
    await until(lambda: not worker.pulse.suspended)
    assert len(worker.pulse.outages) == 1
    assert again.pulse.outages == worker.pulse.outages
