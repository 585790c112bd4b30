"""A match of Area Attack in the middle of play, on a board laid for the test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.modes.area_attack.rules.generation import number
from games.modes.area_attack.rules.state import EXPOSED, FREE
from tests.engine.table import Table

SIZE = 16
BEGAN = 1_000


def at(x: int, y: int) -> int:
    return y * SIZE + x


# Mines around the safe corner (0, 15): no flood gets there, so that none clears the whole board.
POCKET = [at(0, 14), at(1, 14), at(1, 15)]


def block(left: int, top: int, right: int, bottom: int) -> list[int]:
    """All cells of a rectangle, its corners included."""
    return [at(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]


def battlefield(
    mines: Iterable[int],
    owned: Mapping[int, Iterable[int]],
    *,
    seats: int = 2,
    exposed: Iterable[int] = (),
    **options: Any,
) -> Table:
    """16x16 cells in stage 1, one second after the set-up, with exactly these mines and areas."""
    # No stage by area unless the test asks for it: these boards are claimed in a few moves.
    free = {"attack_at_claimed": 1, "lock_at_claimed": 1}
    table = Table("area-attack", seats, size=SIZE, pick_seconds=1, **{**free, **options})
    table.wait_until(BEGAN)
    game = table.inner
    game.mines[:] = bytes(SIZE * SIZE)
    game.owners[:] = bytes([FREE]) * (SIZE * SIZE)
    for cell in mines:
        game.mines[cell] = 1
    for cell in exposed:
        game.owners[cell] = EXPOSED
    game.numbers = number(game.grid, game.mines)
    game.safe = SIZE * SIZE - sum(game.mines)
    for seat in range(seats):
        cells = list(owned.get(seat, ()))
        game.areas[seat] = len(cells)
        for cell in cells:
            game.owners[cell] = seat
    table.views = {viewer: table.look(viewer) for viewer in table.viewers}
    return table
