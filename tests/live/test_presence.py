"""Presence over all processes."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.utils import timezone

from games.live import ends, seats
from games.live.archive import archive
from games.live.entry import DROP
from games.live.heartbeat import PROCESSES
from games.live.host import DUE, Host
from games.live.row import Command
from games.live.seat_client import SeatClient
from games.live.stored_log import match_key
from games.live.sweeper import Sweeper, close_lost
from games.models import Match
from games.redis import key
from tests.live.conftest import entries_of, until
from tests.live.test_match import new_match

pytestmark = pytest.mark.django_db(transaction=True)


async def die(host: Host) -> None:
    """Killed: not a word more, and its last heartbeat is long ago."""
    await host.heartbeat.close()
    now = host.heartbeat.now()
    await host.site.call("ZADD", key(PROCESSES), now - 60_000, host.process)
    for replica in host.replicas.values():
        replica.close()
    host.replicas.clear()


async def playing(here: Host, other: Host, seconds: int = 60) -> tuple[SeatClient, SeatClient]:
    match_id = await new_match(seconds)
    ann = await SeatClient.open(match_id, 0)
    bob = SeatClient(other, await other.join(match_id), 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    await until(lambda: ann.replica.state.state.phase == "live")
    return ann, bob


async def test_a_drop_starts_the_grace_and_a_return_ends_it(here):
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    bob.close()
    await until(lambda: not ann.replica.state.connected(1))
    again = await SeatClient.open(match_id, 1)
    await until(lambda: ann.replica.state.connected(1))
    again.close(leave=True)
    await until(lambda: not ann.replica.state.connected(1))
    kinds = [e.kind for e in await entries_of(ann.replica) if e.seat == 1]
    assert kinds == ["return", "action", "drop", "return", "leave"]


async def test_the_seats_of_a_dead_process_are_dropped_by_its_neighbour(here, make_host):
    other = await make_host()
    ann, _bob = await playing(here, other)
    await die(other)
    await until(lambda: not ann.replica.state.connected(1))
    drops = [e for e in await entries_of(ann.replica) if e.kind == "drop"]
    assert len(drops) == 1
    assert drops[0].body()["outage"]
    assert ann.replica.state.state.seats[1].excused


async def test_a_process_that_stops_excuses_its_players(here, make_host):
    other = await make_host()
    ann, _bob = await playing(here, other)
    await other.close()
    await until(lambda: not ann.replica.state.connected(1))
    assert ann.replica.state.state.seats[1].excused


async def test_a_player_who_hangs_up_is_not_excused(here, make_host):
    other = await make_host()
    ann, bob = await playing(here, other)
    bob.close()
    await until(lambda: not ann.replica.state.connected(1))
    assert not ann.replica.state.state.seats[1].excused


async def test_a_process_taken_for_dead_takes_its_seats_again(here, make_host):
    other = await make_host()
    ann, bob = await playing(here, other)
    token = bob.replica.state.controllers[1]
    ann.replica.seats.drop_dead(frozenset({here.process}), here.heartbeat.now())
    await until(lambda: bob.replica.state.controllers[1] not in ("", token))
    await until(lambda: ann.replica.state.connected(1))
    assert not bob.taken_over


async def test_a_late_drop_of_an_old_connection_is_void(here):
    match_id = await new_match()
    first = await SeatClient.open(match_id, 0)
    await until(lambda: first.replica.state.next == 2)
    old = first.replica.state.controllers[0]
    await SeatClient.open(match_id, 0)
    await until(lambda: first.taken_over)
    by_old = msgspec.json.encode({"by": old})
    first.replica.log.append(Command(DROP, 0, f"!drop:{old}", by_old))
    await until(lambda: first.replica.state.next == 4)
    assert first.replica.state.connected(0)


async def test_the_sweeper_ends_a_match_that_nobody_hosts(here, make_host, monkeypatch):
    monkeypatch.setattr(seats, "NEVER_CAME_MS", 0)
    match_id = await new_match(seconds=1)
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    await die(here)
    worker = await make_host(serving=False)
    await worker.site.call("ZADD", key(DUE), 0, match_id)
    sweeper = Sweeper(worker)
    handle = ends.one_by_one(lambda match_id, outcome: archive(match_id))
    while (await Match.objects.aget(pk=match_id)).status == "live":
        await sweeper.sweep()
        await ends.consume_new("archive", "test", handle)
    row = await Match.objects.aget(pk=match_id)
    assert (row.status, row.reason) == ("over", "time")
    assert await worker.site.call("ZSCORE", key(DUE), match_id) is None


async def test_the_sweeper_leaves_hosted_matches_alone(here, make_host):
    match_id = await new_match()
    await SeatClient.open(match_id, 0)
    worker = await make_host(serving=False)
    await worker.site.call("ZADD", key(DUE), 0, match_id)
    sweeper = Sweeper(worker)
    await sweeper.sweep()
    await until(lambda: match_id not in worker.replicas)
    score = float(await worker.site.call("ZSCORE", key(DUE), match_id))
    assert score > worker.heartbeat.now()


async def test_rows_without_a_log_are_closed(here):
    old = timezone.now() - timedelta(hours=1)
    match_id = await new_match()
    await Match.objects.filter(pk=match_id).aupdate(created_at=old)
    assert await close_lost(here) == []
    log, away = match_key(match_id, "log"), match_key(match_id, "away")
    await here.servers.call("RENAME", log, away)
    assert await close_lost(here) == [match_id]
    row = await Match.objects.aget(pk=match_id)
    assert (row.status, row.reason) == ("aborted", "lost")
    # Its log turns up, late or with a Redis that was away: the match counts as it was played.
    await here.servers.call("RENAME", away, log)
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
    await here.site.call("ZREM", key(DUE), match_id)
    await Match.objects.filter(pk=match_id).aupdate(created_at=timezone.now() - timedelta(hours=1))
    assert await close_lost(here) == []
    assert float(await here.site.call("ZSCORE", key(DUE), match_id)) <= here.heartbeat.now()
