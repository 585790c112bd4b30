"""The board of one player, and laying it."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.board import FLAG, HIDDEN, MINE, Board
from games.engine.errors import BadOptions
from games.engine.field import MineField
from games.engine.grid import square8
from games.engine.laying import lay, make_room, read_deal
from games.engine.rng import derive

SEED = bytes(range(32))

#  . . . 1 *
#  . . . 1 1
#  1 1 . . .
#  * 1 . . .
FIELD = MineField(square8(5, 4), [4, 15])
ZEROS_AND_RIM = {*range(20)} - {4, 15}


def test_a_reveal_opens_the_whole_opening_and_takes_flags_away() -> None:
    board = Board(FIELD)
    board.flag(1, True)
    assert set(board.reveal(0)) == ZEROS_AND_RIM
    assert board.left == 0
    assert board.flags == set()
    assert board.reveal(0) == []


def test_a_number_opens_alone() -> None:
    board = Board(FIELD)
    assert board.reveal(3) == [3]
    assert board.left == board.safe - 1
    assert board.cells()[:5] == [HIDDEN, HIDDEN, HIDDEN, 1, HIDDEN]


def test_a_struck_mine_is_no_longer_hidden_and_counts_for_chords() -> None:
    board = Board(FIELD)
    board.flag(4, True)
    assert board.reveal(4) == []
    assert board.struck == [4]
    assert board.flags == set()
    assert not board.is_hidden(4)
    assert board.cells()[4] == MINE
    board.reveal(3)
    assert board.chord(3) == [2, 7, 8, 9]
    assert board.reveal(4) == []
    assert board.struck == [4]


def test_a_chord_needs_as_many_flags_as_the_number() -> None:
    board = Board(FIELD)
    board.reveal(3)
    assert board.chord(3) is None
    board.flag(4, True)
    assert board.chord(3) == [2, 7, 8, 9]
    board.flag(2, True)
    assert board.chord(3) is None
    board.flag(2, False)
    assert board.chord(3) == [2, 7, 8, 9]


def test_a_board_survives_its_dump() -> None:
    board = Board(FIELD)
    board.reveal(3)
    board.reveal(15)
    board.flag(4, True)
    board.flag(0, True)
    again = Board.load(json.loads(json.dumps(board.dump())), FIELD)
    assert again.cells() == board.cells()
    assert (again.left, again.struck, again.flags) == (board.left, [15], {0, 4})
    assert board.cells()[0] == FLAG


@given(st.integers(2, 9), st.integers(2, 9), st.data())
def test_room_is_made_around_the_first_cell(width: int, height: int, data: st.DataObject) -> None:
    grid = square8(width, height)
    count = data.draw(st.integers(0, grid.size - 1))
    mines = lay(derive(SEED, f"mines {width} {height} {count}"), grid.size, count)
    cell = data.draw(st.integers(0, grid.size - 1))
    moved = make_room(derive(SEED, "room"), grid, mines, cell)
    zone = {cell, *grid.neighbours[cell]}
    assert len(moved) == count
    assert cell not in moved
    if grid.size - len(zone) >= count:
        assert not zone & moved, "the first reveal gives an opening"
        assert set(mines) - zone <= moved, "mines outside stay"
    else:
        assert set(mines) - {cell} <= moved
    assert moved == make_room(derive(SEED, "room"), grid, mines, cell)


def test_after_making_room_every_board_is_equally_likely() -> None:
    """3x4, 3 mines, first cell in the corner: 8 cells outside the zone, 56 boards."""
    grid = square8(3, 4)
    counts: Counter[frozenset[int]] = Counter()
    for i in range(11_200):
        mines = lay(derive(SEED, f"m{i}"), grid.size, 3)
        counts[make_room(derive(SEED, f"r{i}"), grid, mines, 0)] += 1
    assert len(counts) == 56
    chi_square = sum((seen - 200) ** 2 / 200 for seen in counts.values())
    assert chi_square < 93.2  # the 99.9 % point; the streams are fixed


def test_an_empty_deal_is_none() -> None:
    assert read_deal(b"", square8(3, 3), 1) is None


def test_a_deal_is_read() -> None:
    deal = read_deal(b'{"mines":[1,2],"start":6}', square8(3, 3), 2)
    assert deal is not None
    assert (deal.field.mines, deal.start) == ({1, 2}, 6)


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff",
        b"[]",
        b"{}",
        b'{"mines":[1,2]}',
        b'{"mines":3,"start":0}',
        b'{"mines":[1],"start":0}',
        b'{"mines":[1,1],"start":0}',
        b'{"mines":[1,9],"start":0}',
        b'{"mines":[1,true],"start":0}',
        b'{"mines":[1,2],"start":2}',
        b'{"mines":[1,2],"start":-1}',
        b'{"mines":[1,[2]],"start":0}',
    ],
)
def test_a_deal_that_does_not_fit_is_refused(raw: bytes) -> None:
    with pytest.raises(BadOptions) as caught:
        read_deal(raw, square8(3, 3), 2)
    assert caught.value.code == "bad_deal"


def test_a_board_of_a_million_cells() -> None:
    grid = square8(1000, 1000)
    board = Board(MineField(grid, range(0, grid.size, 7)))
    assert board.reveal(1) == [1]
    assert board.left == board.safe - 1
