"""A newcomer's matches: small boards and weak bots first, larger and stronger with the results."""

from __future__ import annotations

from typing import Final

from games.bots.roster import ROSTER
from games.engine.registry import REGISTRY
from games.models import Seat

FIRST_RESULTS: Final = 20
"""After so many a player's rating says more than they do."""


async def preset_for(user_id: int | None, mode: str) -> str:
    """The preset that "Play now" asks for: one of the mode's first steps, or none once the player
    has won on all of them."""
    steps = REGISTRY[mode].first_steps
    if not steps:
        return ""
    wins = 0
    if user_id is not None:
        won = Seat.objects.filter(user_id=user_id, mode=mode, result=Seat.Result.WIN)
        wins = await won[: len(steps)].acount()
    return steps[wins] if wins < len(steps) else ""


async def bot_strength(user_id: int | None, mode: str, rating: float) -> float:
    """The strength of the bot that this player should meet: the weakest one at first, one step
    stronger after a win and one weaker after a loss, until the bot is as strong as the player's
    rating says."""
    if user_id is None:
        return rating
    results = Seat.objects.filter(
        user_id=user_id, mode=mode, result__in=(Seat.Result.WIN, Seat.Result.LOSS)
    ).order_by("ended_at", "id")
    step = seen = 0
    async for result in results.values_list("result", flat=True)[:FIRST_RESULTS]:
        seen += 1
        step = step + 1 if result == Seat.Result.WIN else max(0, step - 1)
        if step == len(ROSTER) or ROSTER[step].strength >= rating:
            return rating
    return rating if seen == FIRST_RESULTS else ROSTER[step].strength
