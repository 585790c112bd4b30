from __future__ import annotations

import asyncio
import time

import pytest

from games.live.heartbeat import DEAD_MS, PROCESSES, alive, beat, keys, leave, this_process
from games.redis import key, pop, redis, sync_redis
from minesite import private_redis


async def test_one_client_per_event_loop_and_keys_carry_the_prefix(redis_prefix):
    assert redis() is redis()
    await redis().set(key("x"), b"1")
    assert await redis().get(f"{redis_prefix}x") == b"1"
    assert await asyncio.to_thread(sync_redis().get, f"{redis_prefix}x") == b"1"


@pytest.mark.parametrize("seconds", [0.0, 0.0004, 0.02])
async def test_waiting_for_an_item_ends(seconds):
    """Before Redis 7.0.8, BLPOP waits without end when its timeout is below a millisecond."""
    async with asyncio.timeout(10):
        assert await pop(key("items"), seconds) is None
    await redis().rpush(key("items"), b"1", b"2")
    assert await pop(key("items"), seconds) == b"1"


async def test_a_process_is_alive_from_its_first_beat_until_it_leaves():
    web, worker = this_process("web"), this_process("worker")
    for process in (web, worker):
        await asyncio.to_thread(beat, sync_redis(), keys(), process, False)
    assert [process.id for process in await alive(redis())] == [web.id, worker.id]
    assert [process.id for process in await alive(redis(), "worker")] == [worker.id]
    await leave(redis(), worker.id)
    assert await alive(redis(), "worker") == []
    long_ago = time.time() * 1000 - DEAD_MS - 1000
    await redis().zadd(key(PROCESSES), {web.id: long_ago})
    assert await alive(redis()) == []


@pytest.mark.skipif(private_redis.bundled() is None, reason="this Python has no bundled Redis")
def test_tests_run_on_the_oldest_supported_server():
    """A command or an option that only newer servers know fails here, not on somebody's machine."""
    major, minor, *_ = sync_redis().info("server")["redis_version"].split(".")
    assert (int(major), int(minor)) == private_redis.OLDEST


def test_an_older_server_does_not_begin_without_the_matches_of_a_newer_one(tmp_path):
    bundled = private_redis.find_binary(path=str(tmp_path))
    assert private_redis.version(bundled) < (7, 0)
    private_redis.refuse_newer_files(bundled, tmp_path)
    (tmp_path / "appendonlydir").mkdir()
    with pytest.raises(private_redis.NoRedis, match="Redis 7"):
        private_redis.refuse_newer_files(bundled, tmp_path)
