"""The checker finds bugs: were a promise broken, test_chaos would say so."""

from __future__ import annotations

import pytest

from tests.chaos.test_chaos import run_chaos

FAULTS = 5
"""Enough for the bug to show: a single cut of the connections may meet no reordered entry."""


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("bug", "fault", "found"),
    [
        ("acknowledge_before_append", "kill_web_while_redis_is_away", "is not in the log"),
        ("no_deduplication", "pause_web_for_long", "times"),
        ("out_of_order", "cut_players", "is not what the log gives"),
    ],
)
def test_the_checker_finds_a_bug(tmp_path, bug, fault, found):
    wrong = run_chaos(tmp_path, FAULTS, bug, (fault,))
    assert any(found in line for line in wrong), wrong
