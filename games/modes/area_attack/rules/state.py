"""A match of Area Attack, and the snapshot of one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from games.engine.game import ALL, Setup, View, Viewer
from games.engine.grid import SquareGrid, square8

from .options import Options

FREE: Final = 14
EXPOSED: Final = 15
"""Beside seat numbers, what `owners` holds: a hidden cell that nobody owns, an exposed mine."""

DEFAULT, ATTACK, LOCK = 1, 2, 3


@dataclass(slots=True)
class Freeze:
    until: int
    cell: int
    mine: bool
    """The mine that caused it is still there, to be exposed when the freeze ends."""
    held: View
    """The seat's view when it froze, and its only one until the freeze ends."""
    missed: list[dict[str, int]] = field(default_factory=list)
    """Freezes of others that this seat will be told of when its own ends: seat and cell."""


@dataclass(slots=True)
class State:
    setup: Setup
    options: Options
    grid: SquareGrid
    picks: list[int | None]
    confirmed: list[bool]
    mines: bytearray
    numbers: bytearray
    """Mines among the 8 neighbours of every cell, of mines too."""
    owners: bytearray
    """A seat number, FREE or EXPOSED for every cell."""
    safe: int
    """Cells without a mine, claimed or not."""
    flags: list[set[int]]
    areas: list[int]
    struck: list[int]
    freezes: list[Freeze | None]
    regenerations: int = 0
    stage: int = 0
    began: int | None = None
    ends: int | None = None
    due: int | None = None
    ended: bool = False
    hearing: frozenset[Viewer] = ALL
    """Everybody who is not frozen: the audience of all news from the board."""


def start(setup: Setup) -> State:
    options: Options = setup.options
    grid = square8(options.size, options.size)
    seats = setup.seats
    return State(
        setup=setup,
        options=options,
        grid=grid,
        picks=[None] * seats,
        confirmed=[False] * seats,
        mines=bytearray(grid.size),
        numbers=bytearray(grid.size),
        owners=bytearray([FREE]) * grid.size,
        safe=grid.size,
        flags=[set() for _ in range(seats)],
        areas=[0] * seats,
        struck=[0] * seats,
        freezes=[None] * seats,
    )


_BYTES: Final = ("mines", "numbers", "owners")
_PLAIN: Final = ("picks", "confirmed", "safe", "areas", "struck", "regenerations", "stage")
_TIMES: Final = ("began", "ends", "due", "ended")


def dump(state: State) -> Any:
    return {
        **{key: getattr(state, key).hex() for key in _BYTES},
        **{key: getattr(state, key) for key in _PLAIN + _TIMES},
        "flags": [sorted(cells) for cells in state.flags],
        "freezes": [
            None if freeze is None else {key: getattr(freeze, key) for key in Freeze.__slots__}
            for freeze in state.freezes
        ],
    }


def load(raw: Any, setup: Setup) -> State:
    raw = dict(raw)
    state = start(setup)
    for key in _BYTES:
        setattr(state, key, bytearray.fromhex(raw[key]))
    for key in _PLAIN + _TIMES:
        setattr(state, key, raw[key])
    state.flags = [set(cells) for cells in raw["flags"]]
    state.freezes = [None if freeze is None else Freeze(**freeze) for freeze in raw["freezes"]]
    state.hearing = who_hears(state)
    return state


def who_hears(state: State) -> frozenset[Viewer]:
    return ALL - {seat for seat, freeze in enumerate(state.freezes) if freeze is not None}
