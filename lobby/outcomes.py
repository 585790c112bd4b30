"""Which matches are over, and how: read from the live runtime's keys."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from games.engine.game import Outcome
from lobby.store import per_match

LOST = Outcome(ranks=(), reason="lost", aborted=True)
"""Of a match that is nowhere to be found any more."""


async def outcome_of(match_id: str) -> Outcome | None:
    """How this match ended; None while it runs."""
    return (await ended([match_id])).get(match_id) or (await lost([match_id])).get(match_id)


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
