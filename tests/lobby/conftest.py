from __future__ import annotations

import pytest

from games.engine import registry


@pytest.fixture(autouse=True)
def claim_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest mode, for 2 to 4 players, as if people played it."""
    monkeypatch.setitem(registry.MODES, "claim", registry.TEST_MODES["claim"])
