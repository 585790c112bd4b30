"""A match with nothing hidden, for staff who do not play in it."""

from __future__ import annotations

from typing import Any

from games.live.host import NoSuchMatch, host
from games.live.match_state import MatchState
from games.models import Match
from games.replay import replay


class NotForPlayers(Exception):
    """A player of a running match does not see its secrets, staff or not."""


async def full_view(match_id: str, user_id: int) -> dict[str, Any] | None:
    """The running match as this process has it; None when Redis does not know it.
    Raises NotForPlayers, UnknownRules."""
    here = host()
    try:
        replica = await here.join(match_id)
    except NoSuchMatch:
        return None
    try:
        seats = replica.state.setup.seats
        if replica.over is None and any(seat.user_id == user_id for seat in seats):
            raise NotForPlayers
        return _everything(replica.state, replica.over is not None, replica.spectators)
    finally:
        here.leave(replica)


def archived_full_view(match: Match) -> dict[str, Any]:
    if match.log is None:
        return {"over": True, "views": [], "truth": None, "players": [], "entries": 0}
    return _everything(replay(match).state, True, 0)


def _everything(state: MatchState, over: bool, spectators: int) -> dict[str, Any]:
    rules = state.game.rules
    seats = state.setup.seats
    return {
        "mode": state.setup.mode,
        "over": over,
        "entries": state.next,
        "now": state.state.now,
        "spectators": spectators,
        "players": [
            {"name": seat.name, "kind": seat.kind, "connected": state.connected(number)}
            for number, seat in enumerate(seats)
        ],
        "public": state.view(None),
        "views": [state.view(number) for number in range(len(seats))],
        "truth": rules.truth(state.state.game),
    }
