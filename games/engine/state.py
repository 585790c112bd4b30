"""The state of a match around that of its mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from .folding import SETUP
from .game import Outcome, Setup

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
    commitment: str = ""
    teams: tuple[int, ...] = ()
