"""A command that is played leaves a trace in the log of every process that hosts the match."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.tracing import TRACING, trace_id
from tests.live.conftest import until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _traced() -> Iterator[None]:
    TRACING.configure(1000)
    yield
    TRACING.configure(0)


@pytest.mark.usefixtures("_traced")
async def test_a_command_is_traced_from_its_receipt_to_its_frames(here, make_host, caplog):
    caplog.set_level(logging.INFO, "games.tracing")
    seats = [SeatInfo(None, name, "guest") for name in ("ann", "bob")]
    match_id = await create_match("claim", seats, {"seconds": 3600}, rated=False, source="queue")
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    other = await make_host()
    watching = await other.join(match_id)
    for player in (ann, bob):
        await player.act({"type": "ready"})
    stored = await ann.act({"type": "claim", "cell": 3}, "mine")
    refused = await bob.act({"type": "claim", "cell": 3}, "late")
    assert (stored.stored, refused.code) == (True, "taken")
    await until(lambda: watching.state.next == ann.replica.state.next)

    def steps(seat: int, cid: str) -> list[tuple[str, int | None]]:
        trace = trace_id(match_id, seat, cid)
        found = [line for line in caplog.records if getattr(line, "trace", "") == trace]
        return [(line.message, getattr(line, "row", None)) for line in found]

    received, appended, read = steps(0, "mine")
    assert received == ("command received", None)
    assert (appended[0], read[0]) == ("row appended, frames sent", "row read, frames sent")
    assert appended[1] == read[1] is not None
    assert steps(1, "late") == [("command received", None), ("command refused", None)]
