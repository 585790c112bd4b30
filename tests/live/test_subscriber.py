"""A subscriber that loses its connection says when it is subscribed again."""

from __future__ import annotations

import pytest
from django.conf import settings
from redis import Redis

from games.redis.subscriber import Subscriber
from games.redis.wire import Address
from tests.live.conftest import until


@pytest.mark.parametrize("channels", [["one", "two"], []])
async def test_it_reports_back_once_all_subscriptions_are_in_place_again(redis_prefix, channels):
    """Not before: what is published after a look at the log must not be missed."""
    names = [redis_prefix + name for name in channels]
    with Redis.from_url(settings.REDIS_URL) as redis:
        told: list[list[int]] = []
        others = {client["id"] for client in redis.client_list()}

        def connections() -> set[str]:
            return {client["id"] for client in redis.client_list()} - others

        subscriber = Subscriber(
            Address.from_url(settings.REDIS_URL),
            lambda: told.append([count for _, count in redis.pubsub_numsub(*names)]),
        )
        heard: list[bytes] = []
        try:
            for name in names:
                await subscriber.listen(name, heard.append)
            await until(connections)
            assert told == []
            redis.client_kill_filter(_id=connections().pop())
            await until(lambda: told)
            assert told == [[1] * len(names)]
            for name in names:
                redis.publish(name, name)
            await until(lambda: len(heard) == len(names))
        finally:
            await subscriber.close()


async def test_a_forgotten_channel_is_silent_and_a_failing_listener_is_logged(redis_prefix, caplog):
    names = [redis_prefix + name for name in ("gone", "bad", "good")]
    heard: list[bytes] = []

    def fail(data: bytes) -> None:
        raise ValueError(data)

    with Redis.from_url(settings.REDIS_URL) as redis:
        subscriber = Subscriber(Address.from_url(settings.REDIS_URL), lambda: None)
        try:
            for name, listener in zip(names, (heard.append, fail, heard.append), strict=True):
                await subscriber.listen(name, listener)
            subscriber.forget(names[0])
            subscriber.forget("never listened to")
            await until(lambda: redis.pubsub_numsub(names[0])[0][1] == 0)
            for name in names:
                redis.publish(name, name)
            await until(lambda: heard)
            assert heard == [names[2].encode()]
            assert "cannot handle a message" in caplog.text
        finally:
            await subscriber.close()


async def test_a_silent_connection_is_replaced(redis_prefix, monkeypatch):
    back: list[bool] = []
    subscriber = Subscriber(Address.from_url(settings.REDIS_URL), lambda: back.append(True))
    try:
        await subscriber.listen(redis_prefix + "one", lambda data: None)
        subscriber.check()
        assert back == []
        monkeypatch.setattr("games.redis.subscriber.SILENT", -1.0)
        subscriber.check()
        await until(lambda: back)
    finally:
        await subscriber.close()
