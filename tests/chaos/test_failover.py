"""The Redis with the logs dies, and no acknowledged move with it. Long form: `make failover`."""

from __future__ import annotations

import pytest

from tests.chaos.failover import run


@pytest.mark.timeout(300)
def test_no_acknowledged_move_is_lost(tmp_path):
    result = run(tmp_path, 2, tables=4, seconds=8)
    print(result)
    assert result.wrong == []
    assert len(result.took) == 2
    assert result.acked > 100
