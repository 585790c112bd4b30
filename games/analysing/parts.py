"""The parts that are computed of a finished match, with their queues and versions.

A result is used while its version is the present one. To have all matches computed again when they
are next asked for, raise the version.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings

ANALYSIS: Final = "analysis"
"""The moves, judged (games/analysis.py)."""
END: Final = "end"
"""The final view of every viewer."""
ALL: Final = "all"
"""The replay as all viewers saw it; a single viewer's is named like the view."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A queue with processes of its own, so that short work never waits behind long."""

    name: str
    function: str
    version: int
    seconds: float
    """A job that takes longer is given up. Far above what any should take: the processes have the
    lowest priority."""
    stays: bool
    """False: the result is a copy of what can be computed again, and old ones are deleted."""

    @property
    def processes(self) -> int:
        return settings.ANALYSIS_PROCESSES if self.name == ANALYSIS else 1


LANES: Final = {
    "replay": Lane("replay", "games.replay_data:compute", 1, 60.0, stays=False),
    ANALYSIS: Lane(ANALYSIS, "games.analysis:compute", 3, 180.0, stays=True),
}


def lane_of(part: str) -> Lane:
    return LANES[ANALYSIS if part == ANALYSIS else "replay"]
