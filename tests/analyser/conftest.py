from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from games.analyser import desk


@pytest.fixture
async def _own_desk(monkeypatch) -> AsyncIterator[None]:
    """A desk of this test's loop, with its processes ended afterwards. However busy the machine
    is, they have time to start."""
    monkeypatch.setattr(desk, "STARTING", 60.0)
    yield
    await desk.close()
