"""Small boards and a solver that simply tries everything, to check the real one against."""

from __future__ import annotations

from itertools import combinations
from random import Random

from games.bots.solver import Solver, Topology, rectangle


def hexagonal(width: int, height: int) -> Topology:
    """Six neighbours each; odd rows are shifted to the right."""
    rows: list[tuple[int, ...]] = []
    for y in range(height):
        for x in range(width):
            side = 0 if y % 2 else -1
            near = [(x - 1, y), (x + 1, y)]
            near += [(x + side + i, y + dy) for dy in (-1, 1) for i in (0, 1)]
            rows.append(
                tuple(ny * width + nx for nx, ny in near if 0 <= nx < width and 0 <= ny < height)
            )
    return Topology(rows)


def square4(width: int, height: int) -> Topology:
    """Four neighbours each."""
    rows: list[tuple[int, ...]] = []
    for y in range(height):
        for x in range(width):
            near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            rows.append(
                tuple(ny * width + nx for nx, ny in near if 0 <= nx < width and 0 <= ny < height)
            )
    return Topology(rows)


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
            lambda: hexagonal(rng.randint(2, 5), rng.randint(2, 3)),
            lambda: square4(rng.randint(2, 5), rng.randint(2, 3)),
            lambda: tangled(rng.randint(5, 13), rng),
        ]
    )()


def number_at(topology: Topology, mines: frozenset[int], cell: int) -> int:
    return sum(other in mines for other in topology.neighbours[cell])


def arrangements(
    topology: Topology, numbers: dict[int, int], mines: int | None
) -> list[frozenset[int]]:
    """Every arrangement of mines that shows these numbers."""
    hidden = [cell for cell in range(topology.size) if cell not in numbers]
    sizes = range(len(hidden) + 1) if mines is None else [mines]
    return [
        found
        for size in sizes
        for found in map(frozenset, combinations(hidden, size))
        if all(number_at(topology, found, cell) == shown for cell, shown in numbers.items())
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
    rng: Random,
) -> tuple[Topology, frozenset[int], dict[int, int]]:
    """A board with some of its safe cells opened."""
    topology = some_topology(rng)
    mines = frozenset(rng.sample(range(topology.size), rng.randint(0, topology.size // 2)))
    clear = [cell for cell in range(topology.size) if cell not in mines]
    shown = rng.sample(clear, rng.randint(0, len(clear)))
    return topology, mines, {cell: number_at(topology, mines, cell) for cell in shown}


def play_safely(solver: Solver, mines: frozenset[int]) -> None:
    """Open proven cells until there are none."""
    while found := list(solver.deduce()):
        for cell in found:
            solver.reveal(cell, number_at(solver.topology, mines, cell))
