"""A match that began before rows had numbers (recorded in old_log.json) is played to its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async

from games.live.archive import archive
from games.live.entry import Entry
from games.live.row import entries_of, from_stream
from games.live.seat_client import SeatClient
from games.live.setup import decode_setup
from games.live.start import store_rows
from games.live.stored_log import match_key, read_rows
from games.models import Match
from games.replay import problems
from tests.live.conftest import cut, until

pytestmark = pytest.mark.django_db(transaction=True)

RECORDED = json.loads((Path(__file__).parent / "old_log.json").read_text())


def test_old_rows_have_the_entries_that_were_read_then():
    items = [[i.encode(), [t.encode(), text.encode()]] for i, t, text in RECORDED["rows"]]
    entries = list(entries_of(from_stream(item) for item in items))
    assert entries == [Entry(*rest, data.encode()) for *rest, data in RECORDED["entries"]]


def test_rows_of_five_fields_are_still_read():
    fields = [b"t", b"7", b"kind", b"action", b"seat", b"1", b"id", b"x1", b"data", b'{"a":1}']
    row = from_stream([b"3-0", fields])
    assert list(entries_of([row])) == [Entry(0, 7, "action", 1, "x1", b'{"a":1}')]


async def test_a_running_match_goes_on_with_numbered_rows(here):
    match_id = "oldmatch0001"
    log = match_key(match_id, "log")
    setup = decode_setup(RECORDED["entries"][0][5].encode())
    await sync_to_async(store_rows)({match_id: setup})
    shift = here.heartbeat.now() - RECORDED["entries"][-1][1] - 10
    for identity, t, text in RECORDED["rows"]:
        await here.servers.call("XADD", log, identity, int(t) + shift, text)
    ann, bob = await SeatClient.open(match_id, 0), await SeatClient.open(match_id, 1)
    assert (await ann.act({"type": "claim", "cell": 0}, "a0")).stored  # again: it was stored then
    assert (await bob.act({"type": "claim", "cell": 30})).stored
    assert (await bob.act({"type": "claim", "cell": 0})).code == "taken"
    rows = await read_rows(here.servers, match_id)
    last_old = int(RECORDED["rows"][-1][0].partition("-")[0])
    new = [row.number for row in rows if row.process]
    assert new == list(range(last_old + 1, last_old + 1 + len(new)))
    await cut(here.servers.node(ann.replica.log.slot))
    assert (await bob.act({"type": "surrender"})).stored
    await until(lambda: ann.replica.has_last_row)
    assert await archive(match_id)
    assert problems(await Match.objects.prefetch_related("seats").aget(pk=match_id)) == []
