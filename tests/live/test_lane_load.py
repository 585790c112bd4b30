"""The load generator itself, and what only shows with many sockets at once."""

from __future__ import annotations

from redis import Redis

from bench.load.measure import idle, idle_kib, play
from bench.load.servers import serving


def test_the_generator_plays_and_measures() -> None:
    with serving("lane alone") as running:
        # No warm-up: a quick server plays all moves of so few rooms in a tenth of a second.
        closed = play(running, rooms=5, watchers=2, seconds=0.3, warm_up=0)
        assert closed.moves > 0
        assert 0 < closed.p50_ms <= closed.p99_ms
        paced = play(running, rooms=5, rate=100, seconds=0.5, warm_up=0.1)
        assert paced.moves == 50
        assert idle_kib(running, 5) < 1000


def test_sockets_share_connections_to_redis() -> None:
    with serving("minesite") as running, Redis.from_url(running.env["REDIS_URL"]) as redis:
        assert play(running, rooms=5, seconds=0.3, warm_up=0).moves > 0
        with idle(running, rooms=20) as sockets:
            assert len(redis.client_list()) < sockets / 2
