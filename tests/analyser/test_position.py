"""Positions: every format is read, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.analyser.position import MOST_CELLS, MOST_TEXT, Position, PositionError, read
from games.analyser.views import EXAMPLE
from games.engine.board import FLAG, HIDDEN, MINE

STATES = [HIDDEN, FLAG, MINE, *range(9)]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    width, height = draw(st.integers(1, 40)), draw(st.integers(1, 12))
    size = width * height
    cells = draw(st.lists(st.sampled_from(STATES), min_size=size, max_size=size))
    return Position(width, height, draw(st.integers(0, size)), tuple(cells))


@given(positions())
def test_the_code_of_a_position_reads_as_the_same(position: Position) -> None:
    assert read(position.code) == position
    assert len(position.code) <= len(position.cells) + 20


@given(positions())
def test_rows_of_signs_read_as_the_same(position: Position) -> None:
    signs = {HIDDEN: "#", FLAG: "F", MINE: "*"}
    rows = [
        "".join(signs.get(cell, str(cell)) for cell in position.cells[at : at + position.width])
        for at in range(0, len(position.cells), position.width)
    ]
    head = f"{position.width}x{position.height}x{position.mines}"
    assert read("\n".join([head, *rows])) == position
    assert read("\r\n".join(rows) + "\r\n", position.mines) == position


@given(st.text(max_size=200), st.none() | st.integers(0, 50))
def test_any_text_is_a_position_or_refused(text: str, mines: int | None) -> None:
    try:
        position = read(text, mines)
    except PositionError:
        return
    assert len(position.cells) == position.width * position.height <= MOST_CELLS
    assert read(position.code) == position


def test_the_grid_of_the_ai_manager_is_read() -> None:
    position = read("GRID\n---\n 1##\n 1X#\n---\n", 3)
    assert position.cells == (0, 1, HIDDEN, HIDDEN, 0, 1, MINE, HIDDEN)


def test_spaces_lost_at_the_end_of_a_line_are_open_cells() -> None:
    assert read("1 1\n#1\n", 1).cells == (1, 0, 1, HIDDEN, 1, 0)


def test_boards_of_emoji_are_read() -> None:
    position = read("🟦🚩1️⃣\n💥2️⃣⬜\n2 mines"[:-8], 2)
    assert position.cells == (HIDDEN, FLAG, 1, MINE, 2, 0)


@pytest.mark.parametrize(
    ("text", "mines", "code"),
    [
        ("", 1, "position_empty"),
        ("---\n\n", 1, "position_empty"),
        ("0x4x1-", None, "position_empty"),
        ("##\n###", 1, "position_row"),
        ("#@\n##", 1, "position_sign"),
        ("3x2x1\n##\n##", None, "position_size"),
        ("3x2x1-H", None, "position_size"),
        ("##\n##", None, "position_mines"),
        ("##\n##", 5, "position_mines"),
        ("99x99x1-H", None, "position_too_large"),
        ("60x60x1-" + "Hz" * 200, None, "position_too_large"),
        ("#" * (MOST_TEXT + 1), 1, "position_too_large"),
        ("\n".join(["#" * 60] * 60), 1, "position_too_large"),
    ],
)
def test_what_is_no_position_is_refused(text: str, mines: int | None, code: str) -> None:
    with pytest.raises(PositionError) as refused:
        read(text, mines)
    assert refused.value.code == code


def test_the_example_of_the_page_is_a_position() -> None:
    assert read(EXAMPLE).mines == 18
