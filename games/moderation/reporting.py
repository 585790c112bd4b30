"""How often a player may report others, by whatever form."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache

MOST: Final = 5
WINDOW_SECONDS: Final = 3600


def too_many(user_id: int) -> bool:
    """Counts one more report of this player, and says whether it is one too many."""
    name = f"reports:{user_id}"
    cache.add(name, 0, WINDOW_SECONDS)
    return bool(cache.incr(name) > MOST)
