"""From the log to the database: once, completely, verifiably."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from io import StringIO

import psycopg
import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction

from accounts.models import User
from games.live import ends
from games.live import replica as replica_module
from games.live.archive import Ended, archive, archive_all, store_all
from games.live.host import DUE, Host
from games.live.match_state import run
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.live.stored_log import match_key, read_entries
from games.live.sweeper import Sweeper
from games.models import Match, Meeting, Record, Seat
from games.rating import recompute
from games.redis import key
from games.replay import replay
from games.signals import matches_archived
from minesite.doctor import site as doctor
from minesite.doctor.finding import Level
from tests.in_step import InStep
from tests.live.conftest import until
from tests.live.test_faults import archived
from tests.live.test_match import TWO, new_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def told():
    """The matches that ratings would hear of."""
    heard: list[str] = []

    def listen(sender, matches, **kwargs):
        heard.extend(match.pk for match in matches)

    matches_archived.connect(listen)
    yield heard
    matches_archived.disconnect(listen)


async def finished_match(here: Host) -> tuple[str, SeatClient]:
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    for cell in range(4):
        await ann.act({"type": "claim", "cell": cell})
    await bob.act({"type": "surrender"})
    return match_id, ann


async def test_many_archive_at_once_and_one_does_it(here, told):
    match_id, _ann = await finished_match(here)
    await asyncio.gather(*(archive(match_id) for _ in range(8)))
    row = await archived(match_id)
    assert told == [match_id]
    assert row.duration_ms == replay(row).state.state.now
    assert row.log_entries == len(replay(row).entries)
    assert await Seat.objects.filter(match=row).acount() == 2
    assert await here.servers.call("TTL", match_key(match_id, "log")) > 0


async def test_meetings_and_records_are_counted_once(here):
    users = [await User.objects.acreate(username=name) for name in ("Anna", "Bert")]
    seats = [SeatInfo(user.pk, user.username, user.kind) for user in users]
    match_id = await create_match("claim", seats, {}, rated=False, source="queue")
    anna, bert = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (anna, bert):
        await player.act({"type": "ready"})
    await bert.act({"type": "surrender"})
    await asyncio.gather(*(archive(match_id) for _ in range(4)))
    await archived(match_id)
    met = [
        (row.user_id, row.opponent_id, row.name, row.result) async for row in Meeting.objects.all()
    ]
    assert sorted(met) == [
        (users[0].pk, users[1].pk, "bert", "win"),
        (users[1].pk, users[0].pk, "anna", "loss"),
    ]
    counted = {(row.user_id, row.opponent_id): (row.win, row.loss, row.draw)
               async for row in Record.objects.all()}  # fmt: skip
    one, two = (user.pk for user in users)
    assert counted == {(one, None): (1, 0, 0), (one, two): (1, 0, 0),
                       (two, None): (0, 1, 0), (two, one): (0, 1, 0)}  # fmt: skip


async def test_a_failed_archive_stores_nothing_and_is_done_again_as_a_whole(here, told):
    def fail(sender, matches, **kwargs):
        raise RuntimeError("ratings are ill")

    matches_archived.connect(fail)
    match_id, ann = await finished_match(here)
    await until(lambda: ann.replica.over)
    with pytest.raises(RuntimeError):
        await archive(match_id)
    row = await Match.objects.aget(pk=match_id)
    assert (row.status, row.log, row.seed) == ("live", None, "")
    matches_archived.disconnect(fail)
    await archive(match_id)
    row = await archived(match_id)
    assert row.status == "over"
    assert row.log_entries == len(replay(row).entries)


async def test_the_archive_tells_every_viewer_what_they_saw(here, archiving):
    match_id, ann = await finished_match(here)
    heard = [event async for event in ann]
    again = replay(await archived(match_id))
    assert [told.event for told in again.events(0)] == heard
    view = again.start_view(0)
    for told in again.events(0):
        view = again.state.game.fold(view, told.event)
    assert view == ann.view
    times = [told.t for told in again.events(None)]
    assert times == sorted(times)


@pytest.fixture
def own_connection_closed(transactional_db):
    """The test's own connection is cut too: a new one cleans up."""
    yield
    connection.close()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="nothing to cut in SQLite")
async def test_a_connection_to_the_database_that_broke_is_replaced(here, own_connection_closed):
    """Were it kept, nothing could be stored until the process is started again."""
    first, _ann = await finished_match(here)
    await archive(first)
    await sync_to_async(_cut_all_connections)()
    second, _ann = await finished_match(here)
    await archive(second)
    assert (await archived(second)).status == "over"


def _cut_all_connections() -> None:
    settings = connection.settings_dict
    own = {"dbname": settings["NAME"], "user": settings["USER"], "host": settings["HOST"]}
    with psycopg.connect(**own, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )


async def test_verify_match_finds_every_difference_from_the_log(here, archiving):
    match_id, _ann = await finished_match(here)
    await archived(match_id)
    call = sync_to_async(call_command)
    out = StringIO()
    await call("verify_match", match_id, stdout=out)
    assert "as its log says" in out.getvalue()
    await Seat.objects.filter(match_id=match_id, number=1).aupdate(rank=1)
    with pytest.raises(CommandError, match="rank"):
        await call("verify_match", match_id, stdout=out)
    await Match.objects.filter(pk=match_id).aupdate(commitment="0" * 64)
    with pytest.raises(CommandError, match="commitment"):
        await call("verify_match", match_id, stdout=out)
    with pytest.raises(CommandError, match="no match"):
        await call("verify_match", "nosuchmatch0", stdout=out)


async def test_a_late_joiner_starts_from_a_snapshot(here, make_host, monkeypatch):
    monkeypatch.setattr(replica_module, "SNAPSHOT_EVERY", 10)
    monkeypatch.setattr(replica_module, "crc32", lambda match_id: 4)  # when the snapshots are made
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    for cell in range(26):
        await ann.act({"type": "claim", "cell": cell})
    other = await make_host()
    late = await other.join(match_id)
    assert late.since(0, late.state.count(0) - 20) is None
    assert late.state.state == ann.replica.state.state
    assert late.state.counts == ann.replica.state.counts
    assert late.state.controllers == ann.replica.state.controllers
    assert late.since(0, late.state.count(0) - 3) is not None
    assert late.since(0, 1) is None


async def test_a_wrong_number_of_seats_is_refused(here):
    with pytest.raises(ValueError, match="players"):
        await create_match("claim", TWO[:1], {}, rated=False, source="solo")
    assert await Match.objects.acount() == 0


async def test_an_end_that_cannot_be_stored_is_kept_and_holds_nobody_up(here, monkeypatch):
    monkeypatch.setattr(ends, "AGAIN_AFTER_MS", 0)
    bad, _ann = await finished_match(here)
    good, _ann = await finished_match(here)
    tried = []

    @ends.one_by_one
    async def handle(match_id, outcome):
        tried.append(match_id)
        if match_id == bad and len(tried) < 100:
            raise ValueError("no such column")
        await archive(match_id)

    async def pending():
        return (await here.site.call("XPENDING", key(ends.STREAM), ends.ARCHIVE))[0]

    await archived_by(good, handle)
    while not await ends.has_failed(ends.ARCHIVE, bad):
        await ends.consume_new(ends.ARCHIVE, "test", handle)
    assert tried.count(bad) == ends.TRIES
    assert tried.count(good) == 1
    assert await pending() == 0
    assert await ends.failed(ends.ARCHIVE) == {bad: "ValueError: no such column"}
    (found,) = await doctor.stuck_ends()
    assert found.level is Level.PROBLEM
    assert bad in found.text

    # Its log stays, and the sweeper asks for it again: once, and after a pause.
    assert await here.servers.call("TTL", match_key(bad, "log")) == -1
    await here.site.call("ZADD", key(DUE), "XX", 0, bad)
    sweeper = Sweeper(here)
    while float(await here.site.call("ZSCORE", key(DUE), bad)) < here.heartbeat.now() + 60_000:
        await sweeper.sweep()
    await ends.consume_new(ends.ARCHIVE, "test", handle)
    assert tried.count(bad) == ends.TRIES + 1
    assert await pending() == 0

    tried += [""] * 100  # the cause is gone
    await here.site.call("ZADD", key(DUE), "XX", 0, bad)
    while (await Match.objects.aget(pk=bad)).status == "live":
        await sweeper.sweep()
        await ends.consume_new(ends.ARCHIVE, "test", handle)
    assert await ends.failed(ends.ARCHIVE) == {}


async def test_one_bad_match_of_a_batch_keeps_none_of_the_others_out(here, told):
    matches = [(await finished_match(here))[0] for _ in range(4)]
    bad = matches[1]

    def fail(sender, matches, **kwargs):
        if any(match.pk == bad for match in matches):
            raise RuntimeError("ratings are ill")

    matches_archived.connect(fail)
    try:
        done = await archive_all(matches)
    finally:
        matches_archived.disconnect(fail)
    assert {pk: done[pk] for pk in matches if pk != bad} == dict.fromkeys(
        (pk for pk in matches if pk != bad), True
    )
    assert isinstance(done[bad], RuntimeError)
    row = await Match.objects.aget(pk=bad)
    assert (row.status, row.log) == ("live", None)
    assert await here.servers.call("TTL", match_key(bad, "log")) == -1
    told.clear()
    assert await archive_all(matches) == {pk: pk == bad for pk in matches}
    assert told == [bad]


async def rated_matches(here: Host, names: str, pairs: list[tuple[int, int]]) -> list[Ended]:
    """Finished matches between players of these names, not archived yet."""
    users = [
        (await User.objects.aget_or_create(username=name, kind=User.Kind.REGISTERED))[0]
        for name in names.split()
    ]
    seats = [SeatInfo(user.pk, user.username, user.kind) for user in users]
    ended = []
    for one, two in pairs:
        match_id = await create_match(
            "claim", [seats[one], seats[two]], {}, rated=True, source="queue"
        )
        players = [await SeatClient.open(match_id, number) for number in (0, 1)]
        for player in players:
            await player.act({"type": "ready"})
        for cell in range(6):
            await players[cell % 2].act({"type": "claim", "cell": cell})
        await players[1].act({"type": "surrender"})
        entries = await read_entries(here.servers, match_id)
        state, _events = run(entries)
        outcome = state.outcome()
        assert outcome is not None
        ended.append(Ended(match_id, state, outcome, entries))
    return ended


async def test_batches_that_share_matches_and_players_store_each_match_once(here):
    pairs = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)]
    ended = await rated_matches(here, "Anna Bert Cleo", pairs)
    done = await asyncio.gather(
        *(
            database_sync_to_async(store_all, thread_sensitive=False)(batch)
            for batch in (ended, ended[::-1], ended[3:] + ended[:3])
        )
    )
    assert [sum(batch[one.match_id] for batch in done) for one in ended] == [1] * 6
    assert await Meeting.objects.acount() == 12
    assert await sync_to_async(recompute)() == {"matches": 6, "ratings": 3, "different": 0}


def after(statements: int) -> Callable[[str], bool]:
    """The second one begins after so many statements of the first that lock anything."""

    def begins(sql: str) -> bool:
        nonlocal statements
        statements -= sql.startswith(("INSERT", "UPDATE")) or "UPDATE" in sql[-20:]
        return statements <= 0

    return begins


async def stored_in_step(here: Host, statements: int) -> None:
    """Two archivers store batches that share players, in opposite orders."""
    there = [(0, 1), (0, 2), (2, 3)]
    back = [(3, 2), (3, 1), (1, 0)]
    first = await rated_matches(here, "Anna Bert Cleo Dora", there)
    second = await rated_matches(here, "Anna Bert Cleo Dora", back)
    in_step = InStep[dict[str, bool | Exception]](after(statements))
    done = await asyncio.to_thread(in_step.run, lambda: store_all(first), lambda: store_all(second))
    assert done[0] | done[1] == dict.fromkeys((one.match_id for one in (*first, *second)), True)
    assert await sync_to_async(recompute)() == {"matches": 6, "ratings": 4, "different": 0}


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
@pytest.mark.parametrize("statements", [1, 3, 5, 8, 13])
async def test_archivers_whose_batches_share_players_never_wait_in_a_ring(here, caplog, statements):
    await stored_in_step(here, statements)
    assert "one by one" not in caplog.text  # PostgreSQL breaks a ring by failing one of them


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
async def test_a_ring_is_seen():
    """The test above fails if archivers come to lock players match by match."""
    names = "Anna", "Bert"
    users = [(await User.objects.acreate(username=name)).pk for name in names]

    def lock(*users: int) -> None:
        with transaction.atomic():
            for user in users:
                User.objects.select_for_update(no_key=True).get(pk=user)

    with pytest.raises(OperationalError, match="deadlock"):
        await asyncio.to_thread(
            InStep[None](after(1)).run, lambda: lock(*users), lambda: lock(*reversed(users))
        )


async def archived_by(match_id, handle):
    while (await Match.objects.aget(pk=match_id)).status == "live":
        await ends.consume_new(ends.ARCHIVE, "test", handle)


async def test_a_match_whose_server_is_away_holds_nobody_up(here, monkeypatch, archiving):
    reachable: set[str] = set()
    monkeypatch.setattr(ends, "AGAIN_AFTER_MS", 100)
    monkeypatch.setattr(ends, "TRIES", 2)
    monkeypatch.setattr(Host, "is_reachable", lambda self, match_id: match_id in reachable)
    away, *others = [(await finished_match(here))[0] for _ in range(3)]
    reachable |= set(others)
    for match_id in others:
        await archived(match_id)
    assert (await Match.objects.aget(pk=away)).status == Match.Status.LIVE
    reachable.add(away)
    await archived(away)
