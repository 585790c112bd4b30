"""Help for a player alone: the next cell that can be proven, and why, or the best guess.

Made from the player's own view, so a hint never tells what thinking could not have found.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from games.bots.reading import BoardReader
from games.bots.solver import Solver

CANDIDATES: Final = 12
"""Of so many proven cells the one that is easiest to see is shown."""


@dataclass(frozen=True, slots=True)
class Hint:
    kind: str
    """`safe` or `mine`: proven. `guess`: nothing proves it, `chance` is that of a mine."""
    cell: int
    numbers: tuple[int, ...] = ()
    """The open cells that prove it."""
    mine_count: bool = False
    """The number of mines on the board is needed for the proof, too."""
    rule: bool = False
    """Safe by the rules: where the game begins."""
    chance: float = 0.0
    exact: bool = True

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "numbers": list(self.numbers)}


def hint_for(view: dict[str, Any], cell: int | None = None) -> Hint | None:
    """A hint for the next move on a `classic` board; with a cell, one about that cell. None when
    there is nothing to say: it is open, or nothing is left."""
    game = view["game"]
    first = _first(view)
    if first is not None and cell in (None, first.cell):
        return first
    reader = BoardReader(game)
    reader.look(game)
    solver = reader.solver
    solver.analyse()
    if cell is not None:
        in_reach = 0 <= cell < len(game["cells"]) and reader.is_hidden(cell)
        return _about(solver, cell) if in_reach else None
    if solver.safe:
        # what no number touches takes all the numbers of a frontier, or the mine count
        beside = solver.topology.neighbours
        near = sorted(solver.safe, key=lambda c: (solver.numbers.keys().isdisjoint(beside[c]), c))
        return min(
            (_about(solver, safe) for safe in near[:CANDIDATES]),
            key=lambda hint: (hint.mine_count, len(hint.numbers)),
        )
    guess = solver.best_guess()
    return None if guess is None else Hint("guess", guess.cell, **_odds(solver, guess.cell))


def _first(view: dict[str, Any]) -> Hint | None:
    game = view["game"]
    if game["started"] is not None:
        return None
    if game["start"] is not None:
        return Hint("safe", game["start"], rule=True)
    if not view["options"]["safe_first"]:
        return None
    middle = game["height"] // 2 * game["width"] + game["width"] // 2
    flagged = game["cells"][middle] != -1
    return Hint("safe", game["cells"].index(-1) if flagged else middle, rule=True)


def _about(solver: Solver, cell: int) -> Hint:
    proof = solver.proof(cell)
    if proof is None:
        return Hint("guess", cell, **_odds(solver, cell))
    kind, chance = ("mine", 1.0) if proof.mine else ("safe", 0.0)
    return Hint(kind, cell, proof.numbers, proof.mine_count, chance=chance)


def _odds(solver: Solver, cell: int) -> dict[str, Any]:
    odds = solver.probabilities()
    return {"chance": odds[cell], "exact": odds.exact}
