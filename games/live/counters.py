"""Counters of this process. The hot path only adds; once a second `lobby.stats`
takes what has gathered.

Times to acknowledge fall into buckets of a quarter octave of microseconds: fine enough for a
percentile (within a fifth), cheap enough for every move.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

BUCKETS: Final = 120
"""The last one begins after 15 minutes."""
TOOK: Final = "took"
LAG: Final = "lag"
"""Buckets are named so, with their number: took40, lag12. No other figure's name begins so."""


class Sent:
    """One write to Redis: all its moves are answered at about the same time."""

    __slots__ = ("at",)

    def __init__(self, at: float) -> None:
        self.at = at


class Counters:
    __slots__ = (
        "_sent",
        "_waited",
        "lags",
        "limited",
        "moves",
        "refused",
        "resyncs",
        "slow",
        "took",
    )

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
        self.lags = [0] * BUCKETS
        """The lag of the event loop's timers."""
        self._waited = 0
        self._sent: Sent | None = None

    def waited(self, seconds: float) -> None:
        """The moves that are counted next were sent together, so long ago."""
        self._sort()
        self._waited = bucket(seconds)

    def answered(self, sent: Sent) -> None:
        """The same for moves of one write; cheap when the last ones were of the same."""
        if sent is not self._sent:
            self._sent = sent
            self.waited(time.monotonic() - sent.at)

    def late(self, seconds: float) -> None:
        """The event loop ran a timer so much later than asked."""
        self.lags[bucket(seconds)] += 1

    def take(self) -> dict[str, int]:
        """The counts since the last call, without the zeros."""
        self._sort()
        found = {name: getattr(self, name) for name in ("refused", "slow", "limited", "resyncs")}
        found |= {f"{TOOK}{index}": number for index, number in enumerate(self.took)}
        found |= {f"{LAG}{index}": number for index, number in enumerate(self.lags)}
        found["moves"] = sum(self.took)
        self.__init__()  # type: ignore[misc]  # sets every field back to zero
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


def percentile(counts: Mapping[str, int], share: float, kind: str = TOOK) -> float | None:
    """Milliseconds within which this share of the moves was acknowledged; None without moves. With
    LAG: within which the event loop ran its timers."""
    buckets = sorted(
        (int(name.removeprefix(kind)), n) for name, n in counts.items() if name.startswith(kind)
    )
    wanted = share * sum(n for _, n in buckets)
    reached = 0
    for index, number in buckets:
        reached += number
        if reached >= wanted:
            return upper_ms(index)
    return None


COUNTERS: Final = Counters()
