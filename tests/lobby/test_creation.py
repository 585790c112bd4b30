"""Creating a planned match as often as one likes makes one match."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from accounts.models import User
from games import storage
from games.engine.rng import commitment
from games.live.archive import archive
from games.live.host import host
from games.live.setup import MatchSetup, SeatInfo, decode_setup, new_id, new_seed
from games.live.start import create_match, store_rows
from games.live.stored_log import match_key, read_entries
from games.models import Match, Seat
from games.redis import redis
from lobby import creation, outcomes, solo
from lobby.errors import LobbyError
from lobby.plans import Plan, Seated
from lobby.players import player_of
from lobby.store import named, now_ms
from tests.lobby.flow import act, until

pytestmark = pytest.mark.django_db(transaction=True)

SEATS = [SeatInfo(user_id=None, name=name, kind="guest") for name in ("Ann", "Bob")]


async def create(match_id: str) -> str:
    return await create_match("claim", SEATS, {}, rated=False, source="queue", match_id=match_id)


async def promise_is_kept(match_id: str) -> None:
    """One row, one log, and the row's commitment is of the seed that is played."""
    row = await Match.objects.aget(pk=match_id)
    assert await Seat.objects.filter(match=row).acount() == 2
    (first,) = await read_entries(host().servers, match_id)
    setup = decode_setup(first.data)
    assert row.commitment == commitment(bytes.fromhex(setup.seed), b"")


async def test_many_at_once_make_one_match() -> None:
    match_id = new_id()
    assert set(await asyncio.gather(*(create(match_id) for _ in range(5)))) == {match_id}
    await promise_is_kept(match_id)


def planned(name: str, user_id: int | None = None) -> Plan:
    seats = tuple(
        Seated(identity=f"t{name}{n}", name=name, kind="guest", user_id=user_id) for n in range(2)
    )
    return Plan(match=new_id(), mode="claim", seats=seats, options={}, rated=False, source="queue")


async def test_the_matches_of_a_wave_are_one_transaction() -> None:
    plans = [planned(f"P{n}") for n in range(40)]
    inserts = []

    def note(execute, sql, params, many, context):
        inserts.append(sql.split()[2]) if sql.startswith("INSERT") else None
        return execute(sql, params, many, context)

    @sync_to_async
    def watch() -> AbstractContextManager[None]:
        return connection.execute_wrapper(note)

    watching = await watch()
    await sync_to_async(watching.__enter__)()
    try:
        await creation.create_all(plans)
    finally:
        await sync_to_async(watching.__exit__)(None, None, None)
    assert set(inserts) == {'"games_match"', '"games_seat"'}
    assert len(inserts) < 6  # the database takes so many values at once
    for plan in plans:
        await promise_is_kept(plan.match)


@pytest.mark.parametrize(
    ("mode", "kinds", "text", "countdown"),
    [
        ("race", ("guest", "registered"), False, 3_000),
        ("area-attack", ("guest", "guest", "house"), False, 3_000),
        ("race", ("guest", "house"), False, 0),  # a bot needs no warning
        ("race", ("guest", "bot"), False, 0),
        ("battleship", ("guest", "guest"), False, 0),  # turn by turn
        ("area-attack", ("guest", "guest"), True, 0),  # the text protocol has no word for it
    ],
)
async def test_people_who_play_in_real_time_get_a_countdown(
    mode, kinds, text, countdown, monkeypatch
) -> None:
    monkeypatch.setattr(creation, "COUNTDOWN_MS", 3_000)
    seats = tuple(
        Seated(identity=f"t{n}", name=f"P{n}", kind=kind, text=text) for n, kind in enumerate(kinds)
    )
    plan = Plan(match=new_id(), mode=mode, seats=seats, options={}, rated=False, source="queue")
    await creation.create(plan, b"")
    (first,) = await read_entries(host().servers, plan.match)
    assert decode_setup(first.data).countdown == countdown


async def test_a_match_that_cannot_be_created_stops_no_other() -> None:
    gone = planned("Gone", user_id=999_999)
    plans = [
        planned("Ann"),
        gone,
        msgspec.structs.replace(planned("Bad"), mode="none"),
        planned("Bob"),
    ]
    await creation.create_all(plans)
    for plan in (plans[0], plans[3]):
        await promise_is_kept(plan.match)
    assert not await Match.objects.filter(pk__in=[gone.match, plans[2].match]).aexists()


async def test_waves_go_on_while_matches_are_created(monkeypatch) -> None:
    """The next wave's matches wait their turn, and nobody takes them for left behind."""
    create_all, may_go_on = creation.create_all, asyncio.Event()

    async def slow(plans: Sequence[Plan]) -> None:
        await may_go_on.wait()
        await create_all(plans)

    monkeypatch.setattr(creation, "create_all", slow)
    creator = creation.Creator()
    first, second = planned("Ann"), planned("Bob")
    for plan in (first, second):
        await redis().hset(named("made"), plan.match, plan.encoded())
        await redis().zadd(named("pending"), {plan.match: 1})
        await creator.add([plan])
    await creation.recover(await now_ms(), creator.under_way)
    assert await Match.objects.acount() == 0
    may_go_on.set()
    await creator.finished()
    for plan in (first, second):
        await promise_is_kept(plan.match)
        assert not await creation.is_pending(plan.match)
    assert creator.under_way == set()


async def test_a_row_that_was_left_without_a_log_gets_one() -> None:
    match_id = new_id()
    left = MatchSetup("claim", 1, new_seed(), SEATS, {}, False, "queue")
    await asyncio.to_thread(store_rows, {match_id: left})
    await create(match_id)
    await promise_is_kept(match_id)


async def test_a_match_that_is_over_does_not_begin_again() -> None:
    match_id = await create(new_id())
    await act(match_id, 0, {"type": "surrender"})
    assert await until(lambda: outcomes.outcome_of(match_id))
    await archive(match_id)
    await host().servers.call("DEL", match_key(match_id, "log"))
    await create(match_id)
    assert await read_entries(host().servers, match_id) == []


@pytest.fixture
def disk_fills() -> Iterator[Callable[[], None]]:
    """Call it, and the disk is full. The last look at it says otherwise."""
    now = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "time", SimpleNamespace(monotonic=lambda: now))
        assert not storage.is_full(known_for=0)
        yield lambda: patch.setattr(storage, "disk", lambda folder=None: storage.Disk(0, 1 << 30))
    storage.is_full(known_for=0)  # for the tests that follow


async def test_a_disk_that_fills_while_a_board_is_made_refuses_the_match(
    disk_fills, monkeypatch
) -> None:
    real = solo.deal_for

    async def slow_deal(*asked: Any) -> bytes:
        disk_fills()
        return await real(*asked)

    monkeypatch.setattr(solo, "deal_for", slow_deal)
    with pytest.raises(LobbyError, match="can't store new matches"):
        await solo.start(player_of(await User.objects.acreate(username="Ann")))
    assert await Match.objects.acount() == 0
    # Nobody waits for it any more: it does not begin once there is room.
    assert await redis().zcard(named("pending")) == await redis().hlen(named("made")) == 0


async def test_matches_that_were_decided_do_not_begin_on_a_full_disk(disk_fills, caplog) -> None:
    disk_fills()
    plans = [planned(f"P{n}") for n in range(3)]
    await creation.create_all(plans)
    assert await Match.objects.acount() == 0
    assert [record.exc_info for record in caplog.records] == [None]


@pytest.mark.parametrize("source", ["sealed", "daily"])
async def test_a_shared_board_is_never_replaced_by_another_one(source: str) -> None:
    seat = Seated(identity="u7", name="Ann", kind="registered", user_id=None)
    plan = Plan(
        match=new_id(), mode="claim", seats=(seat, seat), options={}, rated=False, source=source
    )
    await redis().hset(named("made"), plan.match, plan.encoded())
    await redis().zadd(named("pending"), {plan.match: 1})
    await redis().hset(named("playing"), "u7", plan.match)
    await creation.recover(await now_ms())
    assert await creation.plan_of(plan.match) is None
    assert not await creation.is_pending(plan.match)
    assert not await redis().hexists(named("playing"), "u7")
    assert await Match.objects.acount() == 0
