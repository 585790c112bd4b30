"""Positions with more states than the solver likes: bounded work, and honesty about it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from games.bots.solver import Odds, Solver, rectangle

LATTICES: dict[str, Callable[[int, int], bool]] = {
    "second": lambda x, y: x % 2 == 1 and y % 2 == 1,
    "corner": lambda x, y: x % 2 == 0 and y % 2 == 0,
    "chequered": lambda x, y: (x + y) % 2 == 0,
    "slanted": lambda x, y: (x + 2 * y) % 4 == 0,
}


def lattice(size: int, pattern: str, density: float, seed: int, cap: int = 200_000) -> Solver:
    """Numbers in a regular pattern with everything else hidden: the widest frontiers there are."""
    board = rectangle(size, size)
    shown = [c for c in range(board.size) if LATTICES[pattern](c % size, c // size)]
    hidden = sorted(set(range(board.size)) - set(shown))
    mines = set(Random(seed).sample(hidden, round(density * len(hidden))))
    solver = Solver(board, len(mines), state_cap=cap)
    solver.reveal_all({c: sum(n in mines for n in board.neighbours[c]) for c in shown})
    return solver


@pytest.mark.parametrize(
    ("pattern", "density", "states"),
    [
        ("second", 0.2, 2_500),
        ("second", 0.5, 80_000),
        ("corner", 0.2, 500),
        ("corner", 0.5, 17_000),
        ("chequered", 0.2, 1),
        ("chequered", 0.5, 1),
        ("slanted", 0.2, 200),
        ("slanted", 0.5, 80_000),
    ],
)
def test_lattices_are_solved_exactly_with_few_states(
    pattern: str, density: float, states: int
) -> None:
    """At most a third more than today; in a bad order they would be millions."""
    solver = lattice(13, pattern, density, 3, cap=states)
    odds = solver.probabilities()
    assert odds.exact
    assert sum(odds.values()) == pytest.approx(solver.mine_count)


def mean_error(sampled: Odds, exact: Odds) -> float:
    cells = exact.undecided()
    return sum(abs(sampled[cell] - exact[cell]) for cell in cells) / len(cells)


@pytest.mark.parametrize("seed", [1, 2])
def test_beyond_the_cap_it_samples_and_says_so(seed: int) -> None:
    exact = lattice(11, "second", 0.4, seed).probabilities()
    solver = lattice(11, "second", 0.4, seed, cap=500)
    sampled = solver.probabilities()
    assert exact.exact
    assert not sampled.exact
    # guessing the density everywhere would be off by 0.18 on average
    assert mean_error(sampled, exact) < 0.1
    assert sum(sampled.values()) == pytest.approx(solver.mine_count, rel=0.05)
    assert solver.best_guess() is not None


def test_sampling_gives_the_same_answer_every_time() -> None:
    first, second = (lattice(9, "second", 0.4, 1, cap=500).probabilities() for _ in range(2))
    assert dict(first) == dict(second)


def test_sampling_does_not_depend_on_the_order_of_the_facts() -> None:
    at_once = lattice(9, "second", 0.4, 1, cap=100)
    numbers = list(at_once.numbers.items())
    Random(2).shuffle(numbers)
    move_by_move = Solver(at_once.topology, at_once.mine_count, state_cap=100)
    for i, (cell, number) in enumerate(numbers, 3):
        move_by_move.reveal(cell, number)
        if i > len(numbers):
            odds = move_by_move.probabilities()
    assert not odds.exact
    assert list(odds.values()) == pytest.approx(list(at_once.probabilities().values()), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_proven_by_sampling(seed: int) -> None:
    exact = lattice(7, "second", 0.3, seed)
    exact.analyse()
    sampled = lattice(7, "second", 0.3, seed, cap=20)
    sampled.analyse()
    assert sampled.safe <= exact.safe
    assert sampled.mines <= exact.mines


def test_a_large_board_with_few_mines_left_stays_stable() -> None:
    board = rectangle(100, 100)
    solver = Solver(board, 2000)
    solver.reveal(0, 1)
    solver.reveal(5050, 3)
    odds = solver.probabilities()
    assert odds[1] == pytest.approx(1 / 3)
    assert odds[5051] == pytest.approx(3 / 8)
    assert sum(odds.values()) == pytest.approx(2000)
