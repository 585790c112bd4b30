"""Grids: neighbours against geometry, and both ways between cells and coordinates."""

from __future__ import annotations

import pytest

from games.engine.grid import (
    TABLE_LIMIT,
    Grid,
    HexGrid,
    SquareGrid,
    hex_rows,
    hexagon,
    square4,
    square8,
)


def far(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return abs(a[0] - b[0]), abs(a[1] - b[1])


def hex_distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


SIZES = [(1, 1), (1, 5), (5, 1), (2, 2), (7, 4), (30, 16)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_square_neighbours(width: int, height: int) -> None:
    eight, four = square8(width, height), square4(width, height)
    at = [eight.coords(cell) for cell in range(eight.size)]
    for cell in range(eight.size):
        away = [far(at[cell], at[other]) for other in range(eight.size)]
        assert sorted(eight.neighbours[cell]) == [o for o, d in enumerate(away) if max(d) == 1]
        assert sorted(four.neighbours[cell]) == [o for o, d in enumerate(away) if sum(d) == 1]


@pytest.mark.parametrize("radius", [0, 1, 2, 5])
def test_hexagon_neighbours(radius: int) -> None:
    grid = hexagon(radius)
    assert grid.size == 3 * radius * (radius + 1) + 1
    at = [grid.coords(cell) for cell in range(grid.size)]
    assert all(hex_distance(c, (0, 0)) <= radius for c in at)
    for cell in range(grid.size):
        near = [o for o in range(grid.size) if hex_distance(at[cell], at[o]) == 1]
        assert sorted(grid.neighbours[cell]) == near


@pytest.mark.parametrize("grid", [square8(7, 4), square4(3, 9), hexagon(3)])
def test_cells_and_coordinates(grid: Grid) -> None:
    for cell in range(grid.size):
        assert grid.cell(*grid.coords(cell)) == cell
    for outside in [(-10, 0), (0, -10), (99, 0), (0, 99)]:
        assert grid.cell(*outside) is None


def test_square_cells_are_numbered_by_rows() -> None:
    assert square8(7, 4).cell(3, 2) == 17
    assert square8(7, 4).coords(17) == (3, 2)


@pytest.mark.parametrize("grid", [square8(30, 16), square4(30, 16), hexagon(4)])
def test_neighbours_are_mutual_and_different(grid: SquareGrid | HexGrid) -> None:
    for cell, near in enumerate(grid.neighbours):
        assert len(set(near)) == len(near)
        assert cell not in near
        assert all(cell in grid.neighbours[other] for other in near)


def test_a_large_grid_answers_like_a_small_one_without_a_table() -> None:
    large = square8(300, 220)
    assert large.size > TABLE_LIMIT
    assert not isinstance(large.neighbours, tuple)
    assert len(large.neighbours) == large.size
    table = {cell: large.neighbours[cell] for cell in (0, 299, 300, 30_150, large.size - 1)}
    for cell, near in table.items():
        x, y = large.coords(cell)
        around = [large.cell(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        assert near == tuple(other for other in around if other not in (None, cell))
    assert list(large.neighbours[0:2]) == [large.neighbours[0], large.neighbours[1]]
    for outside in (-1, large.size):
        with pytest.raises(IndexError):
            large.neighbours[outside]


def test_grids_are_shared() -> None:
    assert square8(9, 9) is square8(9, 9)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 4), (4, 1), (2, 2), (5, 4), (11, 11)])
def test_rows_of_hexagons(width: int, height: int) -> None:
    grid: Grid = hex_rows(width, height)
    at = []
    for cell in range(grid.size):
        x, y = grid.coords(cell)
        assert grid.cell(x, y) == cell
        at.append((x - y // 2, y))  # axial
    for cell in range(grid.size):
        near = [o for o in range(grid.size) if hex_distance(at[cell], at[o]) == 1]
        assert list(grid.neighbours[cell]) == near
    assert grid.cell(width, 0) is None
    assert grid.cell(0, -1) is None
