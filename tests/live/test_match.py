"""A match in one or more processes: the log decides, every replica agrees."""

from __future__ import annotations

import asyncio

import pytest

from games.engine import viewing
from games.live.appends import APPENDED
from games.live.archive import archive
from games.live.entry import ACTION, Entry
from games.live.log import Log, key
from games.live.replay import problems, state_hash
from games.live.resp import Refused
from games.live.seat import SeatClient
from games.live.settings import SEAT_BURST
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.models import Match
from tests.live.conftest import until

pytestmark = pytest.mark.django_db(transaction=True)

TWO = [SeatInfo(None, "ann", "guest"), SeatInfo(None, "bob", "guest")]


async def new_match(seconds: int = 60) -> str:
    return await create_match("claim", TWO, {"seconds": seconds}, rated=False, source="queue")


async def test_two_seats_play_to_the_end_and_the_archive_tells_the_same(here):
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
    await until(lambda: ann.replica.course.state.phase == "live")
    for cell in range(20):
        assert (await (ann, bob)[cell % 2].act({"type": "claim", "cell": cell})).stored
    await until(lambda: ann.replica.course.next == replica.course.next)
    assert state_hash(ann.replica.course) == state_hash(replica.course)


async def test_a_player_of_a_text_protocol_is_never_kept_from_playing_or_leaving_by_the_seat_limit(
    here,
):
    """50 messages a second are taken without complaint; the sockets' own limits see to the rest."""
    match_id = await new_match()
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    await until(lambda: ann.replica.course.state.phase == "live")
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
    assert sum(e.cid == "x1" for e in await ann.replica.log.read()) == 1


async def started(match_id: str) -> tuple[SeatClient, SeatClient]:
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    await until(lambda: ann.replica.course.state.phase == "live")
    return ann, bob


async def test_a_command_repeated_while_it_is_on_its_way_is_stored_once(here):
    ann, _bob = await started(await new_match())
    action = {"type": "claim", "cell": 1}
    both = await asyncio.gather(*(ann.act(action, "x1") for _ in range(2)))
    assert all(one.stored for one in both)
    assert sum(e.cid == "x1" for e in await ann.replica.log.read()) == 1


async def test_a_command_repeated_at_a_process_that_has_not_heard_of_it_is_stored_once(
    here, make_host
):
    """Its pre-check, its memory and its place in the log are all out of date."""
    match_id = await new_match()
    ann, _bob = await started(match_id)
    other = await make_host()
    late = await other.join(match_id)
    other.store.forget(key(match_id, "new"))
    for cell in range(3):
        assert (await ann.act({"type": "claim", "cell": cell}, f"x{cell}")).stored
    assert late.course.next < ann.replica.course.next
    act = late.commands.act
    again = await asyncio.gather(
        *(act(0, f"x{cell}", b'{"type":"claim","cell":%d}' % cell) for cell in (2, 1, 0))
    )
    assert all(one.stored for one in again)
    cids = [e.cid for e in await ann.replica.log.read()]
    assert [cids.count(f"x{cell}") for cell in range(3)] == [1, 1, 1]


async def test_a_move_that_is_legal_only_by_news_is_looked_at_again(here, make_host):
    """A player saw the match begin, lost the connection, and moves at a process that is behind."""
    match_id = await new_match()
    other = await make_host()
    late = await other.join(match_id)
    other.store.forget(key(match_id, "new"))
    ann, _bob = await started(match_id)
    assert late.course.state.phase == "setup"
    assert (await late.commands.act(0, "x1", b'{"type":"claim","cell":1}')).stored
    await until(lambda: ann.replica.course.stored_as(0, "x1"))
    assert (await late.commands.act(0, "x2", b'{"type":"claim","cell":1}')).code == "taken"


async def test_a_repeated_command_over_the_limit_is_still_acknowledged(here):
    """What is refused is not stored: that holds for who sends too much, too."""
    ann, _bob = await started(await new_match())
    commands, answers = ann.replica.commands, []

    def submit(serial):
        raw = b'{"type":"claim","cell":%d}' % serial
        now = asyncio.get_running_loop().time()
        commands.submit(0, f"x{serial}", raw, lambda cid, answer: answers.append(answer), now)

    for serial in range(int(SEAT_BURST) + 1):
        submit(serial)
    await until(lambda: len(answers) == SEAT_BURST + 1)
    assert [one.code for one in answers if not one.stored] == ["rate_limited"]
    answers.clear()
    submit(0)
    assert answers[0].stored


async def test_a_snapshot_remembers_the_commands(here, make_host):
    match_id = await new_match()
    ann, _bob = await started(match_id)
    assert (await ann.act({"type": "claim", "cell": 1}, "x1")).stored
    ann.replica.log.snapshot(ann.replica.course.dump())
    replica = await (await make_host()).join(match_id)
    assert replica.course.stored_as(0, "x1") == ann.replica.course.stored_as(0, "x1")
    assert (await replica.commands.act(0, "x1", b'{"type":"claim","cell":1}')).stored
    assert sum(e.cid == "x1" for e in await ann.replica.log.read()) == 1


async def test_commands_behind_an_illegal_one_keep_their_order(here):
    ann, bob = await started(await new_match())
    assert (await bob.act({"type": "claim", "cell": 1})).stored
    cells = (2, 1, 3, 1, 4)
    answers = await asyncio.gather(*(ann.act({"type": "claim", "cell": c}) for c in cells))
    assert [one.code for one in answers] == ["", "taken", "", "taken", ""]
    stored = [e.body()["cell"] for e in await ann.replica.log.read() if b"cell" in e.data]
    assert stored == [1, 2, 3, 4]


async def test_who_cannot_be_told_what_the_log_says_may_try_again(here, monkeypatch):
    ann, bob = await started(await new_match())
    assert (await bob.act({"type": "claim", "cell": 1})).stored

    async def refused(self, first=0):
        raise Refused("no")

    with monkeypatch.context() as broken:
        broken.setattr(Log, "read", refused)
        answers = await asyncio.gather(*(ann.act({"type": "claim", "cell": c}) for c in (1, 2)))
    assert [one.code for one in answers] == ["not_stored", ""]
    assert (await ann.act({"type": "claim", "cell": 1})).code == "taken"


async def test_an_own_command_that_is_heard_of_before_its_answer_is_still_ours(here, monkeypatch):
    """Else nobody would archive a match whose last entry came this way."""
    _ann, bob = await started(await new_match())
    replica, told, ends = bob.replica, [], []
    monkeypatch.setattr(Log, "act", lambda self, *entry: told.append(entry))
    monkeypatch.setattr(here, "is_over", lambda replica, own: ends.append(own))
    waiting = asyncio.create_task(bob.act({"type": "surrender"}, "s1"))
    await until(lambda: told)
    seat, cid, data, waiting_for = told[0]
    entry = Entry(replica.course.next, replica.course.t, ACTION, seat, cid, data)
    replica.receive(entry)
    assert (await waiting).stored
    assert ends == [True]
    waiting_for.answered(APPENDED, entry.seq, entry.t, 2)
    assert replica.course.next == entry.seq + 1


async def test_what_the_log_says_counts_when_an_id_was_used_for_two_moves(here, monkeypatch):
    """Two sockets of one player send different moves under one id to two processes."""
    ann, _bob = await started(await new_match())
    replica, told = ann.replica, []
    monkeypatch.setattr(Log, "act", lambda self, *entry: told.append(entry))
    waiting = asyncio.create_task(ann.act({"type": "claim", "cell": 1}, "x"))
    await until(lambda: told)
    stored = b'{"type":"claim","cell":2}'
    replica.receive(Entry(replica.course.next, replica.course.t, "action", 0, "x", stored))
    assert (await waiting).stored
    owners = replica.course.state.game.owners
    assert (owners[1], owners[2]) == (-1, 0)


async def test_time_ends_a_match(here):
    match_id = await new_match(seconds=1)
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    await ann.act({"type": "ready"})
    await bob.act({"type": "ready"})
    events = [event async for event in ann]
    assert events[-1]["outcome"]["reason"] == "time"
    kinds = [e.kind for e in await ann.replica.log.read()]
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
    entries = await ann.replica.log.read()
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


@pytest.mark.parametrize("is_known", [True, False])
async def test_who_waits_badly_keeps_nothing_from_others(here, is_known):
    """Entries of one turn are one row, whether the row before it is known or not: what one callback
    does must not cost the other players."""
    ann, _bob = await started(await new_match())
    replica, got, now = ann.replica, [], ann.replica.loop.time()
    assert (await ann.act({"type": "claim", "cell": 9})).stored
    if not is_known:
        replica.log._last = -1

    def bad(cid, result):
        raise ValueError("on purpose")

    replica.commands.submit(0, "m1", b'{"type":"claim","cell":1}', bad, now)
    replica.commands.submit(
        1, "m2", b'{"type":"claim","cell":2}', lambda *told: got.append(told), now
    )
    await until(lambda: got)
    assert replica.course.state.game.owners[1:3] == [0, 1]


async def test_staff_who_abort_together_or_do_not_wait(here):
    ann, bob = await started(await new_match())
    commands = ann.replica.commands
    impatient = asyncio.ensure_future(commands.abort("!staff", b'{"reason":"staff"}'))
    await asyncio.sleep(0)
    impatient.cancel()
    second = await commands.abort("!staff", b'{"reason":"staff"}')
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
    monkeypatch.setattr(here, "is_over", lambda replica, own: ends.append(replica.over.reason))
    await bob.act({"type": "surrender"})
    await until(lambda: ends)
    assert ends == ["fault"]
    assert replica.over.aborted
