"""Accuracy: the chance to survive that each move gave up, against the best one."""

from __future__ import annotations

import pytest

from games.analysis import Summary, analyse
from games.bots.judging import AVOIDABLE, FORCED, KNOWN_MINE, PROVEN, Verdict, judge
from games.bots.solver import Solver, rectangle

from .test_analysis import ANY, Table, row


def test_a_proven_move_gives_nothing_up():
    assert judge(row({1: 1, 2: 1}, 6, 2), [4], ANY).given_up == 0


def test_a_guess_instead_of_a_proof_gives_up_its_whole_risk():
    verdict = judge(row({0: 0, 3: 1}, 8, 2), [2], ANY)
    assert (verdict.label, verdict.given_up) == (AVOIDABLE, pytest.approx(0.5))


def test_a_forced_guess_among_equals_gives_nothing_up():
    verdict = judge(row({1: 1}, 3, 1), [0], ANY)
    assert (verdict.label, verdict.given_up) == (FORCED, 0)


def test_a_forced_guess_gives_up_what_the_best_one_would_have_kept():
    # One mine is in 0 or 2, the other one in one of the six cells 3 to 8.
    board = row({1: 1}, 9, 2)
    worse, better = judge(board, [0], ANY), judge(board, [8], ANY)
    assert (worse.chance, better.chance) == (pytest.approx(1 / 2), pytest.approx(1 / 6))
    assert worse.given_up == pytest.approx(1 / 3)
    assert better.given_up == 0


def test_only_cells_that_may_be_opened_are_alternatives():
    assert judge(row({1: 1}, 9, 2), [0], lambda cell: cell < 3).given_up == 0


def test_a_known_mine_gives_everything_up_that_there_was():
    safe_elsewhere = judge(row({1: 1, 2: 1}, 6, 2), [0], ANY)
    assert (safe_elsewhere.label, safe_elsewhere.given_up) == (KNOWN_MINE, 1)
    # 0 is a mine; of 3, 4 and 5 one is, and nothing tells which.
    only_guesses = judge(row({1: 1, 2: 0}, 7, 2), [0], lambda cell: cell > 3 or cell == 0)
    assert only_guesses.label == KNOWN_MINE
    assert only_guesses.given_up == pytest.approx(1 - 1 / 3)


def test_accuracy_is_the_average_share_that_was_kept():
    summary = Summary(0, None)
    assert summary.accuracy is None
    for verdict in (Verdict(PROVEN, 0.0), Verdict(FORCED, 0.5, best=0.3), Verdict(AVOIDABLE, 0.2)):
        summary.add(verdict, struck=False)
    assert summary.given_up == pytest.approx(0.4)
    told = summary.as_json()
    assert (told["given_up"], told["accuracy"]) == (0.4, round(100 * (1 - 0.4 / 3), 2))


@pytest.mark.parametrize("seed", range(1, 9))
@pytest.mark.parametrize(
    "board",
    [
        {"width": 9, "height": 9, "mines": 16},
        {"width": 16, "height": 16, "mines": 48, "safe_first": False},
    ],
)
def test_the_solvers_own_games_score_100_percent(board, seed):
    table = Table("classic", 1, board, seed)
    solver = Solver(rectangle(board["width"], board["height"]), mines=board["mines"])
    for _ in range(board["width"] * board["height"]):
        for cell, code in enumerate(table.view(0)["game"]["cells"]):
            if code >= 0:
                solver.reveal(cell, code)
        guess = solver.best_guess()
        assert guess is not None
        table.act(0, type="reveal", cell=guess.cell)
        if table.course.outcome() is not None:
            break
    player = analyse(table.replay(), budget=60).players[0]
    assert player["analysed"] == player["moves"] > 0
    assert (player["accuracy"], player["given_up"]) == (100, 0)
