"""A player's strength per mode as pairing compares it: 1000 for a newcomer, 100 is an edge."""

from __future__ import annotations


async def of_user(user_id: int | None) -> dict[str, float]:
    return {}
