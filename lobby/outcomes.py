"""Which matches are over, and how: read from the live runtime's keys."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from games.engine.game import Outcome
from games.live.course import run
from games.live.host import host
from games.live.log import Log
from games.live.setup import UnknownRules
from lobby.store import per_match

LOST = Outcome(ranks=(), reason="lost", aborted=True)
"""Of a match that is nowhere to be found any more."""


async def outcome_of(match_id: str) -> Outcome | None:
    """How this match ended; None while it runs."""
    return (await ended([match_id])).get(match_id) or (await lost([match_id])).get(match_id)


async def outcome_in_log(match_id: str) -> Outcome | None:
    """The same from the log itself, which knows first: players hear of the end, and may answer,
    before the runtime has marked the match as over."""
    here = host()
    replica = here.replicas.get(match_id)
    if replica is not None and replica.over is not None:
        return replica.over
    await here.opened()
    entries = await Log(here.store, match_id).read()
    try:
        return run(entries)[0].outcome() if entries else None
    except UnknownRules:
        return None


async def ended(match_ids: Sequence[str]) -> dict[str, Outcome]:
    """Those of the created matches that are over."""
    answers = await per_match(match_ids, lambda pipe, keys: pipe.get(f"{keys}over"))
    return {
        match_id: Outcome.from_json(msgspec.json.decode(raw)["outcome"])
        for match_id, raw in zip(match_ids, answers, strict=True)
        if raw is not None
    }


async def lost(match_ids: Sequence[str]) -> dict[str, Outcome]:
    """Those of the created matches whose log is gone without an end."""
    answers = await per_match(
        match_ids, lambda pipe, keys: pipe.exists(f"{keys}log", f"{keys}over")
    )
    return {m: LOST for m, there in zip(match_ids, answers, strict=True) if not there}
