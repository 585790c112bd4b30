"""Makes a puzzle of what a player saw before a move that was not the best: the position, what is
right, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from games.bots.solver import Contradiction, Proof, Solver, Tier
from games.puzzles import cutting
from games.puzzles.position import BLANK, GUESS, HIDDEN, SAFE, Position
from games.puzzles.winning import chances

TAGS: Final = ("pattern", "subset", "chain", "mine_count", "probability", "endgame")
"""By their bits in `Puzzle.tags`."""
CHAIN: Final = 4
"""A proof with so many numbers is a chain."""
TRIED: Final = 6
"""Of so many proven cells the one with the shortest proof is asked for."""
MOST_NUMBERS: Final = 12
"""A longer proof is no fun."""
FEWEST_ROWS: Final = 3
ENDGAME: Final = 24
"""With so few hidden cells left, the rest of a board is shown as a whole."""
MEDIUM: Final = 25.0
"""The difficulty of a puzzle that a newcomer solves every other time, on openskill's scale."""


@dataclass(frozen=True, slots=True)
class Made:
    question: str
    position: Position
    answer: dict[str, Any]
    """`safe`: the solution; `mines`: the proven mines; `proofs`: by cell, its numbers and whether
    the mine count is needed. Or, for a guess: `best`: the solution; `total`: the arrangements;
    `chances`: by cell, in how many it is a mine, and in how many the game is won."""
    tags: tuple[str, ...]
    mu: float
    """The first estimate of its difficulty."""

    @property
    def key(self) -> str:
        return self.position.key(self.question)


def find_safe(solver: Solver, width: int, height: int) -> Made | None:
    """A puzzle that asks for a proven cell of this board; None when there is none worth asking."""
    solver.analyse()
    beside = solver.topology.neighbours
    near = sorted(solver.safe, key=lambda c: (solver.numbers.keys().isdisjoint(beside[c]), c))
    proofs = [proof for cell in near[:TRIED] if (proof := solver.proof(cell)) is not None]
    if not proofs:
        return None
    best = min(proofs, key=lambda proof: (proof.mine_count, len(proof.numbers)))
    if len(best.numbers) > MOST_NUMBERS:
        return None
    rest = cutting.whole_rest(solver, width, height)
    if rest is not None and (best.mine_count or len(rest.hidden) <= ENDGAME):
        return ask_safe(rest)
    position = None if best.mine_count else cutting.part(solver, width, height, best.numbers)
    return None if position is None else ask_safe(position)


def find_guess(solver: Solver, width: int, height: int) -> Made | None:
    """A puzzle that asks for the best guess at the end of this board."""
    position = cutting.whole_rest(solver, width, height)
    return None if position is None else ask_guess(position)


def ask_safe(position: Position) -> Made | None:
    position = position.canonical()
    if not _is_worth_asking(position):
        return None
    try:
        solver = position.solver()
        if solver.fork().deduce(Tier.SINGLE):
            return None  # one number alone shows it
        solver.analyse()
    except Contradiction:
        return None
    safe = sorted(solver.safe & set(position.hidden))
    if not safe or len(safe) > len(position.hidden) // 2:
        return None
    proofs = {cell: proof for cell in safe if (proof := solver.proof(cell)) is not None}
    if not proofs:
        return None
    shortest = min(proofs.values(), key=lambda proof: (proof.mine_count, len(proof.numbers)))
    if len(shortest.numbers) > MOST_NUMBERS:
        return None
    answer = {
        "safe": safe,
        "mines": sorted(solver.mines & set(position.hidden)),
        "proofs": {
            str(cell): [list(proof.numbers), int(proof.mine_count)]
            for cell, proof in proofs.items()
        },
        "shortest": shortest.cell,
    }
    tags = _tags_of_proof(position, shortest)
    mu = MEDIUM - 5.0 + 1.5 * min(len(shortest.numbers), 8) + 2.5 * shortest.mine_count
    mu += 1.5 * (len(safe) == 1) - 1.5 * ("pattern" in tags)
    return Made(SAFE, position, answer, tags, round(mu, 2))


def ask_guess(position: Position) -> Made | None:
    position = position.canonical()
    if position.mines is None or not _is_worth_asking(position) or len(position.hidden) < 4:
        return None
    try:
        solver = position.solver()
        solver.analyse()
        if solver.safe & set(position.hidden):
            return None
        found = chances(solver)
    except Contradiction:
        return None
    if found is None:
        return None
    total, by_cell = found
    wins = max(each.wins for each in by_cell.values())
    best = sorted(cell for cell, each in by_cell.items() if each.wins == wins)
    second = max((each.wins for each in by_cell.values() if each.wins < wins), default=wins)
    gap = (wins - second) / total
    if gap < 0.02 or len(best) > max(1, len(by_cell) // 2):
        return None  # nothing to choose
    answer = {
        "best": best,
        "mines": sorted(solver.mines & set(position.hidden)),
        "total": total,
        "chances": {str(cell): [each.mines, each.wins] for cell, each in by_cell.items()},
    }
    fewest = min(each.mines for each in by_cell.values())
    deceptive = all(by_cell[cell].mines > fewest for cell in best)
    mu = MEDIUM + 2.0 + 4.0 * deceptive - 8.0 * min(gap, 0.3) + min(total, 40) / 20
    return Made(GUESS, position, answer, ("probability", "endgame"), round(mu, 2))


def _is_worth_asking(position: Position) -> bool:
    """Large enough to look at, and not mostly left out."""
    small = min(position.width, position.height) < FEWEST_ROWS
    large = max(position.width, position.height) > cutting.MOST
    blank = position.cells.count(BLANK) * 2 > len(position.cells)
    return not (small or large or blank or len(position.hidden) < 2)


def _tags_of_proof(position: Position, proof: Proof) -> tuple[str, ...]:
    tags = {
        "pattern": _has_pattern(position, proof.numbers),
        "subset": len(proof.numbers) < CHAIN and not proof.mine_count,
        "chain": len(proof.numbers) >= CHAIN,
        "mine_count": proof.mine_count,
        "endgame": position.mines is not None,
    }
    return tuple(tag for tag, fits in tags.items() if fits)


def _has_pattern(position: Position, numbers: tuple[int, ...]) -> bool:
    """Three numbers of the proof stand in a line as 1-2-1, with hidden cells along one side of
    them and none along the other."""
    used, width = set(numbers), position.width
    for middle in numbers:
        x, y = middle % width, middle // width
        for dx, dy in ((1, 0), (0, 1)):
            line = [(x + k * dx, y + k * dy) for k in (-1, 0, 1)]
            if not all(_on(position, *at) for at in line):
                continue
            cells = [row * width + column for column, row in line]
            if [position.cells[c] for c in cells] != ["1", "2", "1"]:
                continue
            sides = [[(a + s * dy, b + s * dx) for a, b in line] for s in (-1, 1)]
            hidden = [sum(_is_hidden(position, *at) for at in side) for side in sides]
            if len(used & set(cells)) >= 2 and sorted(hidden) == [0, 3]:
                return True
    return False


def _on(position: Position, x: int, y: int) -> bool:
    return 0 <= x < position.width and 0 <= y < position.height


def _is_hidden(position: Position, x: int, y: int) -> bool:
    return _on(position, x, y) and position.cells[y * position.width + x] == HIDDEN


def bits(tags: tuple[str, ...]) -> int:
    return sum(1 << TAGS.index(tag) for tag in tags)


def named(tags: int) -> list[str]:
    return [tag for i, tag in enumerate(TAGS) if tags >> i & 1]
