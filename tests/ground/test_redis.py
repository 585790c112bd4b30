from __future__ import annotations

import asyncio

import pytest

from games.live.heartbeat import alive, beat, leave, this_process
from games.live.redis import key, redis, sync_redis
from minesite import private_redis


async def test_one_client_per_event_loop_and_keys_carry_the_prefix(redis_prefix):
    assert redis() is redis()
    await redis().set(key("x"), b"1")
    assert await redis().get(f"{redis_prefix}x") == b"1"
    assert await asyncio.to_thread(sync_redis().get, f"{redis_prefix}x") == b"1"


async def test_a_process_is_alive_from_its_first_beat_until_it_leaves():
    web, worker = this_process("web", 100.0), this_process("worker", 101.0)
    await beat(redis(), web)
    await beat(redis(), worker)
    assert await alive(redis()) == [web, worker]
    assert await alive(redis(), "worker") == [worker]
    assert 0 < await redis().ttl(key(f"proc:{web.id}")) <= 10
    await leave(redis(), worker)
    assert await alive(redis(), "worker") == []


def test_an_older_server_does_not_begin_without_the_matches_of_a_newer_one(tmp_path):
    bundled = private_redis.find_binary(path=str(tmp_path))
    assert private_redis.version(bundled) < (7, 0)
    private_redis.refuse_newer_files(bundled, tmp_path)
    (tmp_path / "appendonlydir").mkdir()
    with pytest.raises(private_redis.NoRedis, match="Redis 7"):
        private_redis.refuse_newer_files(bundled, tmp_path)
