"""Limits: a burst is exactly a burst, and what follows comes at its rate."""

from __future__ import annotations

from random import Random

import pytest

from games.rate_limit import Bucket


@pytest.mark.parametrize(("rate", "burst"), [(20, 60), (30, 90), (5, 30), (200, 1000)])
def test_a_burst_has_all_its_tokens_at_any_time(rate, burst):
    draw = Random(rate)
    for _ in range(300):
        now = draw.uniform(0, 1e7)
        bucket = Bucket(rate, burst, now)
        assert all(bucket.take(now) for _ in range(burst))
        assert not bucket.take(now)
        assert not bucket.take(now + 0.5 / rate)


def test_tokens_come_back_at_their_rate_and_no_more_than_a_burst():
    bucket = Bucket(10, 3, 0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(0.101) for _ in range(2)] == [True, False]
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
