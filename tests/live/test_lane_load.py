"""The load generator itself: every move that it counts has reached everybody."""

from __future__ import annotations

from bench.load.measure import idle_kib, play
from bench.load.servers import serving


def test_the_generator_plays_and_measures() -> None:
    with serving("lane alone") as running:
        closed = play(running, rooms=5, watchers=2, seconds=0.3, warm_up=0.1)
        assert closed.moves > 0
        assert 0 < closed.p50_ms <= closed.p99_ms
        paced = play(running, rooms=5, rate=100, seconds=0.5, warm_up=0.1)
        assert paced.moves == 50
        assert idle_kib(running, 5) < 1000
