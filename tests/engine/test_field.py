"""Mine fields against brute force: numbers, openings, floods, 3BV."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.engine.board import Board
from games.engine.field import MineField
from games.engine.grid import Grid, hexagon, square4, square8

GRIDS: st.SearchStrategy[Grid] = st.one_of(
    st.builds(square8, st.integers(1, 9), st.integers(1, 9)),
    st.builds(square4, st.integers(1, 6), st.integers(1, 6)),
    st.builds(hexagon, st.integers(0, 4)),
)


@st.composite
def fields(draw: st.DrawFn) -> MineField:
    grid = draw(GRIDS)
    density = draw(st.sampled_from([0, 10, 20, 50]))
    dice = draw(st.lists(st.integers(0, 99), min_size=grid.size, max_size=grid.size))
    return MineField(grid, [cell for cell, die in enumerate(dice) if die < density])


def open_by_hand(field: MineField, cell: int) -> set[int]:
    """A reveal as people do it: open the cell; while an open cell is zero, open around it."""
    opened = {cell}
    waiting = [cell]
    while waiting:
        at = waiting.pop()
        if field.numbers[at] == 0:
            fresh = set(field.grid.neighbours[at]) - opened
            opened |= fresh
            waiting += fresh
    return opened


@given(fields())
def test_numbers_count_the_mines_around(field: MineField) -> None:
    for cell, near in enumerate(field.grid.neighbours):
        assert field.numbers[cell] == sum(other in field.mines for other in near)


@given(fields())
def test_a_flood_opens_what_opening_by_hand_does(field: MineField) -> None:
    for cell in range(field.grid.size):
        if cell not in field.mines:
            flood = field.flood(cell)
            assert set(flood) == open_by_hand(field, cell)
            assert len(set(flood)) == len(flood)


@given(fields())
def test_openings_hold_every_zero_once(field: MineField) -> None:
    zeros = [c for c in range(field.grid.size) if not field.numbers[c] and c not in field.mines]
    assert sorted(field.opening_of) == zeros
    for zero in zeros:
        assert zero in field.openings[field.opening_of[zero]]
    for opening in field.openings:
        flags = [field.numbers[cell] > 0 for cell in opening]
        assert flags == sorted(flags), "zeros come first"


@given(fields())
def test_3bv_is_what_a_perfect_player_needs(field: MineField) -> None:
    """Openings first, then what is left cell by cell: no order needs fewer reveals."""
    left = {c for c in range(field.grid.size) if c not in field.mines}
    reveals = 0
    for wanted_zero in (True, False):
        for cell in range(field.grid.size):
            if cell in left and (field.numbers[cell] == 0) == wanted_zero:
                left -= open_by_hand(field, cell)
                reveals += 1
    assert not left
    assert field.bbbv() == reveals


@given(fields(), st.randoms(use_true_random=False))
def test_3bv_done_grows_with_the_board_to_all_of_it(field: MineField, random: object) -> None:
    board = Board(field)
    cells = [c for c in range(field.grid.size) if c not in field.mines]
    random.shuffle(cells)
    done = board.bbbv_done()
    assert done == 0
    for cell in cells:
        before = board.left
        board.reveal(cell)
        assert board.left <= before
        assert board.bbbv_done() - done in (0, 1)
        done = board.bbbv_done()
    assert done == field.bbbv()
    assert board.left == 0
