"""The one match that a player is in. Games for one do not count."""

from __future__ import annotations

from games.live.host import NoSuchMatch, UnknownRules, host
from games.redis import redis
from lobby import creation, outcomes
from lobby.plans import decoded
from lobby.store import RELEASE, named, run


async def match_of(identity: str) -> str | None:
    """The match this player is in now."""
    raw = await redis().hget(named("playing"), identity)
    if raw is None or await release_if_out(identity, raw.decode()):
        return None
    match_id: str = raw.decode()
    return match_id


async def release_if_out(identity: str, match_id: str) -> bool:
    """Free a player whose match is over, or goes on without them. False: they still play."""
    if await creation.is_pending(match_id):
        return False
    if await outcomes.outcome_of(match_id) is None and not await _is_out(identity, match_id):
        return False
    await run(RELEASE, identity, match_id)
    return True


async def _is_out(identity: str, match_id: str) -> bool:
    """Has this player given up, or was gone for too long, while others play on; or is it over?"""
    raw = await redis().hget(named("made"), match_id)
    if raw is None:
        return True
    identities = [seat.identity for seat in decoded(raw).seats]
    if identity not in identities:
        return True
    try:
        replica = await host().join(match_id)
    except (NoSuchMatch, UnknownRules):
        return True
    try:
        if replica.over is not None:
            return True  # its players know before it is stored and marked as over
        seats = replica.view(None)["seats"]
        return seats[identities.index(identity)]["retired"] is not None
    finally:
        host().leave(replica)
