"""What this process counts while it plays. The hot path only adds; once a second `lobby.stats`
takes what has gathered.

Times to acknowledge fall into buckets of a quarter octave of microseconds: fine enough for a
percentile (within a fifth), cheap enough for every move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BUCKETS: Final = 120
"""The last one begins after 15 minutes."""


class Counters:
    __slots__ = ("_waited", "limited", "moves", "refused", "resyncs", "slow", "took")

    def __init__(self) -> None:
        self.moves = 0
        """Commands that were stored and are acknowledged now, since the last `waited`."""
        self.refused = 0
        self.slow = 0
        """Sockets closed because their client did not read (4008)."""
        self.limited = 0
        """Sockets closed because their client sent too much (4009)."""
        self.resyncs = 0
        """Clients that came back and needed a fresh view: they had missed too much."""
        self.took = [0] * BUCKETS
        self._waited = 0

    def waited(self, seconds: float) -> None:
        """The moves that are counted next were sent together, so long ago."""
        self._sort()
        self._waited = bucket(seconds)

    def take(self) -> dict[str, int]:
        """What has gathered since the last time, without the zeros."""
        self._sort()
        found = {name: getattr(self, name) for name in ("refused", "slow", "limited", "resyncs")}
        found |= {f"t{index}": number for index, number in enumerate(self.took)}
        found["moves"] = sum(self.took)
        self.__init__()  # type: ignore[misc]
        return {name: number for name, number in found.items() if number}

    def _sort(self) -> None:
        self.took[self._waited] += self.moves
        self.moves = 0


def bucket(seconds: float) -> int:
    micros = int(seconds * 1e6)
    if micros < 4:
        return 0
    octave = micros.bit_length()
    index = (octave - 3) * 4 + ((micros >> (octave - 3)) & 3)
    return index if index < BUCKETS else BUCKETS - 1


def upper_ms(index: int) -> float:
    """The end of a bucket: no time in it is longer."""
    octave, quarter = divmod(index, 4)
    return float((5 + quarter) << octave) / 1000


def percentile(counts: Mapping[str, int], share: float) -> float | None:
    """Milliseconds within which this share of the moves was acknowledged; None without moves."""
    buckets = sorted((int(name[1:]), n) for name, n in counts.items() if name[:1] == "t")
    wanted = share * sum(n for _, n in buckets)
    reached = 0
    for index, number in buckets:
        reached += number
        if reached >= wanted:
            return upper_ms(index)
    return None


COUNTERS: Final = Counters()
