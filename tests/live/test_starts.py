"""Starts that take long are made in another process, once per match."""

from __future__ import annotations

import asyncio

import pytest

from games.compute import ComputeError, ComputeProcess
from games.live.host import Host
from games.live.match_state import MatchState
from games.live.row import entries_of
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.live.stored_log import first_row, match_key, snapshot
from games.modes.minewars.rules import opening

pytestmark = pytest.mark.django_db(transaction=True)

SEATS = [SeatInfo(None, name, "guest") for name in ("ann", "bob")]


async def made(here: Host, mode: str = "minewars") -> str:
    return await create_match(mode, SEATS, {}, rated=False, source="queue")


async def stored(here: Host, match_id: str) -> bytes:
    async with asyncio.timeout(30):
        while (found := await snapshot(here.servers, match_id)) is None:
            await asyncio.sleep(0.01)
    return found


async def test_no_host_makes_the_map(here, make_host, monkeypatch):
    def never(*given):
        raise AssertionError("the event loop must not make a map")

    with monkeypatch.context() as patched:
        patched.setattr(opening, "generate", never)
        match_id = await made(here)
        replica = await here.join(match_id)  # at once: it waits for the one that is being made
        other = await make_host()
        second = await other.join(match_id)
        view = replica.view(0)
    first = await first_row(here.servers, match_id)
    assert first is not None
    own = MatchState(next(entries_of([first])))
    assert own.view(0) == view == second.view(0)
    assert own.game.dump(own.state) == replica.state.game.dump(replica.state.state)
    here.leave(replica)
    other.leave(second)


async def test_it_is_made_when_the_match_is_made(here):
    match_id = await made(here)
    raw = await stored(here, match_id)
    first = await first_row(here.servers, match_id)
    assert first is not None
    assert raw == MatchState(next(entries_of([first]))).dump(1, ())
    assert 0 < await here.servers.call("TTL", match_key(match_id, "snap")) <= 24 * 3600


async def test_other_modes_begin_without_it(here):
    match_id = await made(here, "battleship")
    here.leave(await here.join(match_id))
    assert await snapshot(here.servers, match_id) is None


async def test_a_host_helps_itself_when_the_process_fails(here, monkeypatch):
    async def fails(self, function, given, within):
        raise ComputeError("died", "for the test")

    monkeypatch.setattr(ComputeProcess, "call", fails)
    match_id = await made(here)
    replica = await here.join(match_id)
    assert replica.view(0)["game"]
    here.leave(replica)
