from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from django.conf import settings

from games.live import host as hosts
from games.live.host import Host


@pytest.fixture
async def make_host(redis_prefix: str) -> AsyncIterator[Callable[..., Awaitable[Host]]]:
    """Hosts beside each other, as in different processes."""
    made: list[Host] = []

    async def make(serving: bool = True) -> Host:
        here = Host(settings.REDIS_URL, redis_prefix, serving)
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


async def until(true: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait for a condition; fail when it does not come."""
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.002)
