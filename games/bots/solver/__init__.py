"""A minesweeper solver for any board that is given by neighbour lists. Standard library only.

    solver = Solver(neighbours, mines=99)          # or density=0.2: each cell a mine by chance
    solver.reveal(cell, number)                    # facts: also mark_mine, mark_safe, reset
    solver.deduce(Tier.SUBSET)                     # -> safe cells, thinking no harder than needed
    solver.analyse(); solver.safe; solver.mines    # all that can be proven
    odds = solver.probabilities()                  # odds[cell], odds.exact
    solver.best_guess()                            # Guess(cell, chance, exact) or None
    solver.proof(cell)                             # Proof(cell, mine, numbers, mine_count) or None
    solver.conflict()                              # Conflict(numbers, mine_count) or None

- `neighbours[cell]` are the cells around a cell (symmetric); give a `Topology` (`rectangle(w, h)`
  for the usual board) to share its tables between games.
- Facts that can't all be true raise `Contradiction`, when told or when thinking about them.
- Nothing is random: where a component is too large to count and is sampled (`exact` is False
  then), the draw depends on the position alone. Proven cells are never a matter of sampling.
- `solver.fork()` is an independent copy for trying things out.
"""

from .guess import Guess
from .knowledge import Contradiction
from .probabilities import Odds
from .proof import Conflict, Proof
from .reasoning import Tier
from .solver import Solver
from .topology import Topology, rectangle

__all__ = [
    "Conflict",
    "Contradiction",
    "Guess",
    "Odds",
    "Proof",
    "Solver",
    "Tier",
    "Topology",
    "rectangle",
]
