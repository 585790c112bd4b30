"""Results that no hand can make: they wait for a moderator instead of counting.

The limits are far from what people do. A false alarm costs a delay, and what passes can still be
taken back. Clicks that a stalled connection delivers at once lie close together, and so single
pauses say nothing; only the whole of a game does.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean, pstdev
from typing import Final

from games.engine.figures import Figures

FASTEST: Final = 10.0
"""3BV per second. The best players reach 4 to 7 on large boards."""
FROM_BBBV: Final = 10
"""Below so much 3BV luck alone makes speeds."""
MOST_CLICKS: Final = 16.0
"""Clicks per second over a whole game, of at least FROM_CLICKS."""
FROM_CLICKS: Final = 10
STEADIEST: Final = 0.12
"""The spread of the pauses between clicks over their mean. People have 0.5 and more; a program that
clicks by the clock has next to none."""
FROM_PAUSES: Final = 20


def suspicion(figures: Figures) -> str:
    """Why a won game is held: `too_fast`, `too_many_clicks` or `too_regular`; empty if it isn't."""
    if not figures.won:
        return ""
    seconds = figures.time_ms / 1000
    if figures.bbbv >= FROM_BBBV and figures.bbbv_done > FASTEST * seconds:
        return "too_fast"
    # The first click starts the clock.
    if figures.clicks >= FROM_CLICKS and figures.clicks - 1 > MOST_CLICKS * seconds:
        return "too_many_clicks"
    pauses = [after - before for before, after in pairwise(figures.beats)]
    if len(pauses) >= FROM_PAUSES and pstdev(pauses) < STEADIEST * fmean(pauses):
        return "too_regular"
    return ""
