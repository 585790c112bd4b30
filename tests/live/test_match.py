"""A match in one or more processes: the log decides, every replica agrees."""

from __future__ import annotations

import asyncio
import gc

import pytest

from games.access import Identity
from games.engine import viewing
from games.live import replica as replica_module
from games.live.archive import archive
from games.live.log import Writer
from games.live.replica import SEAT_BURST
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.socket import MatchSocket
from games.live.start import create_match
from games.live.stored_log import match_key
from games.models import Match
from games.redis.servers import slot
from games.replay import problems, state_hash
from tests.live.conftest import entries_of, until

pytestmark = pytest.mark.django_db(transaction=True)

TWO = [SeatInfo(None, "ann", "guest"), SeatInfo(None, "bob", "guest")]


async def new_match(seconds: int = 60) -> str:
    return await create_match("claim", TWO, {"seconds": seconds}, rated=False, source="queue")


async def test_two_seats_play_to_the_end_and_the_archive_tells_the_same(here, archiving):
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    assert (await ann.act({"type": "ready"})).stored
    assert (await bob.act({"type": "ready"})).stored
    assert (await ann.act({"type": "claim", "cell": 5})).stored
    refused = await bob.act({"type": "claim", "cell": 5})
    assert refused.code == "taken"
    assert (await bob.act({"type": "surrender"})).stored
    heard = [event["type"] async for event in bob]
    assert heard == ["ready", "ready", "started", "claimed", "retired", "over"]
    assert [event["type"] async for event in ann] == heard
    assert ann.view["game"]["owners"][5] == 0
    assert ann.view["outcome"]["ranks"] == [1, 2]

    async def archived() -> Match:
        return await Match.objects.prefetch_related("seats").aget(pk=match_id)

    row = await archived()
    while row.status == "live":
        row = await archived()
    assert [(s.rank, s.result) for s in row.seats.all()] == [(1, "win"), (2, "loss")]
    assert problems(row) == []
    assert await archive(match_id) is False


async def test_replicas_in_two_processes_agree(here, make_host):
    match_id = await new_match()
    other = await make_host()
    ann = await SeatClient.open(match_id, 0)
    replica = await other.join(match_id)
    bob = SeatClient(other, replica, 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    await until(lambda: ann.replica.state.state.phase == "live")
    for cell in range(20):
        assert (await (ann, bob)[cell % 2].act({"type": "claim", "cell": cell})).stored
    await until(lambda: ann.replica.state.next == replica.state.next)
    assert state_hash(ann.replica.state) == state_hash(replica.state)
    assert ann.replica.log.proposer.others == {other.process}


async def test_a_player_of_a_text_protocol_is_never_kept_from_playing_or_leaving_by_the_seat_limit(
    here,
):
    """50 messages a second are taken without complaint; the sockets' own limits see to the rest."""
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    await until(lambda: ann.replica.state.state.phase == "live")
    claims = ({"type": "claim", "cell": cell} for cell in range(200))
    assert all(done.stored for done in await asyncio.gather(*map(ann.act, claims)))
    assert (await ann.act({"type": "surrender"})).stored


async def test_a_repeated_command_counts_once_and_is_acknowledged_again(here):
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    assert (await ann.act({"type": "claim", "cell": 1}, "x1")).stored
    assert (await ann.act({"type": "claim", "cell": 1}, "x1")).stored
    assert (await bob.act({"type": "claim", "cell": 1}, "x1")).code == "taken"
    assert sum(e.cid == "x1" for e in await entries_of(ann.replica)) == 1


async def started(match_id: str) -> tuple[SeatClient, SeatClient]:
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    await until(lambda: ann.replica.state.state.phase == "live")
    return ann, bob


async def test_a_command_repeated_while_it_is_on_its_way_is_stored_once(here):
    ann, _bob = await started(await new_match())
    action = {"type": "claim", "cell": 1}
    both = await asyncio.gather(*(ann.act(action, "x1") for _ in range(2)))
    assert all(one.stored for one in both)
    assert sum(e.cid == "x1" for e in await entries_of(ann.replica)) == 1


async def test_a_command_repeated_at_a_process_that_has_not_heard_of_it_is_stored_once(
    here, make_host
):
    """It doesn't host the match, so nobody publishes to it: it is out of date."""
    match_id = await new_match()
    ann, _bob = await started(match_id)
    other = await make_host()
    late = await other.join(match_id)
    for cell in range(3):
        assert (await ann.act({"type": "claim", "cell": cell}, f"x{cell}")).stored
    assert late.state.next < ann.replica.state.next
    act = late.act
    again = await asyncio.gather(
        *(act(0, f"x{cell}", b'{"type":"claim","cell":%d}' % cell) for cell in (2, 1, 0))
    )
    assert all(one.stored for one in again)
    cids = [e.cid for e in await entries_of(ann.replica)]
    assert [cids.count(f"x{cell}") for cell in range(3)] == [1, 1, 1]


async def test_a_move_that_is_legal_only_by_news_is_looked_at_again(here, make_host):
    """A player saw the match begin, lost the connection, and moves at a process that is behind."""
    match_id = await new_match()
    other = await make_host()
    late = await other.join(match_id)
    ann, _bob = await started(match_id)
    assert late.state.state.phase == "setup"
    assert (await late.act(0, "x1", b'{"type":"claim","cell":1}')).stored
    await until(lambda: ann.replica.state.stored_as(0, "x1"))
    assert (await late.act(0, "x2", b'{"type":"claim","cell":1}')).code == "taken"


async def test_a_repeated_command_over_the_limit_is_still_acknowledged(here):
    """A refusal says that the command is not stored: that holds above the limit, too."""
    ann, _bob = await started(await new_match())
    replica, answers = ann.replica, []

    def submit(serial):
        raw = b'{"type":"claim","cell":%d}' % serial
        now = asyncio.get_running_loop().time()
        replica.submit(0, f"x{serial}", raw, lambda cid, answer: answers.append(answer), now)

    for serial in range(int(SEAT_BURST) + 1):
        submit(serial)
    await until(lambda: len(answers) == SEAT_BURST + 1)
    assert [one.code for one in answers if not one.stored] == ["rate_limited"]
    answers.clear()
    submit(0)
    await until(lambda: answers)
    assert answers[0].stored


async def test_a_snapshot_remembers_the_commands(here, make_host, monkeypatch):
    monkeypatch.setattr(replica_module, "SNAPSHOT_EVERY", 1)
    match_id = await new_match()
    ann, _bob = await started(match_id)
    assert (await ann.act({"type": "claim", "cell": 1}, "x1")).stored
    replica = await (await make_host()).join(match_id)
    assert replica.state.stored_as(0, "x1") == ann.replica.state.stored_as(0, "x1")
    assert (await replica.act(0, "x1", b'{"type":"claim","cell":1}')).stored
    assert sum(e.cid == "x1" for e in await entries_of(ann.replica)) == 1


async def test_commands_behind_an_illegal_one_keep_their_order(here):
    ann, bob = await started(await new_match())
    assert (await bob.act({"type": "claim", "cell": 1})).stored
    cells = (2, 1, 3, 1, 4)
    answers = await asyncio.gather(*(ann.act({"type": "claim", "cell": c}) for c in cells))
    assert [one.code for one in answers] == ["", "taken", "", "taken", ""]
    stored = [e.body()["cell"] for e in await entries_of(ann.replica) if b"cell" in e.data]
    assert stored == [1, 2, 3, 4]


async def test_time_ends_a_match(here):
    match_id = await new_match(seconds=1)
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    events = [event async for event in ann]
    assert events[-1]["outcome"]["reason"] == "time"
    kinds = [e.kind for e in await entries_of(ann.replica)]
    assert kinds.count("tick") == 1


async def test_a_penalty_ends_by_the_clock_though_nothing_else_happens(here):
    """Only entries move a match's time: a check that looked no further would lock for good."""
    deal = b'{"mines": [0, 6, 21, 27], "start": 3}'
    options = {"width": 7, "height": 4, "mines": 4, "penalty_seconds": 1}
    match_id = await create_match("race", TWO, options, rated=False, source="queue", deal=deal)
    ann, _bob = await started(match_id)
    assert (await ann.act({"type": "reveal", "cell": 0})).stored
    assert (await ann.act({"type": "reveal", "cell": 7})).code == "locked"
    async with asyncio.timeout(20):
        while not (await ann.act({"type": "reveal", "cell": 7})).stored:
            await asyncio.sleep(0.01)
    entries = await entries_of(ann.replica)
    assert entries[-1].t - entries[-2].t >= 1000


async def test_a_newer_connection_takes_the_seat(here, make_host):
    match_id = await new_match()
    other = await make_host()
    first = await SeatClient.open(match_id, 0)
    second = SeatClient(other, await other.join(match_id), 0)
    await until(lambda: first.taken_over)
    assert not second.taken_over
    first.close()
    await second.act({"type": "ready"})
    assert second.view["seats"][0]["connected"]


async def test_a_callback_that_fails_costs_the_other_players_nothing(here):
    ann, _bob = await started(await new_match())
    replica, got, now = ann.replica, [], asyncio.get_running_loop().time()
    assert (await ann.act({"type": "claim", "cell": 9})).stored

    def bad(cid, result):
        raise ValueError("on purpose")

    replica.submit(0, "m1", b'{"type":"claim","cell":1}', bad, now)
    replica.submit(1, "m2", b'{"type":"claim","cell":2}', lambda *told: got.append(told), now)
    await until(lambda: got)
    assert list(replica.state.state.game.owners[1:3]) == [0, 1]


async def test_staff_who_abort_together_or_do_not_wait(here):
    ann, bob = await started(await new_match())
    abort = ann.replica.abort
    impatient = asyncio.ensure_future(abort("!staff", b'{"reason":"staff"}'))
    await asyncio.sleep(0)
    impatient.cancel()
    second = await abort("!staff", b'{"reason":"staff"}')
    assert second.stored
    await until(lambda: bob.replica.over is not None)


async def test_the_outcome_of_a_state_at_which_the_rules_failed_is_not_believed(here, monkeypatch):
    ann, bob = await started(await new_match())
    replica, ends = ann.replica, []
    assert (await ann.act({"type": "claim", "cell": 9})).stored
    disclosure = viewing.disclosure

    def failing(rules, state):
        monkeypatch.setattr(viewing, "disclosure", disclosure)
        raise ValueError("on purpose")

    monkeypatch.setattr(viewing, "disclosure", failing)
    monkeypatch.setattr(here, "ended", lambda replica: ends.append(replica.over.reason))
    await bob.act({"type": "surrender"})
    await until(lambda: ends)
    assert ends == ["fault"]
    assert replica.over.aborted


async def test_a_first_row_that_a_fail_over_lost_is_written_again(here, monkeypatch):
    confirm, lost = Writer.confirm, []

    async def losing(self, log_key):
        if not lost:
            lost.append(await here.servers.call("DEL", log_key))
        await confirm(self, log_key)

    monkeypatch.setattr(Writer, "confirm", losing)
    match_id = await new_match()
    assert lost == [1]
    assert (await here.join(match_id)).state.next == 1


async def test_a_fail_over_while_a_match_is_loaded_leaves_no_gap_in_its_log(
    here, make_host, monkeypatch
):
    match_id = await new_match()
    ann, _bob = await started(match_id)
    assert (await ann.act({"type": "claim", "cell": 9})).stored
    log = match_key(match_id, "log")
    rows = await here.servers.call("XRANGE", log, "-", "+")
    other = await make_host()
    confirm = Writer.confirm

    async def failing_over(self, log_key):
        """The new primary lacks the last row."""
        await other.servers.call("DEL", log)
        for identity, (process, value) in rows[:-1]:
            await other.servers.call("XADD", log, identity, process, value)
        other.servers.node(slot(log)).connections += 1
        await confirm(self, log_key)

    monkeypatch.setattr(Writer, "confirm", failing_over)
    replica = await other.join(match_id)
    assert (await replica.act(1, "b1", b'{"type":"claim","cell":8}')).stored
    stored = await here.servers.call("XRANGE", log, "-", "+")
    assert stored[: len(rows)] == rows
    assert [identity for identity, _row in stored] == [
        b"%d-0" % number for number in range(1, len(stored) + 1)
    ]


async def test_a_client_that_goes_before_it_is_accepted_leaves_no_timer(here):
    def sockets() -> int:
        gc.collect()
        return sum(type(one) is MatchSocket for one in gc.get_objects())

    before = sockets()
    MatchSocket(here, "m", Identity())
    assert sockets() <= before
