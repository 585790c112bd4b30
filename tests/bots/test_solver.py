"""The solver against trying everything, on small boards of every kind."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots.solver import Contradiction, Solver, Tier, rectangle

from .solver_boards import (
    arrangements,
    expected_chances,
    number_at,
    random_position,
)


def solver_of(topology, numbers, **prior) -> Solver:
    solver = Solver(topology, **prior)
    for cell, number in numbers.items():
        solver.reveal(cell, number)
    return solver


@pytest.mark.parametrize("seed", range(200))
def test_agrees_with_trying_everything(seed: int) -> None:
    rng = Random(seed)
    topology, mines, numbers = random_position(rng)
    density = rng.choice([None, 0.2, 0.5])
    count = len(mines) if density is None else None
    solutions = arrangements(topology, numbers, count)
    expected = expected_chances(topology, solutions, density)

    solver = solver_of(topology, numbers, mines=count, density=density)
    odds = solver.probabilities()

    assert odds.exact
    assert list(odds.values()) == pytest.approx(expected, abs=1e-12)
    hidden = set(range(topology.size)) - set(numbers)
    assert solver.safe == {c for c in hidden if not any(c in s for s in solutions)}
    assert solver.mines == {c for c in hidden if all(c in s for s in solutions)}


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 2**32))
def test_any_order_of_reveals_leads_to_the_same_answer(shuffler: Random, seed: int) -> None:
    topology, mines, numbers = random_position(Random(seed))
    stateless = solver_of(topology, numbers, mines=len(mines))
    expected = list(stateless.probabilities().values())

    order = list(numbers.items())
    shuffler.shuffle(order)
    solver = Solver(topology, len(mines))
    for cell, number in order:
        solver.reveal(cell, number)
        question = shuffler.randrange(4)
        if question == 0:
            solver.probabilities()
        elif question == 1:
            solver.deduce(shuffler.choice(list(Tier)))
    assert list(solver.probabilities().values()) == pytest.approx(expected, abs=1e-12)
    assert solver.safe == stateless.safe
    assert solver.mines == stateless.mines


@pytest.mark.parametrize("wide", [0, 4096])
@pytest.mark.parametrize("seed", range(40))
def test_a_whole_position_at_once_is_the_same_as_cell_by_cell(
    seed: int, wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways of taking in a position: all of it as bits of an integer, and number by number."""
    monkeypatch.setattr("games.bots.solver.knowledge.WIDE", wide)
    rng = Random(seed)
    topology, mines, numbers = random_position(rng)
    hidden = [c for c in range(topology.size) if c not in numbers]
    marked = rng.sample(hidden, min(len(hidden), 3))

    solvers = [Solver(topology, len(mines)) for _ in range(2)]
    for solver in solvers:
        for cell in marked:
            (solver.mark_mine if cell in mines else solver.mark_safe)(cell)
    solvers[0].reveal_all(numbers)
    for cell, number in numbers.items():
        solvers[1].reveal(cell, number)

    at_once, one_by_one = solvers
    assert list(at_once.probabilities().values()) == pytest.approx(
        list(one_by_one.probabilities().values()), abs=1e-12
    )
    assert at_once.safe == one_by_one.safe
    assert at_once.mines == one_by_one.mines


@pytest.mark.parametrize("wide", [0, 4096])
@pytest.mark.parametrize(
    "numbers",
    [
        {0: 3, 1: 0},  # three mines around the corner, and none next to it
        {0: 4},  # more mines than neighbours
        {4: 8, 0: 1},  # all are mines, and one of them is open
        {0: 0, 4: 9},
    ],
)
def test_a_position_that_cannot_be_is_refused_at_once(
    numbers: dict[int, int], wide: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.bots.solver.knowledge.WIDE", wide)
    solver = Solver(rectangle(3, 3), mines=8)
    solver.reveal_all(numbers)
    with pytest.raises(Contradiction):
        solver.probabilities()
    with pytest.raises(Contradiction):  # and is found again
        solver.analyse()


@pytest.mark.parametrize("seed", range(40))
def test_a_reset_region_is_forgotten(seed: int) -> None:
    rng = Random(seed)
    topology, mines, numbers = random_position(rng)
    solver = solver_of(topology, numbers, density=0.3)
    solver.analyse()
    region = set(rng.sample(range(topology.size), topology.size // 3))
    mines = frozenset((mines - region) | {c for c in region if rng.random() < 0.3})
    solver.reset(region)
    numbers = {c: number_at(topology, mines, c) for c in numbers if c not in region}
    for cell, number in numbers.items():
        solver.reveal(cell, number)
    fresh = solver_of(topology, numbers, density=0.3)
    assert dict(solver.probabilities()) == pytest.approx(dict(fresh.probabilities()), abs=1e-12)
    assert solver.safe == fresh.safe


@pytest.mark.parametrize("seed", range(40))
def test_marks_count_as_facts(seed: int) -> None:
    rng = Random(seed)
    topology, mines, numbers = random_position(rng)
    hidden = [c for c in range(topology.size) if c not in numbers]
    told = set(rng.sample(hidden, len(hidden) // 3))
    solver = solver_of(topology, numbers, mines=len(mines))
    for cell in told:
        if cell in mines:
            solver.mark_mine(cell)
        else:
            solver.mark_safe(cell)
    solutions = [s for s in arrangements(topology, numbers, len(mines)) if s & told == mines & told]
    expected = expected_chances(topology, solutions, None)
    assert list(solver.probabilities().values()) == pytest.approx(expected, abs=1e-12)
    assert not solver.safe & told


def test_each_tier_knows_more_than_the_one_before() -> None:
    found = dict.fromkeys(Tier, 0)
    for seed in range(60):
        rng = Random(seed)
        board = rectangle(9, 9)
        mines = frozenset(rng.sample(range(1, 81), 16))
        for tier in Tier:
            solver = Solver(board, 16)
            solver.reveal(0, number_at(board, mines, 0))
            while safe := list(solver.deduce(tier)):
                for cell in safe:
                    assert cell not in mines
                    solver.reveal(cell, number_at(board, mines, cell))
                found[tier] += len(safe)
    assert found[Tier.SINGLE] < found[Tier.SUBSET] < found[Tier.FULL]


@pytest.mark.parametrize(
    "facts",
    [
        [("reveal", 0, 4)],
        [("mark_mine", 1), ("reveal", 0, 0)],
        [("reveal", 0, 1), ("reveal", 1, 0)],
        [("reveal", 4, 8), ("reveal", 0, 1)],
        [("reveal", 0, 3), ("reveal", 8, 3)],
    ],
)
def test_impossible_facts_are_refused(facts) -> None:
    solver = Solver(rectangle(3, 3), 4)

    def think() -> None:
        for name, *values in facts:
            getattr(solver, name)(*values)
        solver.analyse()

    with pytest.raises(Contradiction):
        think()
    # and they stay impossible until one of them is taken back
    with pytest.raises(Contradiction):
        solver.probabilities()
    solver.reset(range(9))
    assert solver.probabilities()[0] == pytest.approx(4 / 9)


def test_a_fork_leaves_the_original_alone() -> None:
    solver = Solver(rectangle(4, 4), 3)
    solver.reveal(5, 1)
    before = dict(solver.probabilities())
    fork = solver.fork()
    fork.reveal(0, 1)
    fork.probabilities()
    assert dict(solver.probabilities()) == before
    assert 0 not in solver.numbers


def test_a_board_without_cells_is_no_problem() -> None:
    solver = Solver([], density=0.2)
    solver.reveal_all({})
    assert dict(solver.probabilities()) == {}
    assert solver.best_guess() is None


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="not both"):
        Solver(rectangle(3, 3), 2, 0.2)
    with pytest.raises(ValueError, match="room"):
        Solver(rectangle(3, 3), 10)
    with pytest.raises(ValueError, match="symmetric"):
        Solver([(1,), ()], 1)
