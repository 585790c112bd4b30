"""The interpreter of a log survives entries that should not be there."""

from __future__ import annotations

import pytest

from games.live.entry import ACTION, Entry
from games.live.match_state import MatchState
from games.live.seat_client import SeatClient
from tests.live.conftest import entries_of
from tests.live.test_match import new_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def started(here) -> MatchState:
    match_id = await new_match()
    for seat in (0, 1):
        player = await SeatClient.open(match_id, seat)
        await player.act({"type": "ready"})
    state = MatchState((entries := await entries_of(player.replica))[0])
    for entry in entries[1:]:
        state.apply(entry)
    return state


def claim(state: MatchState, cid: str, cell: int) -> Entry:
    return Entry(state.next, state.t, ACTION, 0, cid, b'{"type":"claim","cell":%d}' % cell)


async def test_a_command_id_counts_once_whatever_the_log_says(started):
    assert [told.event["cell"] for told in started.apply(claim(started, "x", 1))] == [1]
    first = started.next - 1
    assert started.apply(claim(started, "x", 2)) == []
    assert started.stored_as(0, "x") == first
    assert started.state.game.owners[2] == -1
    assert [told.event["cell"] for told in started.apply(claim(started, "y", 2))] == [2]
