"""Proofs: the numbers shown must be enough, and none of them superfluous."""

from __future__ import annotations

from random import Random

import pytest

from games.bots.solver import Solver, rectangle
from games.bots.solver.selfplay import deal

from .solver_boards import arrangements, random_position


@pytest.mark.parametrize("seed", range(40))
def test_a_proof_is_sound_and_minimal(seed: int) -> None:
    topology, mines, numbers = random_position(Random(seed), hidden=10)
    solver = Solver(topology, len(mines))
    solver.reveal_all(numbers)
    solver.analyse()

    def proven(shown: list[int], cell: int, count: bool) -> set[bool]:
        """The values that the cell may have if only these numbers are known; opened cells are still
        safe."""
        part = {n: numbers[n] for n in shown}
        limit = len(mines) if count else None
        return {cell in solution for solution in arrangements(topology, part, limit, numbers)}

    for cell in sorted(solver.safe | solver.mines)[:4]:
        proof = solver.proof(cell)
        assert proof is not None
        assert proof.mine == (cell in mines)
        shown = list(proof.numbers)
        assert proven(shown, cell, proof.mine_count) == {proof.mine}
        for left_out in shown:
            fewer = [n for n in shown if n != left_out]
            assert len(proven(fewer, cell, proof.mine_count)) == 2
        if proof.mine_count:
            assert len(proven(list(numbers), cell, False)) == 2


def test_a_cell_that_is_not_proven_has_no_proof() -> None:
    solver = Solver(rectangle(3, 3), 4)
    solver.reveal(0, 2)
    assert solver.proof(8) is None
    assert solver.proof(0) is None


def test_a_lone_number_is_its_own_proof() -> None:
    solver = Solver(rectangle(4, 4), 3)
    solver.reveal(0, 0)
    proof = solver.proof(5)
    assert proof is not None
    assert (proof.mine, proof.numbers, proof.mine_count) == (False, (0,), False)


def test_proofs_on_an_expert_board_are_short() -> None:
    board = rectangle(30, 16)
    numbers = deal(board, 99, 93, True, Random(11))
    solver = Solver(board, 99)
    solver.reveal(93, numbers[93])
    lengths = []
    while safe := list(solver.deduce()):
        if len(lengths) < 40:
            proof = solver.proof(min(safe))
            assert proof is not None
            lengths.append(len(proof.numbers))
        for cell in list(solver.safe):
            solver.reveal(cell, numbers[cell])
    assert len(lengths) > 5
    assert max(lengths) <= 12
    assert sum(lengths) / len(lengths) < 4


def test_a_proof_of_one_number_is_found_beside_longer_ones() -> None:
    solver = Solver(rectangle(5, 1), 2)
    solver.reveal_all({1: 2, 3: 1})
    proof = solver.proof(0)
    assert proof is not None
    assert (proof.mine, proof.numbers) == (True, (1,))


def test_numbers_that_fit_have_no_conflict() -> None:
    topology, mines, numbers = random_position(Random(3), hidden=10)
    solver = Solver(topology, len(mines))
    solver.reveal_all(numbers)
    assert solver.conflict() is None


@pytest.mark.parametrize("seed", range(10))
def test_a_conflict_names_only_numbers_that_take_part(seed: int) -> None:
    rng = Random(seed)
    numbers: dict[int, int] = {}
    while not numbers:
        topology, mines, numbers = random_position(rng, hidden=10)
    wrong = rng.choice(sorted(numbers))
    numbers[wrong] += 1
    solver = Solver(topology, len(mines))
    solver.reveal_all(numbers)
    found = solver.conflict()
    if found is None:  # another arrangement fits the changed number
        assert any(arrangements(topology, numbers, len(mines), numbers))
        return

    def fits(shown: list[int]) -> bool:
        part = {n: numbers[n] for n in shown}
        limit = len(mines) if found.mine_count else None
        return any(True for _ in arrangements(topology, part, limit, numbers))

    assert not fits(list(found.numbers))
    for left_out in found.numbers:
        assert fits([n for n in found.numbers if n != left_out])


def test_too_many_mines_for_the_closed_cells_conflict_without_a_number() -> None:
    solver = Solver(rectangle(2, 2), 4)
    solver.reveal(0, 3)
    found = solver.conflict()
    assert found is not None
    assert found.mine_count
