"""A position that a puzzle shows: a small rectangle of a board, with what is known of each cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.bots.solver import Solver, rectangle

HIDDEN: Final = "."
BLANK: Final = "?"
"""Open, and its number is left out: it also counts cells beyond the rectangle."""
MINE: Final = "x"
"""A mine that everybody sees."""

SAFE: Final = "safe"
GUESS: Final = "guess"
QUESTIONS: Final = (SAFE, GUESS)


@dataclass(frozen=True)
class Position:
    """`cells` has a character per cell, row by row: a digit, HIDDEN, BLANK or MINE. `mines` is how
    many of the hidden cells are mines; None when the rectangle is a part of a larger board."""

    width: int
    height: int
    cells: str
    mines: int | None = None

    @cached_property
    def hidden(self) -> tuple[int, ...]:
        return tuple(cell for cell, shown in enumerate(self.cells) if shown == HIDDEN)

    @property
    def numbers(self) -> dict[int, int]:
        return {cell: int(shown) for cell, shown in enumerate(self.cells) if shown.isdigit()}

    def solver(self) -> Solver:
        """A new solver that knows this position; it raises Contradiction when no board fits."""
        struck = [cell for cell, shown in enumerate(self.cells) if shown == MINE]
        mines = None if self.mines is None else self.mines + len(struck)
        solver = Solver(rectangle(self.width, self.height), mines=mines)
        for cell in struck:
            solver.mark_mine(cell)
        for cell, shown in enumerate(self.cells):
            if shown == BLANK:
                solver.mark_safe(cell)
        for cell, number in self.numbers.items():
            solver.reveal(cell, number)
        return solver

    def canonical(self) -> Position:
        """The same position for all that are equal under turning and mirroring."""
        return min(self._turned(), key=lambda one: (one.height, one.width, one.cells))

    def _turned(self) -> Iterator[Position]:
        rows = [self.cells[y * self.width : (y + 1) * self.width] for y in range(self.height)]
        for _ in range(4):
            rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
            for each in (rows, [row[::-1] for row in rows]):
                yield Position(len(each[0]), len(each), "".join(each), self.mines)

    def key(self, question: str) -> str:
        """Equal for the same question about the same position, and for nothing else."""
        one = self.canonical()
        mines = "" if one.mines is None else one.mines
        return f"{question}:{one.width}:{mines}:{one.cells}"
