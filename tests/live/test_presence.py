"""Who is there, over all processes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.live import seating
from games.live.archive import archive
from games.live.host import Host
from games.live.log import DUE, key
from games.live.pulse import KEYS
from games.live.seat import SeatClient
from games.live.sweeper import Sweeper, close_lost
from games.models import Match
from tests.live.conftest import until
from tests.live.test_match import new_match

pytestmark = pytest.mark.django_db(transaction=True)


async def die(host: Host) -> None:
    """Killed: not a word more, and its last beat is long ago."""
    await host.store.call("ZADD", KEYS[0], host.pulse.now() - 60_000, host.pulse.process)
    host.pulse._task.cancel()
    for ear in host.store._ears.values():
        ear._listeners.clear()
    for replica in host.replicas.values():
        replica.close()
    host.replicas.clear()


async def playing(here: Host, other: Host, seconds: int = 60) -> tuple[SeatClient, SeatClient]:
    match_id = await new_match(seconds)
    ann = await SeatClient.open(match_id, 0)
    bob = SeatClient(other, await other.join(match_id), 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    await until(lambda: ann.replica.course.state.phase == "live")
    return ann, bob


async def test_a_drop_starts_the_grace_and_a_return_ends_it(here):
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    bob.close()
    await until(lambda: not ann.replica.course.connected(1))
    again = await SeatClient.open(match_id, 1)
    await until(lambda: ann.replica.course.connected(1))
    again.close(leave=True)
    await until(lambda: not ann.replica.course.connected(1))
    kinds = [e.kind for e in await ann.replica.log.read() if e.seat == 1]
    assert kinds == ["return", "action", "drop", "return", "leave"]


async def test_the_seats_of_a_dead_process_are_dropped_by_its_neighbour(here, make_host):
    other = await make_host()
    ann, _bob = await playing(here, other)
    await die(other)
    await until(lambda: not ann.replica.course.connected(1))
    drops = [e for e in await ann.replica.log.read() if e.kind == "drop"]
    assert len(drops) == 1


async def test_a_process_taken_for_dead_takes_its_seats_again(here, make_host):
    other = await make_host()
    ann, bob = await playing(here, other)
    token = bob.replica.course.controllers[1]
    ann.replica.seatings.drop_the_dead(frozenset({here.pulse.process}), here.pulse.now())
    await until(lambda: bob.replica.course.controllers[1] not in ("", token))
    await until(lambda: ann.replica.course.connected(1))
    assert not bob.taken_over


async def test_a_late_drop_of_an_old_connection_is_void(here):
    match_id = await new_match()
    first = await SeatClient.open(match_id, 0)
    await until(lambda: first.replica.course.next == 2)
    old = first.replica.course.controllers[0]
    await SeatClient.open(match_id, 0)
    await until(lambda: first.taken_over)
    first.replica.seatings._append("drop", 0, f"!drop:{old}", old)
    await until(lambda: first.replica.course.next == 4)
    assert first.replica.course.connected(0)


async def test_the_sweeper_ends_a_match_that_nobody_hosts(here, make_host, monkeypatch):
    monkeypatch.setattr(seating, "NEVER_CAME_MS", 0)
    match_id = await new_match(seconds=1)
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    await die(here)
    worker = await make_host(serving=False)
    await worker.store.call("ZADD", DUE, 0, match_id)
    sweeper = Sweeper(worker)
    while (await Match.objects.aget(pk=match_id)).status == "live":
        await sweeper.sweep()
    row = await Match.objects.aget(pk=match_id)
    assert (row.status, row.reason) == ("over", "time")
    assert await worker.store.call("ZSCORE", DUE, match_id) is None


async def test_the_sweeper_leaves_hosted_matches_alone(here, make_host):
    match_id = await new_match()
    await SeatClient.open(match_id, 0)
    worker = await make_host(serving=False)
    await worker.store.call("ZADD", DUE, 0, match_id)
    sweeper = Sweeper(worker)
    await sweeper.sweep()
    await until(lambda: match_id not in worker.replicas)
    assert not sweeper._held
    score = float(await worker.store.call("ZSCORE", DUE, match_id))
    assert score > worker.pulse.now()


async def test_rows_without_a_log_are_closed(here):
    old = timezone.now() - timedelta(hours=1)
    match_id = await new_match()
    await Match.objects.filter(pk=match_id).aupdate(created_at=old)
    assert await close_lost(here) == []
    await here.store.call("RENAME", key(match_id, "log"), here.store.key(key(match_id, "away")))
    assert await close_lost(here) == [match_id]
    row = await Match.objects.aget(pk=match_id)
    assert (row.status, row.reason) == ("aborted", "lost")
    # Its log turns up, late or with a Redis that was away: the match counts as it was played.
    await here.store.call("RENAME", key(match_id, "away"), here.store.key(key(match_id, "log")))
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    await bob.act({"type": "surrender"})
    await until(lambda: ann.replica.over)
    await archive(match_id)
    row = await Match.objects.aget(pk=match_id)
    assert (row.status, row.reason) == ("over", ann.replica.over.reason)


async def test_a_match_whose_maker_died_before_it_said_when_to_look_is_looked_after(here):
    match_id = await new_match()
    await here.store.call("ZREM", DUE, match_id)
    await Match.objects.filter(pk=match_id).aupdate(created_at=timezone.now() - timedelta(hours=1))
    assert await close_lost(here) == []
    assert float(await here.store.call("ZSCORE", DUE, match_id)) <= here.pulse.now()
