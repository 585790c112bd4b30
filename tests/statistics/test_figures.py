"""3BV, IOE and RQP: by their definitions, by brute force, and beside ms_toollib."""

from __future__ import annotations

from itertools import combinations
from random import Random

import ms_toollib
import pytest

from games.engine.board import Board
from games.engine.field import MineField
from games.engine.figures import Figures
from games.engine.grid import square8
from games.engine.registry import REGISTRY
from games.engine.standard import BOARDS

from .games import MINES


def field(width: int, height: int, mines: list[int]) -> MineField:
    return MineField(square8(width, height), mines)


def fewest_reveals(of: MineField) -> int:
    """3BV as it is defined: tried out, from the smallest number of reveals on."""
    safe = frozenset(range(of.grid.size)) - of.mines
    opened = {cell: frozenset(Board(of).reveal(cell)) for cell in safe}
    for number in range(len(safe) + 1):
        for cells in combinations(safe, number):
            if frozenset().union(*(opened[cell] for cell in cells)) == safe:
                return number
    raise AssertionError


@pytest.mark.parametrize("seed", range(40))
def test_3bv_is_the_fewest_reveals_that_clear_the_board(seed):
    random = Random(seed)
    width, height = random.choice([(3, 3), (4, 3), (5, 2), (4, 4), (6, 2)])
    mines = random.sample(range(width * height), random.randint(1, width * height // 2))
    board = field(width, height, mines)
    assert board.bbbv() == fewest_reveals(board)


@pytest.mark.parametrize("preset", BOARDS, ids=lambda preset: preset.name)
def test_3bv_is_that_of_ms_toollib(preset):
    width, height, mines = (preset.options[name] for name in ("width", "height", "mines"))
    for seed in range(100):
        chosen = Random(seed).sample(range(width * height), mines)
        rows = [[-(y * width + x in chosen) for x in range(width)] for y in range(height)]
        expected = ms_toollib.cal_bbbv(ms_toollib.cal_board_numbers(rows))
        assert field(width, height, chosen).bbbv() == expected


@pytest.mark.parametrize(
    ("mines", "bbbv"),
    [
        ([], 1),  # one opening
        ([40], 1),  # a mine in the middle: the opening goes around it
        ([*range(36, 45)], 2),  # a wall between two openings
        ([*range(1, 81, 2)], 41),  # a chess board: every cell alone
        (MINES, 4),
    ],
)
def test_3bv_of_boards_one_can_count_by_hand(mines, bbbv):
    assert field(9, 9, list(mines)).bbbv() == bbbv


def test_ioe_rqp_and_speed_are_those_of_ms_toollib():
    mines = [0, 28, 54, 56]
    rows = [[-(y * 8 + x in mines) for x in range(8)] for y in range(8)]
    numbers = ms_toollib.cal_board_numbers(rows)
    video = ms_toollib.BaseVideo(numbers, 16)

    def click(button: str, cell: int) -> None:
        place = (cell // 8 * 16, cell % 8 * 16)
        video.step(f"{button}c", place)
        video.step(f"{button}r", place)

    click("l", 7)
    click("r", 0)
    for cell in range(64):
        hidden = video.game_board[cell // 8][cell % 8] == 10
        if hidden and cell not in mines and video.game_board_state == 2:
            click("l", cell)
    ours = Figures(
        board="", no_guess=False, won=True, time_ms=video.rtime_ms,
        bbbv=field(8, 8, mines).bbbv(), bbbv_done=video.bbbv_solved,
        reveals=video.left, flags=video.right, chords=video.double,
    )  # fmt: skip
    assert ours.bbbv == ours.bbbv_done == video.bbbv
    assert ours.clicks == video.cl
    assert ours.ioe == pytest.approx(video.ioe)
    assert ours.rqp == pytest.approx(video.rqp)
    if video.rtime_ms:
        assert ours.speed == pytest.approx(video.bbbv_s)


def test_figures_by_their_formulas():
    found = Figures("expert", False, True, 60_000, 180, 180, 150, 40, 35)
    assert found.clicks == 225
    assert found.speed == 3.0
    assert found.ioe == 0.8
    assert found.rqp == 20.0  # 60 s over 3 a second


def test_a_game_without_time_or_clicks_has_no_figures_to_divide_by():
    empty = Figures("", False, False, 0, 5, 0, 0, 0, 0)
    assert (empty.speed, empty.ioe, empty.rqp) == (0, 0, 0)


def test_only_modes_for_one_player_have_figures():
    assert all(mode.solo for mode in REGISTRY.values() if mode.solo_figures is not None)
