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
