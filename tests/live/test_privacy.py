"""A match that is over tells the world nothing private of players and processes."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from accounts import leaving
from accounts.models import User
from games.analysing import worker as analysing
from games.live.archive import archive
from games.live.archived import archived_view
from games.live.host import NoSuchMatch
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match
from tests.live.conftest import until

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@pytest.fixture
async def _archive_answers() -> AsyncIterator[None]:
    """A worker that computes what the archive is asked for."""
    stop = asyncio.Event()
    working = asyncio.create_task(analysing.run(stop))
    yield
    stop.set()
    await working


async def played() -> tuple[str, User]:
    """A match of Anna that is over and in the archive; its log is still in Redis."""
    anna = await User.objects.acreate(pk=987_654, username="Anna", kind="registered")
    seats = [SeatInfo(anna.pk, "Anna", "registered"), SeatInfo(None, "bob", "guest")]
    match = await create_match("battleship", seats, {}, rated=False, source="challenge")
    async with await SeatClient.open(match, 0) as seat:
        assert (await seat.act({"type": "surrender"})).stored
        async for _ in seat:
            pass
    await archive(match)
    return match, anna


@pytest.mark.parametrize("path", ["/api/v1/matches/{}/log", "/match/{}/log.ndjson"])
async def test_a_published_log_has_no_ids_of_accounts_and_nothing_of_our_processes(here, path):
    match, anna = await played()
    answer = await AsyncClient().get(path.format(match))
    text = answer.content.decode()
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0]["data"]["seats"][0] == {"name": "Anna", "kind": "registered"}
    assert {line["kind"] for line in lines} >= {"setup", "return", "action"}
    for secret in (str(anna.pk), here.process, socket.gethostname(), '"by"'):
        assert secret not in text


@pytest.mark.usefixtures("_archive_answers")
async def test_a_deleted_account_s_name_is_gone_from_the_match_socket_at_once(here):
    match, anna = await played()
    watcher = await SeatClient.open(match, None)
    assert watcher.replica.state.setup.seats[0].name == "Anna"
    await sync_to_async(leaving.delete)(anna)
    await until(lambda: watcher.replica.gone)
    watcher.close()
    with pytest.raises(NoSuchMatch):
        await SeatClient.open(match, None)

    async def loads_again() -> bool:
        """In a process that had not loaded the match before."""
        here.replicas.pop(match, None)
        try:
            (await SeatClient.open(match, None)).close()
        except NoSuchMatch:
            return False
        return True

    while await loads_again():
        pass
    welcome = (await archived_view(match, None))[0]
    assert "Anna" not in str(welcome)
    assert "deleted" in str(welcome)
