"""The checker finds bugs: were a promise broken, test_chaos would say so."""

from __future__ import annotations

import pytest

from tests.chaos.test_chaos import run_chaos


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("bug", "fault", "faults", "found"),
    [
        ("acknowledge_before_append", "kill_web_while_redis_is_away", 5, "is not in the log"),
        ("no_deduplication", "pause_web_for_long", 5, "times"),
        # A single cut of the connections may meet no reordered entry.
        ("out_of_order", "cut_players", 10, "is not what the log gives"),
    ],
)
def test_the_checker_finds_a_bug(tmp_path, bug, fault, faults, found):
    wrong = run_chaos(tmp_path, faults, bug, (fault,))
    assert any(found in line for line in wrong), wrong
