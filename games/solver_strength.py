"""Measuring the solver over many games, in parts that can be resumed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import sqrt
from pathlib import Path
from random import Random
from time import process_time

from games.bots import solver
from games.bots.solver.selfplay import deal, play
from games.bots.solver.topology import rectangle


@dataclass(frozen=True, slots=True)
class Series:
    """Games on random boards of one kind; game i is the same whoever plays it."""

    width: int
    height: int
    mines: int
    opening: bool
    seed: int

    @property
    def start(self) -> int:
        """A corner if the start is only safe; if it opens a zero, three cells in from it.

        The corner is the likeliest place for an opening, the other one opens most.
        """
        if not self.opening:
            return 0
        return min(3, self.height - 1) * self.width + min(3, self.width - 1)

    @property
    def name(self) -> str:
        first = "opening" if self.opening else "safe"
        return f"{self.width}x{self.height}-{self.mines}-{first}-{self.seed}"


@dataclass(slots=True)
class Tally:
    """The games so far."""

    games: int = 0
    wins: int = 0
    guesses: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def milliseconds(self) -> float:
        """Processor time for a game, on average."""
        return 1000.0 * self.seconds / self.games if self.games else 0.0

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % confidence interval of the win rate."""
        if not self.games:
            return 0.0, 1.0
        z, n, p = 1.959964, self.games, self.rate
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return centre - half, centre + half


def play_next(series: Series, tally: Tally) -> None:
    """Play the next game of the series and add it to the tally."""
    topology = rectangle(series.width, series.height)
    rng = Random(f"{series.seed}:{tally.games}")
    numbers = deal(topology, series.mines, series.start, series.opening, rng)
    before = process_time()
    game = play(topology, series.mines, series.start, numbers)
    tally.seconds += process_time() - before
    tally.games += 1
    tally.wins += game.won
    tally.guesses += game.guesses


def fingerprint() -> str:
    """Changes with the solver's source: results of another solver are not continued."""
    found = sha256()
    for path in sorted(Path(solver.__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def save(path: Path, tally: Tally) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"solver": fingerprint(), **asdict(tally)}))
    part.replace(path)


def load(path: Path) -> Tally:
    """The tally so far; a fresh one if there is none or it is another solver's."""
    try:
        stored = json.loads(path.read_text())
        if stored.pop("solver") == fingerprint():
            return Tally(**stored)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return Tally()
