"""Guesses: perfect in the endgame, sensible before, and as strong as promised."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest
from django.core.management import CommandError, call_command

from games.bots.solver import Solver, Topology, rectangle
from games.bots.solver.endgame import Endgame
from games.bots.solver.endgame import arrangements as listed_by_solver
from games.bots.solver.lookahead import Lookahead
from games.solver_strength import Series, Tally, load, play_next, save

from .solver_boards import arrangements, number_at, random_position


def best_chance(topology: Topology, numbers: dict[int, int], mines: int) -> Fraction:
    """The chance to win under perfect play, by trying every way to go on."""

    @cache
    def wins(solutions: frozenset[frozenset[int]], opened: frozenset[int]) -> int:
        if len(solutions) == 1:
            return 1
        best = 0
        for cell in range(topology.size):
            if cell in opened:
                continue
            shown: dict[int, set[frozenset[int]]] = {}
            for solution in solutions:
                if cell not in solution:
                    shown.setdefault(number_at(topology, solution, cell), set()).add(solution)
            best = max(best, sum(wins(frozenset(s), opened | {cell}) for s in shown.values()))
        return best

    solutions = frozenset(arrangements(topology, numbers, mines))
    return Fraction(wins(solutions, frozenset(numbers)), len(solutions))


@pytest.mark.parametrize("seed", range(200))
def test_the_endgame_is_played_perfectly(seed: int) -> None:
    topology, mines, numbers = random_position(Random(seed), hidden=9)
    solutions = arrangements(topology, numbers, len(mines))
    if not 2 <= len(solutions) <= 12:
        return
    solver = Solver(topology, len(mines))
    solver.reveal_all(numbers)
    odds = solver.probabilities()
    if solver.safe or not odds.undecided():
        return
    listed = listed_by_solver(solver.reasoning, odds, 50)
    assert listed is not None
    assert {m | solver.mines for m in listed} == set(solutions)
    found = Endgame(solver.reasoning, listed, odds.undecided()).best()
    assert found is not None
    assert Fraction(found[1]).limit_denominator(100) == best_chance(topology, numbers, len(mines))


@pytest.mark.parametrize("seed", range(60))
def test_the_lookahead_foresees_the_numbers(seed: int) -> None:
    rng = Random(seed)
    topology, _, numbers = random_position(rng, hidden=10)
    solver = Solver(topology, density=0.25)
    solver.reveal_all(numbers)
    odds = solver.probabilities()
    if not odds.undecided():
        return
    cell = rng.choice(odds.undecided())
    outcomes = Lookahead(solver.reasoning, odds).outcomes(cell)
    assert outcomes is not None
    assert sum(o.probability for o in outcomes) == pytest.approx(1.0)
    weights: dict[int, float] = {}
    for solution in arrangements(topology, numbers, None):
        if cell not in solution:
            shown = number_at(topology, solution, cell)
            weight = 0.25 ** len(solution) * 0.75 ** (topology.size - len(solution))
            weights[shown] = weights.get(shown, 0.0) + weight
    whole = sum(weights.values())
    expected = {shown: weight / whole for shown, weight in weights.items()}
    assert {o.number: o.probability for o in outcomes} == pytest.approx(expected)
    for outcome in outcomes:
        fork = solver.fork()
        fork.reveal(cell, outcome.number)
        after = fork.probabilities()
        if outcome.safe_cells:
            assert fork.safe - solver.safe
        elif outcome.risk < 1.0:
            assert outcome.risk >= min(after[c] for c in odds.undecided() if c != cell) - 1e-12


def test_a_proven_cell_comes_before_any_guess() -> None:
    solver = Solver(rectangle(4, 4), 3)
    solver.reveal(0, 0)
    guess = solver.best_guess()
    assert guess is not None
    assert guess.chance == 0.0
    assert guess.cell in {1, 4, 5}


def test_the_choice_can_be_limited() -> None:
    solver = Solver(rectangle(5, 5), 5)
    solver.reveal(12, 2)
    for allowed in ({0}, {6, 7}, {20, 24}):
        guess = solver.best_guess(allowed)
        assert guess is not None
        assert guess.cell in allowed
    assert solver.best_guess({12}) is None


def test_nothing_to_guess_on_a_finished_board() -> None:
    solver = Solver(rectangle(2, 2), 3)
    solver.reveal(0, 3)
    assert solver.best_guess() is None


@pytest.mark.parametrize(("opening", "least"), [(False, 0.34), (True, 0.46)])
def test_it_wins_about_as_often_as_promised(opening: bool, least: float) -> None:
    # fixed boards: the result is the same on every machine; the full figure: solver_bench
    tally = Tally()
    for _ in range(150):
        play_next(Series(30, 16, 99, opening, 1), tally)
    assert tally.rate >= least


def test_beginner_boards_are_mostly_won() -> None:
    tally = Tally()
    for _ in range(80):
        play_next(Series(9, 9, 10, True, 1), tally)
    assert tally.rate >= 0.9


def test_a_tally_survives_only_with_its_solver(tmp_path, monkeypatch) -> None:
    path = tmp_path / "series.json"
    tally = Tally(10, 4, 30, 0.5)
    save(path, tally)
    assert load(path) == tally
    monkeypatch.setattr("games.solver_strength.fingerprint", lambda: "another solver")
    assert load(path) == Tally()
    path.write_text("not json")
    assert load(path) == Tally()


def test_the_confidence_interval() -> None:
    low, high = Tally(20_000, 8_000).interval()
    assert (low, high) == (pytest.approx(0.39323, abs=1e-5), pytest.approx(0.40681, abs=1e-5))
    assert Tally().interval() == (0.0, 1.0)


def test_solver_bench_prints_and_resumes(tmp_path, settings, capsys) -> None:
    settings.DATA_DIR = tmp_path
    small = {"width": 8, "height": 8, "mines": 10, "first": "safe"}
    call_command("solver_bench", games=5, **small)
    assert "of 5 games won (95 %:" in capsys.readouterr().out
    stored = tmp_path / "solver_bench" / "8x8-10-safe-1.json"
    assert load(stored).games == 5
    call_command("solver_bench", games=8, **small)
    resumed = load(stored)
    assert resumed.games == 8
    call_command("solver_bench", games=8, fresh=True, **small)
    assert load(stored).wins == resumed.wins
    with pytest.raises(CommandError, match="room"):
        call_command("solver_bench", games=5, width=3, height=3, mines=9)
