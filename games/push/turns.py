"""Calls a player back to a match that waits for them."""

from __future__ import annotations

import logging

from django.db import Error
from django.urls import reverse
from redis.exceptions import RedisError

from accounts.notifications.notify import anotify

logger = logging.getLogger(__name__)


async def call_to_turn(user_id: int, match_id: str, mode: str) -> None:
    """It is this player's turn, and no page of theirs has the match open. The pages of a match use
    its address as the tag, too (site/call.js), so that nobody is told twice."""
    url = reverse("games:match", args=[match_id])
    try:
        await anotify(user_id, "turn", {"mode": mode}, url, url)
    except (Error, RedisError, OSError) as error:
        logger.warning("a player was not called to their turn: %s", error)
