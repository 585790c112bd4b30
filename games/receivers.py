"""What this app does when another one tells something."""

from __future__ import annotations

from typing import Any

import msgspec
from django.dispatch import receiver

from accounts.signals import access_ended
from games.live.access import CHANNEL, Ended
from games.live.redis import key, sync_redis
from games.models import Match
from games.rating import rate_match
from games.signals import match_archived


@receiver(access_ended, dispatch_uid="games.close_sockets")
def close_sockets(
    sender: Any,
    user_id: int,
    session_key: str | None = None,
    token_id: int | None = None,
    **kwargs: Any,
) -> None:
    """Every process closes the match sockets that this concerns, within two seconds."""
    ended = Ended(user_id, session_key, token_id)
    sync_redis().publish(key(CHANNEL), msgspec.json.encode(ended))


@receiver(match_archived, dispatch_uid="games.rate")
def rate(sender: Any, match: Match, **kwargs: Any) -> None:
    """In the transaction of the archive: result and ratings are stored together or not at all."""
    rate_match(match)
