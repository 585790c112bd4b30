"""A frozen player learns nothing from a second, anonymous socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from django.conf import settings

from games.live import host as live_host
from games.live import replica as replica_module
from games.live.host import Host
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]
FREEZE = 2


@pytest.fixture
async def players() -> AsyncIterator[tuple[SeatClient, SeatClient]]:
    """In stage 1, with whole areas of their own."""
    options = {"size": 16, "density": 0.2, "freeze_seconds": FREEZE}
    seats = [SeatInfo(None, name, "guest") for name in ("anna", "bert")]
    match = await create_match("area-attack", seats, options, rated=False, source="text")
    both = (await SeatClient.open(match, 0), await SeatClient.open(match, 1))
    for player, cell in zip(both, (2 * 16 + 2, 13 * 16 + 13), strict=True):
        for action in ({"type": "pick", "cell": cell}, {"type": "confirm"}):
            assert (await player.act(action)).stored
    yield both
    await live_host.close()


def a_mine(player: SeatClient) -> int:
    game = player.replica.state.state.game
    return next(cell for cell, mine in enumerate(game.mines) if mine)


async def heard(player: SeatClient, kind: str) -> None:
    async with asyncio.timeout(30):
        async for event in player:
            if event["type"] == kind:
                return
    raise AssertionError(kind)


async def test_spectators_hear_of_a_strike_when_the_freeze_is_over(players):
    anna, bert = players
    replica = anna.replica
    watcher = await SeatClient.open(replica.id, None)
    assert watcher.view["phase"] == "setup"  # as it was two seconds ago
    assert (await anna.act({"type": "claim", "cell": a_mine(anna)})).stored
    struck = replica.state.t
    await heard(bert, "struck")
    # One who comes now sees no more than one who was here.
    late = await SeatClient.open(replica.id, None)
    assert late.view == watcher.view | {"you": None}
    for one in (watcher, late):
        await heard(one, "struck")
        assert replica.now() - struck >= FREEZE * 1000 - 10
    assert late.view == watcher.view


@pytest.fixture
def snapshot_of_every_row(monkeypatch):
    monkeypatch.setattr(replica_module, "SNAPSHOT_EVERY", 1)


async def test_a_process_that_loads_the_match_now_shows_spectators_no_more(
    snapshot_of_every_row, players
):
    """Its snapshot is newer than what spectators may see."""
    anna, _bert = players
    assert (await anna.act({"type": "claim", "cell": a_mine(anna)})).stored
    await anna.replica.log.idle()
    other = Host(settings.REDIS_URL, settings.REDIS_URL)
    try:
        replica = await other.join(anna.replica.id)
        watcher = SeatClient(other, replica, None)
        assert replica.state.state.phase == "live"
        assert watcher.view["phase"] == "setup"
        await heard(watcher, "struck")
    finally:
        await other.close()


async def test_the_end_tells_spectators_everything(players):
    anna, _bert = players
    watcher = await SeatClient.open(anna.replica.id, None)
    assert (await anna.act({"type": "surrender"})).stored
    await heard(watcher, "over")
    assert watcher.view["phase"] == "over"
    assert watcher.view["truth"]["mines"]
