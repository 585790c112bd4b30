"""Which city to go for, and how far each tile is from it."""

from __future__ import annotations

from typing import Final

from games.modes.minewars.rules.tiles import IS_LAND, KIND_MASK

from .board import Board

FAR: Final = 10_000
FRESH_MS: Final = 20_000
"""The map known to a bot changes slowly; until then it keeps what it worked out."""


class Aim:
    """Keeps the way to the city that the bot goes for."""

    def __init__(self) -> None:
        self.target: int | None = None
        """The number of the city; None: there is none to go for."""
        self._steps: list[int] = []
        self._until = 0

    def update(self, board: Board, now: int) -> None:
        """Choose the nearest foreign city anew, now and then and when the last one is taken."""
        target = self.target
        lost = target is None or board.owner(board.cities[target]) == board.me
        if not lost and now < self._until:
            return
        self._until = now + FRESH_MS
        self.target = min(
            (i for i, cell in enumerate(board.cities) if board.owner(cell) != board.me),
            key=lambda i: self._distance(board, board.cities[i]),
            default=None,
        )
        if self.target is not None:
            self._steps = _walk(board, board.cities[self.target])

    def steps(self, cell: int) -> int:
        """Over land to the city; FAR where no land leads there."""
        return self._steps[cell] if self.target is not None else FAR

    @staticmethod
    def _distance(board: Board, city: int) -> int:
        """Neutral cities defend themselves with nobody's money: they look a little nearer."""
        nearest = min((board.topo.distance(city, c) for c in board.edge), default=FAR)
        return nearest + (3 if board.is_enemy(city) else 0)


def _walk(board: Board, city: int) -> list[int]:
    codes, neighbours = board.codes, board.topo.neighbours
    steps = [FAR] * len(codes)
    steps[city] = 0
    reached = [city]
    for at in reached:
        further = steps[at] + 1
        for n in neighbours[at]:
            if steps[n] == FAR and IS_LAND[codes[n] & KIND_MASK]:
                steps[n] = further
                reached.append(n)
    return steps
