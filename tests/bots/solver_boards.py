"""Small boards and a solver that simply tries everything, to check the real one against."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from games.bots.solver import Solver, Topology, rectangle
from games.engine.grid import hexagon, square4


def tangled(size: int, rng: Random) -> Topology:
    """No geometry at all: cells joined at random."""
    near: list[set[int]] = [set() for _ in range(size)]
    for _ in range(size * 2):
        a, b = rng.sample(range(size), 2)
        near[a].add(b)
        near[b].add(a)
    return Topology([sorted(row) for row in near])


def some_topology(rng: Random) -> Topology:
    return rng.choice(
        [
            lambda: rectangle(rng.randint(2, 5), rng.randint(2, 3)),
            lambda: Topology(hexagon(rng.choice([1, 1, 2])).neighbours),
            lambda: Topology(square4(rng.randint(2, 5), rng.randint(2, 3)).neighbours),
            lambda: tangled(rng.randint(5, 13), rng),
        ]
    )()


def number_at(topology: Topology, mines: frozenset[int], cell: int) -> int:
    return sum(other in mines for other in topology.neighbours[cell])


def arrangements(
    topology: Topology,
    numbers: dict[int, int],
    mines: int | None,
    safe: Collection[int] = (),
) -> list[frozenset[int]]:
    """Every arrangement of mines that shows these numbers, one cell decided after another."""
    hidden = [cell for cell in range(topology.size) if cell not in numbers and cell not in safe]
    partial: list[tuple[tuple[int, ...], dict[int, int]]] = [((), dict(numbers))]
    for i, cell in enumerate(hidden):
        undecided = set(hidden[i + 1 :])
        around = [n for n in topology.neighbours[cell] if n in numbers]
        following = []
        for chosen, missing in partial:
            for mine in (0, 1):
                left = {**missing, **{n: missing[n] - mine for n in around}}
                if all(
                    0 <= left[n] <= sum(c in undecided for c in topology.neighbours[n])
                    for n in around
                ):
                    following.append(((*chosen, cell) if mine else chosen, left))
        partial = following
    return [
        frozenset(chosen)
        for chosen, left in partial
        if not any(left.values()) and mines in (None, len(chosen))
    ]


def expected_chances(
    topology: Topology, solutions: list[frozenset[int]], density: float | None
) -> list[float]:
    size = topology.size
    weights = [
        1.0 if density is None else density ** len(s) * (1 - density) ** (size - len(s))
        for s in solutions
    ]
    whole = sum(weights)
    return [
        sum(w for s, w in zip(solutions, weights, strict=True) if cell in s) / whole
        for cell in range(size)
    ]


def random_position(
    rng: Random, hidden: int = 14
) -> tuple[Topology, frozenset[int], dict[int, int]]:
    """A board with some of its safe cells opened, at most about `hidden` cells not."""
    topology = some_topology(rng)
    mines = frozenset(rng.sample(range(topology.size), rng.randint(0, topology.size // 2)))
    clear = [cell for cell in range(topology.size) if cell not in mines]
    # enough that trying everything stays quick
    least = min(len(clear), max(0, topology.size - hidden))
    shown = rng.sample(clear, rng.randint(least, len(clear)))
    return topology, mines, {cell: number_at(topology, mines, cell) for cell in shown}


def play_safely(solver: Solver, mines: frozenset[int]) -> None:
    """Open proven cells until there are none."""
    while found := list(solver.deduce()):
        for cell in found:
            solver.reveal(cell, number_at(solver.topology, mines, cell))
