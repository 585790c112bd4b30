"""The state of a match around that of its mode."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Generic, TypeVar

from .folding import SETUP
from .game import Outcome, Setup
from .rng import commitment

S = TypeVar("S")


@dataclass(slots=True)
class Seat:
    connected: bool = True
    ready: bool = False
    gone: int | None = None
    """Match time since when this seat is away."""
    deadline: int | None = None
    """Match time when its grace ends; None when present, or when it has ended."""
    claimable: bool = False
    retired: int | None = None
    """Match time at which it was out for good."""
    order: int = 0
    """The number of seats that were out before it. Two may go in one millisecond: the log's order
    counts."""
    excused: bool = False
    """It is away because of an outage of the site."""


@dataclass(slots=True)
class State(Generic[S]):
    setup: Setup
    game: S
    seats: list[Seat]
    origin: int
    now: int = 0
    """Match time up to which everything has happened."""
    phase: str = SETUP
    setup_ends: int | None = None
    outcome: Outcome | None = None
    teams: tuple[int, ...] = ()
    commitment: str = field(init=False)
    options: dict[str, Any] = field(init=False)
    """The set-up's options as JSON; never changed."""

    def __post_init__(self) -> None:
        self.commitment = commitment(self.setup.seed, self.setup.deal)
        self.options = asdict(self.setup.options)
        for option in fields(self.setup.options):
            if option.metadata.get("since", 1) > self.setup.version:
                del self.options[option.name]  # this version of the rules did not have it yet
