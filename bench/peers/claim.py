"""The trivial game of claim.mjs, for the peers in Python."""

from __future__ import annotations

CELLS = 900


class Board:
    def __init__(self) -> None:
        self.owners = [-1] * CELLS

    def claim(self, cell: object, seat: int) -> bool:
        """Whether the seat now owns the cell."""
        if type(cell) is not int or not 0 <= cell < CELLS or self.owners[cell] != -1:
            return False
        self.owners[cell] = seat
        return True
