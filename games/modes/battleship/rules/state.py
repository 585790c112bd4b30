"""A game of Battleship, and the snapshot of one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from games.engine.game import Setup

from .fleet import CELLS, Fleet, Ship

UNTRIED: Final = 0
MISS: Final = 1
HIT: Final = 2


@dataclass(slots=True)
class Sea:
    """One seat's board, as its opponent attacks it."""

    tried: bytearray
    """UNTRIED, MISS or HIT for every cell."""
    fleet: Fleet | None = None
    """Secret until the end; None until it is placed."""
    sunk: list[Ship] = field(default_factory=list)
    """Its ships that are gone, in the order they sank."""
    lapses: int = 0
    """Turns in a row that this seat let run out."""

    @property
    def hits(self) -> int:
        return self.tried.count(HIT)

    def bomb(self, cell: int) -> tuple[bool, Ship | None]:
        """Whether the bomb hits, and the ship that it sinks."""
        assert self.fleet is not None
        struck = next((ship for ship in self.fleet if cell in ship.cells), None)
        if struck is None:
            self.tried[cell] = MISS
            return False, None
        self.tried[cell] = HIT
        if any(self.tried[each] != HIT for each in struck.cells):
            return True, None
        self.sunk.append(struck)
        return True, struck


@dataclass(slots=True)
class State:
    setup: Setup
    seas: tuple[Sea, Sea]
    bombs: int = 0
    turn: int | None = None
    """The attacker; None before the first turn and after the last."""
    turn_ends: int | None = None
    winner: int | None = None
    reason: str | None = None


def start(setup: Setup) -> State:
    return State(setup, (Sea(bytearray(CELLS)), Sea(bytearray(CELLS))))


def dump(state: State) -> Any:
    return {
        "seas": [
            {
                "tried": sea.tried.hex(),
                "fleet": None if sea.fleet is None else [ship.as_json() for ship in sea.fleet],
                "sunk": [ship.as_json() for ship in sea.sunk],
                "lapses": sea.lapses,
            }
            for sea in state.seas
        ],
        **{key: getattr(state, key) for key in ("bombs", "turn", "turn_ends", "winner", "reason")},
    }


def load(raw: Any, setup: Setup) -> State:
    raw = dict(raw)
    first, second = (
        Sea(
            bytearray.fromhex(sea["tried"]),
            None if sea["fleet"] is None else tuple(Ship(**ship) for ship in sea["fleet"]),
            [Ship(**ship) for ship in sea["sunk"]],
            sea["lapses"],
        )
        for sea in raw.pop("seas")
    )
    return State(setup, (first, second), **raw)
