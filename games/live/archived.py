"""Serves sockets of a match that is only in the archive."""

from __future__ import annotations

from typing import Any

import msgspec
from channels.db import database_sync_to_async

from games.analysing.asking import result
from games.analysing.body import plain
from games.analysing.parts import END
from games.live import protocol
from games.live.setup import MatchSetup, SeatInfo
from games.live.withholding import withhold

PATIENCE = 8.0


async def archived_view(match_id: str, user_id: int | None) -> list[object] | None:
    """Welcome and final view; None: there is no such match. Raises NotReady and UnknownRules."""
    found = await _found(match_id)
    if found is None:
        return None
    setup, withheld = found
    setup.game()
    asker = "visitors" if user_id is None else f"user {user_id}"
    body = await result(match_id, END, asker, PATIENCE)
    end = msgspec.json.decode(plain(body, {}))
    seats = [i for i, s in enumerate(setup.seats) if user_id is not None and s.user_id == user_id]
    seat = seats[0] if seats else None
    if withheld and seat is None:
        return [protocol.Error("withheld", protocol.ERRORS["withheld"])]
    last: dict[str, Any] = end["views"]["public" if seat is None else str(seat)]
    return [
        protocol.welcome(match_id, setup, seat, end["t"], 0),
        protocol.View(last["number"], withhold(last["view"]) if withheld else last["view"]),
    ]


@database_sync_to_async
def _found(match_id: str) -> tuple[MatchSetup, bool] | None:
    """The set-up as the database has it now: a deleted account has no name there. And whether the
    board stays secret for now."""
    from games.models import Match

    match = (
        Match.objects.defer("log").prefetch_related("seats").filter(pk=match_id, log_entries__gt=0)
    ).first()
    if match is None:
        return None
    setup = MatchSetup(
        mode=match.mode,
        version=match.rules_version,
        seed=match.seed,
        deal=match.deal,
        seats=[SeatInfo(s.user_id, s.name, s.kind) for s in match.seats.all()],
        options=match.options,
        rated=match.rated,
        source=match.source,
        previous=match.previous_id,
    )
    return setup, match.is_withheld
