"""What is published is heard, and when it may not have been, that is told."""

from __future__ import annotations

import pytest
from django.conf import settings
from redis import Redis

from games.live.ear import Ear
from games.live.resp import Address
from tests.live.conftest import until


@pytest.mark.parametrize("channels", [["one", "two"], []])
async def test_after_a_broken_connection_it_says_that_it_hears_again(redis_prefix, channels):
    """Not before: what is published after a look at the log must not be missed."""
    names = [redis_prefix + name for name in channels]
    with Redis.from_url(settings.REDIS_URL) as redis:
        told: list[list[int]] = []
        ear = Ear(
            Address.from_url(settings.REDIS_URL),
            lambda: told.append([count for _, count in redis.pubsub_numsub(*names)]),
            sharded=False,
        )
        heard: list[bytes] = []
        try:
            for name in names:
                await ear.listen(name, heard.append)
            await until(lambda: ear._connection)
            assert told == []
            ear._connection.abort()
            await until(lambda: told)
            assert told == [[1] * len(names)]
            for name in names:
                redis.publish(name, name)
            await until(lambda: len(heard) == len(names))
        finally:
            await ear.close()
