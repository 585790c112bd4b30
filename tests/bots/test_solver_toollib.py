"""The probabilities beside those of ms_toollib, an independent solver."""

from __future__ import annotations

from random import Random

import ms_toollib

from games.bots.solver import Solver, rectangle
from games.bots.solver.selfplay import MINE_HERE, deal

WIDTH, HEIGHT, MINES, START = 30, 16, 99, 93
STUCK_POSITIONS = 400


def test_probabilities_agree_on_400_stuck_expert_positions() -> None:
    board = rectangle(WIDTH, HEIGHT)
    compared = 0
    for seed in range(10_000):
        if compared >= STUCK_POSITIONS:
            break
        numbers = deal(board, MINES, START, True, Random(seed))
        solver = Solver(board, MINES)
        solver.reveal(START, numbers[START])
        while True:
            while safe := list(solver.deduce()):
                for cell in safe:
                    solver.reveal(cell, numbers[cell])
            odds = solver.probabilities()
            cells = odds.undecided()
            if not cells:
                break
            shown = [
                [solver.numbers.get(y * WIDTH + x, 10) for x in range(WIDTH)] for y in range(HEIGHT)
            ]
            expected = ms_toollib.cal_probability_onboard(shown, MINES)[0]
            worst = max(
                abs(odds[cell] - expected[cell // WIDTH][cell % WIDTH])
                for cell in range(board.size)
                if cell not in solver.numbers
            )
            assert odds.exact
            assert worst < 1e-9
            compared += 1
            guess = min(cells, key=odds.cells.__getitem__)
            if numbers[guess] == MINE_HERE:
                break
            solver.reveal(guess, numbers[guess])
    assert compared >= STUCK_POSITIONS
