from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from games.engine import registry
from games.live import host as live_host


class Idle:
    """A bot that takes a seat and never moves."""

    def __init__(self, *given: Any) -> None: ...

    def decide(self, view: dict[str, Any], now: int) -> None:
        return None


@pytest.fixture(autouse=True)
def claim_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest mode, for 2 to 4 players, as if people played it."""
    claim = replace(registry.TEST_MODES["claim"], bot=Idle)
    monkeypatch.setitem(registry.REGISTRY.loaded, "claim", claim)


@pytest.fixture
async def _closes_host() -> AsyncIterator[None]:
    yield
    await live_host.close()


@pytest.fixture(autouse=True)
def _no_host_stays_open(request: pytest.FixtureRequest) -> None:
    """The runtime of an async test ends before the test's loop does."""
    if request.node.get_closest_marker("asyncio"):
        request.getfixturevalue("_closes_host")
