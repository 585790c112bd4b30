"""Games for one: started at once, without a queue."""

from __future__ import annotations

from typing import Any

from games.engine import registry
from games.live.setup import new_id
from lobby import creation, maintenance, starts
from lobby.dealing.deals import deal_for
from lobby.errors import LobbyError
from lobby.plans import Plan, checked_options, seat_for
from lobby.players import Player


def usual_mode() -> str:
    """The mode of a player who names none: the first mode for one player."""
    return next(mode.name for mode in registry.modes() if mode.solo)


async def start(
    player: Player,
    options: dict[str, Any] | None = None,
    mode: str = "",
    *,
    deal: bytes | None = None,
    source: str = "solo",
    address: str = "",
) -> str:
    """Create the match, on this board if one is given, and return its id; raises LobbyError.
    `address` is the client's: guests share limits by it."""
    await maintenance.refuse_when_closed()
    mode = mode or usual_mode()
    given = checked_options(mode, options or {})
    if registry.MODES[mode].spec.min_seats > 1:
        raise LobbyError("bad_size", mode=mode)
    plan = Plan(
        match=new_id(),
        mode=mode,
        seats=(seat_for(player),),
        options=given,
        rated=False,
        source=source,
    )
    await starts.count(player, address)
    # The board first: one that can't be made is refused before anything is decided.
    visitor = address if address and player.kind == "guest" else player.identity
    dealt = await deal_for(mode, given, visitor) if deal is None else deal
    return await creation.begin(plan, dealt)
