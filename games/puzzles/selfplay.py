"""Games of simulated players with blind spots, for the positions in which they go wrong.

After a mistake the game goes on as if it had been lucky: a lost game shows no more positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from games.bots.reading import BoardReader
from games.bots.roster import ROSTER, Character
from games.bots.solver import Solver, Tier
from games.bots.sweeping import Sweeper
from games.engine.board import HIDDEN, Board
from games.engine.field import MineField
from games.engine.grid import square8
from games.puzzles import making
from games.puzzles.making import Made

BOARDS: Final = (
    (6, 6, 8), (7, 6, 10), (7, 7, 12), (8, 7, 13), (8, 8, 15), (9, 9, 18), (10, 9, 20), (16, 16, 50)
)  # fmt: skip
"""Small ones for their endgames, which are where players have to guess or to count."""
PLAYERS: Final = tuple(one for one in ROSTER if one.tier is not Tier.FULL)
KEEN: Final = tuple(one for one in PLAYERS if one.tier is Tier.SUBSET)


def play(seed: str, players: Sequence[Character] = PLAYERS) -> Iterator[Made]:
    """The puzzles of one game; the same seed gives the same ones."""
    random = Random(seed)
    width, height, mines = random.choice(BOARDS)
    grid = square8(width, height)
    start = random.randrange(grid.size)
    clear = {start, *grid.neighbours[start]}
    board = Board(MineField(grid, random.sample([*set(range(grid.size)) - clear], mines)))
    board.reveal(start)
    yield from _sweep(board, width, random.choice(players), random)


def _sweep(board: Board, width: int, character: Character, random: Random) -> Iterator[Made]:
    height = board.field.grid.size // width
    game: dict[str, Any] = {"width": width, "height": height, "mines": len(board.field.mines)}
    reader = BoardReader(game)
    last: int | None = None
    while board.left:
        game["cells"] = board.cells()
        reader.look(game)
        hidden = [cell for cell, shown in enumerate(game["cells"]) if shown == HIDDEN]
        # The player thinks with a solver of its own: what it misses must not be known to it.
        thinking = Sweeper(reader.solver.fork(), character, random)
        last, _ = thinking.choose(hidden, last, width)
        judged = reader.solver.fork()
        judged.analyse()
        if last not in judged.safe:
            made = puzzle_of(judged, width, height)
            if made is not None:
                yield made
            if judged.safe:
                last = min(judged.safe)
            elif last in board.field.mines:
                last = random.choice([cell for cell in hidden if cell not in board.field.mines])
        board.reveal(last)


def puzzle_of(solver: Solver, width: int, height: int) -> Made | None:
    """The puzzle about the move that should have been made here."""
    if solver.safe:
        return making.find_safe(solver, width, height)
    return making.find_guess(solver, width, height)
