from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from games.live import host as live_host
from tests.lobby.conftest import claim_is_offered

__all__ = ["claim_is_offered"]


@pytest.fixture
async def _closes_host() -> AsyncIterator[None]:
    yield
    await live_host.close()


@pytest.fixture(autouse=True)
def _no_host_stays_open(request: pytest.FixtureRequest) -> None:
    """The runtime of an async test ends before the test's loop does."""
    if request.node.get_closest_marker("asyncio"):
        request.getfixturevalue("_closes_host")
