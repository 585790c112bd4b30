"""Boards without guessing, checked by others than the solver that made them."""

from __future__ import annotations

import json
from itertools import combinations

import ms_toollib
import pytest

from games.bots.noguess import Board, ImpossibleBoard, OutOfBudget, generate, generate_on
from games.bots.solver import Topology, rectangle
from games.engine.grid import hexagon
from games.engine.rng import Rng

from .solver_boards import arrangements, number_at


def rng(seed: int) -> Rng:
    return Rng(seed.to_bytes(32, "little"))


def solvable_by_trying_everything(topology: Topology, board: Board) -> bool:
    numbers = {board.start: number_at(topology, board.mines, board.start)}
    while len(numbers) < topology.size - len(board.mines):
        solutions = arrangements(topology, numbers, len(board.mines))
        safe = set(range(topology.size)) - set(numbers) - frozenset().union(*solutions)
        if not safe:
            return False
        numbers |= {cell: number_at(topology, board.mines, cell) for cell in safe}
    return True


def solvable_by_toollib(width: int, height: int, board: Board) -> bool:
    topology = rectangle(width, height)
    shown = [[10] * width for _ in range(height)]
    opened: set[int] = set()
    fresh = {board.start}
    while len(opened) < width * height - len(board.mines):
        while fresh:
            cell = fresh.pop()
            number = number_at(topology, board.mines, cell)
            shown[cell // width][cell % width] = number
            opened.add(cell)
            if number == 0:
                fresh |= set(topology.neighbours[cell]) - opened
        chances, *_ = ms_toollib.cal_probability_onboard(shown, len(board.mines))
        fresh = {
            cell
            for cell in range(width * height)
            if cell not in opened and chances[cell // width][cell % width] == 0.0
        }
        if not fresh:
            return len(opened) == width * height - len(board.mines)
    return True


@pytest.mark.parametrize("seed", range(25))
def test_expert_boards_need_no_guess(seed: int) -> None:
    board = generate(30, 16, 99, 93, rng(seed))
    assert len(board.mines) == 99
    assert number_at(rectangle(30, 16), board.mines, 93) == 0
    assert solvable_by_toollib(30, 16, board)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("width", "height", "mines"), [(4, 4, 3), (5, 3, 4), (4, 4, 10)])
def test_small_boards_need_no_guess(seed: int, width: int, height: int, mines: int) -> None:
    topology = rectangle(width, height)
    start = (0, width - 1, topology.size - 1)[seed % 3]
    board = generate(width, height, mines, start, rng(seed))
    assert len(board.mines) == mines
    assert start not in board.mines
    assert solvable_by_trying_everything(topology, board)


@pytest.mark.parametrize("start", [0, 1, 4])
@pytest.mark.parametrize("mines", range(9))
def test_a_board_is_found_exactly_when_there_is_one(mines: int, start: int) -> None:
    topology = rectangle(3, 3)
    clear = {start, *topology.neighbours[start]}
    if mines > 9 - len(clear):
        clear = {start}
    exists = any(
        solvable_by_trying_everything(topology, Board(9, frozenset(chosen), start))
        for chosen in combinations([c for c in range(9) if c not in clear], mines)
    )
    try:
        generate(3, 3, mines, start, rng(mines))
    except OutOfBudget:
        assert not exists
    else:
        assert exists


@pytest.mark.parametrize("seed", range(4))
def test_hexagons_need_no_guess(seed: int) -> None:
    topology = Topology(hexagon(2).neighbours)
    board = generate_on(topology, 4, seed, rng(seed))
    assert solvable_by_trying_everything(topology, board)


def test_the_same_seed_makes_the_same_board() -> None:
    boards = [generate(16, 16, 40, 17, rng(seed)) for seed in (1, 1, 2)]
    assert boards[0] == boards[1] != boards[2]


def test_a_board_is_dealt_as_a_match_takes_it() -> None:
    board = generate(9, 9, 10, 40, rng(7))
    assert json.loads(board.deal()) == {"mines": sorted(board.mines), "start": 40}


def test_impossible_wishes_are_refused() -> None:
    with pytest.raises(ImpossibleBoard):
        generate(9, 9, 81, 0, rng(0))
    with pytest.raises(ImpossibleBoard):
        generate(9, 9, 10, 81, rng(0))


def test_nothing_is_returned_when_no_board_is_found() -> None:
    # two cells in a row apart from the start: whichever has the mine, nothing tells
    topology = Topology([(1,), (0,), (3,), (2,)])
    with pytest.raises(OutOfBudget):
        generate_on(topology, 1, 0, rng(0))


@pytest.mark.parametrize("mines", [0, 80])
def test_empty_and_full_boards(mines: int) -> None:
    assert len(generate(9, 9, mines, 40, rng(3)).mines) == mines
