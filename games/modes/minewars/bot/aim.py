"""Chooses a city to go for, and measures how far each tile is from it."""

from __future__ import annotations

from typing import Final

from games.modes.minewars.rules.tiles import BRIDGE, IS_LAND, KIND_MASK, STRUCTURE

from .board import Board

FAR: Final = 10_000
FRESH_MS: Final = 20_000
"""The map known to a bot changes slowly; until then it keeps what it worked out."""
DEFENDED: Final = 6
"""Neutral cities defend themselves with nobody's money: they look so many steps nearer."""
LOYAL: Final = 4
"""Another city must be so many steps nearer for the bot to change its mind."""


class Aim:
    """Keeps the way to the city that the bot goes for."""

    def __init__(self) -> None:
        self.target: int | None = None
        """The number of the city; None: there is none to go for."""
        self.front = FAR
        """The distance of the nearest tile that the bot may capture."""
        self._steps: list[int] = []
        self._until = 0

    def update(self, board: Board, now: int) -> None:
        """Choose the nearest foreign city anew, now and then and when the last one is taken."""
        target = self.target
        lost = target is None or board.owner(board.cities[target]) == board.me
        if lost or now >= self._until:
            self._until = now + FRESH_MS
            self.target = min(
                (i for i, cell in enumerate(board.cities) if board.owner(cell) != board.me),
                key=lambda i: (
                    self._distance(board, board.cities[i]) - (LOYAL if i == target else 0)
                ),
                default=None,
            )
            if self.target is not None:
                self._steps = _walk(board, board.cities[self.target])
        if self.target is not None:
            steps = self._steps
            self.front = min([steps[c] for c in board.edge], default=FAR)

    def steps(self, cell: int) -> int:
        """Over land to the city; FAR where no land leads there."""
        return self._steps[cell] if self.target is not None else FAR

    @staticmethod
    def _distance(board: Board, city: int) -> int:
        nearest = min((board.topo.distance(city, c) for c in board.edge), default=FAR)
        return nearest + (DEFENDED if board.is_enemy(city) else 0)


def _walk(board: Board, city: int) -> list[int]:
    codes, neighbours = board.codes, board.topo.neighbours
    steps = [FAR] * len(codes)
    steps[city] = 0
    reached = [city]
    for at in reached:
        further = steps[at] + 1
        for n in neighbours[at]:
            code = codes[n]
            if steps[n] == FAR and (IS_LAND[code & KIND_MASK] or code >> STRUCTURE & 7 == BRIDGE):
                steps[n] = further
                reached.append(n)
    return steps
