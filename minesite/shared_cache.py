"""Django's Redis cache with one pool of connections per process.

Django keeps a cache object per thread and per asynchronous task, each with a pool of its own. An
open WebSocket is a task that lives for hours: its pool would hold a connection to Redis all that
time, for the one look at the session that let it in.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class SharedRedisCache(RedisCache):
    _shared: ClassVar[dict[str, RedisCacheClient]] = {}

    @property
    def _cache(self) -> RedisCacheClient:
        name = repr((self._servers, self._options))
        client = self._shared.get(name)
        if client is None:
            client = self._shared.setdefault(name, self._class(self._servers, **self._options))
        return client

    def close(self, **kwargs: Any) -> None:
        """Nothing: the connections are everybody's, and go back to the pool by themselves."""
