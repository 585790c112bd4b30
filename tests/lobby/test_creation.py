"""Creating a planned match as often as one likes makes one match."""

from __future__ import annotations

import asyncio

import pytest

from games.engine.rng import commitment
from games.live.host import host
from games.live.log import Log
from games.live.setup import MatchSetup, SeatInfo, decode_setup, new_id, new_seed
from games.live.start import create_match, store_row
from games.models import Match, Seat
from lobby import outcomes
from tests.lobby.flow import act, until

pytestmark = pytest.mark.django_db(transaction=True)

SEATS = [SeatInfo(user_id=None, name=name, kind="guest") for name in ("Ann", "Bob")]


async def create(match_id: str) -> str:
    return await create_match("claim", SEATS, {}, rated=False, source="queue", match_id=match_id)


async def promise_is_kept(match_id: str) -> None:
    """One row, one log, and the row's commitment is of the seed that is played."""
    row = await Match.objects.aget(pk=match_id)
    assert await Seat.objects.filter(match=row).acount() == 2
    (first,) = await Log(host().store, match_id).read()
    setup = decode_setup(first.data)
    assert row.commitment == commitment(bytes.fromhex(setup.seed), b"")


async def test_many_at_once_make_one_match() -> None:
    match_id = new_id()
    assert set(await asyncio.gather(*(create(match_id) for _ in range(5)))) == {match_id}
    await promise_is_kept(match_id)


async def test_a_row_that_was_left_without_a_log_gets_one() -> None:
    match_id = new_id()
    left = MatchSetup("claim", 1, new_seed(), SEATS, {}, False, "queue")
    await asyncio.to_thread(store_row, match_id, left)
    await create(match_id)
    await promise_is_kept(match_id)


async def test_a_match_that_is_over_does_not_begin_again() -> None:
    match_id = await create(new_id())
    await act(match_id, 0, {"type": "surrender"})
    assert await until(lambda: outcomes.outcome_of(match_id))
    await until(lambda: Match.objects.filter(pk=match_id).exclude(status="live").aexists())
    await host().store.call("DEL", f"m:{{{match_id}}}:log", f"m:{{{match_id}}}:head")
    await create(match_id)
    assert await Log(host().store, match_id).read() == []
