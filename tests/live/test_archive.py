"""From the log to the database: once, completely, verifiably."""

from __future__ import annotations

import asyncio
from io import StringIO

import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import User
from games.live import replica as replica_module
from games.live.archive import archive
from games.live.host import Host
from games.live.log import key
from games.live.replay import replay
from games.live.seat import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.models import Match, Meeting, Record, Seat
from games.signals import match_archived
from tests.live.conftest import until
from tests.live.test_faults import archived
from tests.live.test_match import TWO, new_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def told():
    """What ratings would hear."""
    heard: list[tuple[str, object]] = []

    def listen(sender, match, outcome, **kwargs):
        heard.append((match.pk, outcome))

    match_archived.connect(listen)
    yield heard
    match_archived.disconnect(listen)


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
    assert [pk for pk, _ in told] == [match_id]
    assert row.duration_ms == replay(row).course.state.now
    assert row.log_entries == len(replay(row).entries)
    assert await Seat.objects.filter(match=row).acount() == 2
    assert await here.store.call("TTL", key(match_id, "log")) > 0


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


async def test_what_fails_inside_is_done_again_as_a_whole(here, told):
    def fail(sender, match, outcome, **kwargs):
        raise RuntimeError("ratings are ill")

    match_archived.connect(fail)
    match_id, ann = await finished_match(here)
    await until(lambda: ann.replica.over)
    with pytest.raises(RuntimeError):
        await archive(match_id)
    row = await Match.objects.aget(pk=match_id)
    assert (row.status, row.log, row.seed) == ("live", None, "")
    match_archived.disconnect(fail)
    await archive(match_id)  # or the host's own try, which goes on beside this one
    row = await archived(match_id)
    assert row.status == "over"
    assert row.log_entries == len(replay(row).entries)


async def test_the_archive_tells_every_viewer_what_they_saw(here):
    match_id, ann = await finished_match(here)
    heard = [event async for event in ann]
    again = replay(await archived(match_id))
    assert [said.event for said in again.events(0)] == heard
    view = again.start_view(0)
    for said in again.events(0):
        view = again.course.game.fold(view, said.event)
    assert view == ann.view
    times = [said.t for said in again.events(None)]
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


async def test_verify_match(here):
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
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    ann.replica._shift = 0
    for player in (ann, bob):
        await player.act({"type": "ready"})
    for cell in range(30):
        await ann.act({"type": "claim", "cell": cell})
    other = await make_host()
    late = await other.join(match_id)
    assert len(late.audience._history) < 20
    assert late.course.state == ann.replica.course.state
    assert late.course.counts == ann.replica.course.counts
    assert late.course.controllers == ann.replica.course.controllers
    assert late.since(0, late.course.count(0) - 3) is not None
    assert late.since(0, 1) is None


async def test_a_wrong_number_of_seats_is_refused(here):
    with pytest.raises(ValueError, match="players"):
        await create_match("claim", TWO[:1], {}, rated=False, source="solo")
    assert await Match.objects.acount() == 0
