from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from django.conf import settings

from games.live import archive
from games.live import host as hosts
from games.live.entry import Entry
from games.live.host import Host
from games.live.replica import Replica
from games.live.stored_log import read_entries
from games.redis import sync_redis
from games.redis.node import Node


@pytest.fixture
async def make_host() -> AsyncIterator[Callable[..., Awaitable[Host]]]:
    """Hosts beside each other, as in different processes."""
    made: list[Host] = []

    async def make(serving: bool = True) -> Host:
        here = Host(settings.REDIS_URL, settings.REDIS_URL, serving)
        made.append(here)
        await here.opened()
        return here

    yield make
    for here in made:
        await here.close()


@pytest.fixture
async def here() -> AsyncIterator[Host]:
    """The host that `create_match` and `SeatClient` use in this test."""
    found = hosts.host()
    await found.opened()
    yield found
    await hosts.close()


@pytest.fixture
async def archiving(here: Host) -> AsyncIterator[None]:
    """The worker's job that stores matches as they end."""
    stop = asyncio.Event()
    job = asyncio.create_task(archive.run_job(stop))
    yield
    stop.set()
    await job


async def entries_of(replica: Replica) -> list[Entry]:
    """The entries of this match in the log."""
    return await read_entries(hosts.host().servers, replica.id)


async def cut(node: Node) -> None:
    """The server closes its connection to this process, which then connects again."""
    sync_redis().client_kill_filter(_id=await node.call("CLIENT", "ID"))


async def until(true: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait for a condition; fail when it does not come."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.002)
