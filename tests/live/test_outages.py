"""Time during which the site was down is never held against a player."""

from __future__ import annotations

import time

import pytest

from games.live import heartbeat
from games.live.heartbeat import ALIVE, GAP_MS, OUTAGES
from games.live.row import Command, Row
from games.live.seat_client import SeatClient
from games.live.stored_log import match_key
from games.redis import key, sync_redis
from tests.live.conftest import cut, entries_of, until
from tests.live.test_match import new_match

pytestmark = pytest.mark.django_db(transaction=True)


async def was_down(host, ms: int) -> None:
    """As if no web process had sent a heartbeat for so long."""
    await host.site.call("SET", key(ALIVE), host.heartbeat.now() - ms)


def stand_still(seconds: float) -> None:
    """Nothing else runs in this event loop meanwhile."""
    time.sleep(seconds)


async def test_an_outage_is_in_every_log_once_and_moves_the_clock(here, make_host):
    other = await make_host()
    match_id = await new_match()
    ann = await SeatClient.open(match_id, 0)
    bob = SeatClient(other, await other.join(match_id), 1)
    await until(lambda: ann.replica.state.next == bob.replica.state.next == 3)
    due, origin = ann.replica.timer.due, ann.replica.state.state.origin
    await was_down(here, 40_000)
    await until(lambda: here.heartbeat.outages and other.heartbeat.outages)
    outage = here.heartbeat.outages[0]
    assert 39_000 < outage.end - outage.start < 45_000
    await until(lambda: ann.replica.state.state.origin > origin)
    moved = ann.replica.state.state.origin - origin
    # The match is younger than the outage: it stood still since its last entry.
    assert 0 < moved <= outage.end - outage.start
    await until(lambda: bob.replica.state.state == ann.replica.state.state)
    assert ann.replica.timer.due == due + moved
    assert [e.kind for e in await entries_of(ann.replica)].count("outage") == 1


async def test_nothing_goes_before_the_outage(here):
    """A process that was out of touch learns of the outage before it appends what waits."""
    match_id = await new_match()
    ann = await SeatClient.open(match_id, 0)
    await until(lambda: ann.replica.state.next == 2)
    # The clock of Redis is known here to some milliseconds.
    await until(lambda: here.heartbeat.now() > ann.replica.log.proposer.time + 50)
    await was_down(here, 20_000)
    await cut(here.servers.node(ann.replica.log.slot))
    assert (await ann.act({"type": "ready"})).stored
    kinds = [e.kind for e in await entries_of(ann.replica)]
    assert kinds == ["setup", "return", "outage", "action"]


async def test_a_process_that_slept_sends_a_heartbeat_before_it_appends(here, monkeypatch):
    match_id = await new_match()
    ann = await SeatClient.open(match_id, 0)
    await until(lambda: ann.replica.state.next == 2)
    # The clock of Redis is known here to some milliseconds.
    await until(lambda: here.heartbeat.now() > ann.replica.log.proposer.time + 50)
    monkeypatch.setattr(heartbeat, "EVERY", 600.0)
    monkeypatch.setattr(heartbeat, "STALE", 0.5)
    await until(lambda: not here.heartbeat.is_answered)
    await was_down(here, 20_000)
    assert (await ann.act({"type": "ready"})).stored
    kinds = [e.kind for e in await entries_of(ann.replica)]
    assert kinds == ["setup", "return", "outage", "action"]


async def test_a_busy_event_loop_is_no_outage(here):
    """The heartbeats come from a thread of their own."""
    match_id = await new_match()
    ann = await SeatClient.open(match_id, 0)
    await until(lambda: ann.replica.state.next == 2)
    stand_still((GAP_MS + 800) / 1000)
    assert (await ann.act({"type": "ready"})).stored
    assert here.heartbeat.outages == []
    assert [e.kind for e in await entries_of(ann.replica)] == ["setup", "return", "action"]


async def test_a_loop_that_hangs_for_good_counts_as_dead(here, monkeypatch):
    monkeypatch.setattr(heartbeat, "HUNG", 0.3)
    monkeypatch.setattr(heartbeat, "EVERY", 0.05)
    stand_still(1.0)
    alive = int(sync_redis().get(key(ALIVE)))  # before the loop runs again, and tells that it does
    assert here.heartbeat.now() - alive > 400
    await until(lambda: here.heartbeat.is_fresh())


async def test_outages_missed_by_an_unhosted_match_count_together(here, make_host):
    match_id = await new_match(seconds=100)
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    await until(lambda: ann.replica.state.state.phase == "live")
    entries = await entries_of(ann.replica)
    # It was played a minute ago, before two outages; then a new process meets it.
    log = match_key(match_id, "log")
    await here.servers.call("DEL", log, match_key(match_id, "snap"))  # some ids snapshot at once
    for number, e in enumerate(entries, 1):
        row = Row(number, "dead", e.t - 60_000, [Command(e.kind, e.seat, e.cid, e.data)])
        await here.servers.call("XADD", log, f"{number}-0", "dead", row.encode())
    now = entries[-1].t - 60_000
    for start, end in [(now + 1_000, now + 31_000), (now + 41_000, now + 51_000)]:
        await here.site.call("ZADD", key(OUTAGES), end, f"{start}:{end}")
    origin = ann.replica.state.state.origin - 60_000
    other = await make_host()
    replica = await other.join(match_id)
    await until(lambda: replica.state.state.origin > origin)
    assert replica.state.state.origin - origin == 40_000
    assert replica.state.state.now < 25_000


async def test_workers_alone_do_not_make_a_site(make_host):
    """While only a worker lives, no clock runs; when a web process comes, the pause counts."""
    web, worker = await make_host(), await make_host(serving=False)
    assert not worker.heartbeat.suspended
    await web.close()
    await was_down(worker, GAP_MS + 10_000)
    await until(lambda: worker.heartbeat.suspended)
    assert not worker.heartbeat.outages
    again = await make_host()
    await until(lambda: not worker.heartbeat.suspended)
    await until(lambda: worker.heartbeat.outages)
    assert len(worker.heartbeat.outages) == 1
    assert again.heartbeat.outages == worker.heartbeat.outages
