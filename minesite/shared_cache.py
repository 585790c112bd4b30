"""Django's Redis cache with one pool of connections per process, and a site that does without it.

Django keeps a cache object per thread and per asynchronous task, each with a pool of its own. An
open WebSocket is a task that lives for hours: its pool would hold a connection to Redis all that
time, for the one look at the session that let it in.

While Redis is away nothing is found and nothing kept, so that sessions come from the database.
Counting and deleting fail: a limit must hold, and a session that was ended must not come back.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

REST_SECONDS: Final = 1.0
"""Seconds after a failure in which Redis isn't asked again."""

T = TypeVar("T")
logger = logging.getLogger(__name__)


class SharedRedisCache(RedisCache):
    _shared: ClassVar[dict[str, RedisCacheClient]] = {}
    _away_until: ClassVar[float] = 0.0
    _is_away: ClassVar[bool] = False

    @property
    def _cache(self) -> RedisCacheClient:
        own: Any = self  # Django's stubs leave these attributes out
        name = repr((own._servers, own._options))
        client = self._shared.get(name)
        if client is None:
            # One more try, for a connection that broke while nobody used it; no waiting.
            options = {"retry": Retry(NoBackoff(), 1), **own._options}
            client = self._shared.setdefault(name, own._class(own._servers, **options))
        return client

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._or(default, lambda: super(SharedRedisCache, self).get(key, default, version))

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        return self._or({}, lambda: super(SharedRedisCache, self).get_many(keys, version))

    def has_key(self, key: Any, version: int | None = None) -> bool:
        return self._or(False, lambda: super(SharedRedisCache, self).has_key(key, version))

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        self._or(None, lambda: super(SharedRedisCache, self).set(key, value, *args, **kwargs))

    def _or(self, otherwise: T, ask: Callable[[], T]) -> T:
        shared = SharedRedisCache
        if shared._is_away and time.monotonic() < shared._away_until:
            return otherwise
        try:
            answer = ask()
        except (RedisError, OSError) as error:
            shared._away_until = time.monotonic() + REST_SECONDS
            if not shared._is_away:
                shared._is_away = True
                logger.warning("the cache is away, the site goes on without it: %s", error)
            return otherwise
        if shared._is_away:
            shared._is_away = False
            logger.info("the cache is back")
        return answer

    def close(self, **kwargs: Any) -> None:
        """Nothing: the connections are everybody's, and go back to the pool by themselves."""
