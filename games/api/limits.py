"""Rate limit of the API: requests per minute, counted in the cache."""

from __future__ import annotations

import time
from typing import Final

from django.conf import settings
from django.core.cache import cache

from games.api.problems import ApiError

WINDOW: Final = 60


def count(who: str, limit: int = 0) -> None:
    """One more request; raises ApiError with the time to wait and the limit's name. The limit is
    the setting's if none is given."""
    now = time.time()
    window = int(now // WINDOW)
    place = f"api:{who}:{window}"
    cache.add(place, 0, timeout=2 * WINDOW)
    limit = limit or settings.API_REQUESTS_PER_MINUTE
    if cache.incr(place) > limit:
        wait = int((window + 1) * WINDOW - now) + 1
        name = f"{limit} requests per minute and {who.partition(':')[0]}"
        raise ApiError(429, "too_many_requests", retry_after=wait, limit=name)
