"""What a socket is shown of a match that is only in the archive."""

from __future__ import annotations

from channels.db import database_sync_to_async

from games.live import protocol
from games.live.replay import replay
from games.live.setup import UnknownRules


@database_sync_to_async
def archived_view(match_id: str, user_id: int | None) -> list[object] | None:
    """Welcome and final view, or None when there is no such match."""
    from games.models import Match

    match = Match.objects.filter(pk=match_id).exclude(log=None).first()
    if match is None:
        return None
    try:
        again = replay(match)
    except UnknownRules:
        return [protocol.Error("unknown_rules", protocol.ERRORS["unknown_rules"])]
    setup = again.course.setup
    seats = [i for i, s in enumerate(setup.seats) if user_id is not None and s.user_id == user_id]
    seat = seats[0] if seats else None
    number = again.course.count(seat)
    return [
        protocol.welcome(match_id, setup, seat, again.entries[-1].t, 0),
        protocol.View(number, again.course.view(seat)),
    ]
