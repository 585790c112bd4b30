"""The checker finds bugs: were a promise broken, test_chaos would say so."""

from __future__ import annotations

import pytest

from tests.chaos.test_chaos import run_chaos

MOST = 8


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("bug", "fault", "sign"),
    [
        ("acknowledge_before_append", "kill_web_while_redis_is_away", "is not in the log"),
        ("no_deduplication", "pause_web_for_long", "times"),
        ("out_of_order", "cut_players", "is not what the log gives"),
    ],
)
def test_the_checker_finds_a_bug(tmp_path, bug, fault, sign):
    """Few faults are needed, but which one meets the bug is chance."""
    wrong = run_chaos(tmp_path, MOST, bug, fault, sign)
    assert any(sign in line for line in wrong), wrong
