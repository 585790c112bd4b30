"""Asks the live runtime which matches are over, and how."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from games.engine.game import Outcome
from games.live import ends, stored_log
from games.live.host import host
from games.live.match_state import run
from games.live.setup import UnknownRules

LOST = Outcome(ranks=(), reason="lost", aborted=True)
"""Of a match that is nowhere to be found any more."""


async def outcome_of(match_id: str) -> Outcome | None:
    """The outcome of this match; None while it runs."""
    return (await ended([match_id])).get(match_id) or (await lost([match_id])).get(match_id)


async def outcome_in_log(match_id: str) -> Outcome | None:
    """The same from the log itself, which knows first: players receive the end, and may answer,
    before it is announced."""
    here = host()
    replica = here.replicas.get(match_id)
    if replica is not None and replica.over is not None:
        return replica.over
    await here.opened()
    entries = await stored_log.read_entries(here.servers, match_id)
    try:
        return run(entries)[0].outcome() if entries else None
    except UnknownRules:
        return None


async def ended(match_ids: Sequence[str]) -> dict[str, Outcome]:
    """Those of the created matches that are over."""
    return await ends.outcomes(list(match_ids))


async def lost(match_ids: Sequence[str]) -> dict[str, Outcome]:
    """Those of the created matches whose log is gone without an end."""
    here = host()
    await here.opened()
    over = await ends.outcomes(list(match_ids))
    # A match whose server is away is not lost.
    running = [m for m in match_ids if m not in over and here.is_reachable(m)]
    there = await asyncio.gather(*(stored_log.exists(here.servers, m) for m in running))
    return {m: LOST for m, found in zip(running, there, strict=True) if not found}
