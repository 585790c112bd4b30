"""A player's strength per mode as pairing compares it: 1000 for a newcomer, 100 is an edge."""

from __future__ import annotations

from channels.db import database_sync_to_async

from accounts.ratings import strengths_of


async def of_user(user_id: int | None) -> dict[str, float]:
    return {} if user_id is None else await database_sync_to_async(strengths_of)(user_id)
