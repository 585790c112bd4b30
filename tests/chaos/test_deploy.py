"""A deploy under live matches. Long form: `make chaos-deploy`."""

from __future__ import annotations

import pytest

from tests.chaos.deploy import deploy, part


@pytest.mark.timeout(300)
def test_players_hardly_notice_a_deploy(tmp_path):
    result = deploy(tmp_path, restarts=4, tables=4, pace=(0.2, 0.5), seconds=6)
    assert result.wrong == []
    assert result.aborted == []
    assert result.restarts == 4
    assert result.pauses, "nobody was sent elsewhere"
    assert part(result.pauses, 0.99) < 3
