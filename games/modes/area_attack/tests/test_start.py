"""Area Attack before the first claim: picks, and the board that is made for them."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.grid import square8
from games.modes.area_attack.rules.generation import generate, number
from tests.engine.table import Table


def apart(size: int, cell: int, other: int) -> tuple[float, int]:
    (y, x), (v, u) = divmod(cell, size), divmod(other, size)
    return math.hypot(x - u, y - v), max(abs(x - u), abs(y - v))


def first_area(size: int, mines: bytearray, start: int) -> set[int]:
    """The normal flood rule, written plainly."""
    neighbours = square8(size, size).neighbours
    area, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        if not sum([mines[near] for near in neighbours[cell]]):
            new = [near for near in neighbours[cell] if near not in area]
            area.update(new)
            waiting += new
    return area


def check_board(size: int, mines: bytearray, starts: list[int]) -> None:
    neighbours = square8(size, size).neighbours
    areas = []
    for start in starts:
        assert not mines[start]
        assert not any(mines[near] for near in neighbours[start])
        areas.append(first_area(size, mines, start))
    for area, other in combinations(areas, 2):
        smaller, larger = sorted((area, other), key=len)
        assert not smaller & larger
        assert all(larger.isdisjoint(neighbours[cell]) for cell in smaller)


def random_starts(rng: random.Random, size: int, seats: int, distance: float) -> list[int]:
    starts: list[int] = []
    while len(starts) < seats:
        cell = rng.randrange(size * size)
        if rng.random() < 0.5 and starts:  # as close to another as the rules allow
            step = max(4, math.ceil(distance))
            cell = max(0, min(size * size - 1, starts[-1] + rng.choice([step, step * size])))
        gaps = [apart(size, cell, start) for start in starts]
        if all(far >= distance and king >= 4 for far, king in gaps):
            starts.append(cell)
    return starts


# 2,000 configurations, in shares that stay well under the time limit of a test.
@pytest.mark.parametrize("share", range(10))
def test_always_generates_starts_clear_and_first_areas_never_touch(share: int) -> None:
    rng = random.Random(share)
    sizes = [
        16,
        100,
        *rng.choices(range(17, 100), k=6),
    ]  # few, for a grid takes longer than a board
    for _ in range(200):
        size, seats = rng.choice(sizes), rng.randint(2, 4)
        density = rng.choice([0.05, 0.35, rng.uniform(0.05, 0.35)])
        starts = random_starts(rng, size, seats, rng.choice([0, size / 4]))
        mines, _ = generate(rng.randbytes(32), square8(size, size), density, starts)
        check_board(size, mines, starts)


@given(st.binary(min_size=32, max_size=32), st.permutations([0, 4, 8, 12]), st.integers(0, 15))
@settings(deadline=None, max_examples=50)
def test_starts_side_by_side_on_an_empty_board_are_walled_off(
    seed: bytes, columns: list[int], row: int
) -> None:
    starts = [row * 16 + column for column in columns]
    mines, numbers = generate(seed, square8(16, 16), 0.0, starts)
    check_board(16, mines, starts)
    assert numbers == number(square8(16, 16), mines)


def test_repair_touches_nothing_when_the_first_areas_are_apart() -> None:
    grid, kept = square8(100, 100), 0
    for k in range(20):
        seed = bytes([k]) * 32
        together, _ = generate(seed, grid, 0.3, [1010, 9090])
        alone, _ = generate(seed, grid, 0.3, [1010])
        block = {9090, *grid.neighbours[9090]}
        kept += all(together[cell] == alone[cell] for cell in range(grid.size) if cell not in block)
    assert kept == 20


def test_numbers_count_the_mines_around() -> None:
    grid = square8(16, 16)
    mines, numbers = generate(bytes(32), grid, 0.3, [0, 255])
    assert numbers == bytes(
        sum(mines[near] for near in grid.neighbours[cell]) for cell in range(grid.size)
    )


# -- picks ---------------------------------------------------------------------------------------


def test_each_player_picks_may_change_it_then_confirms_and_picks_are_visible_to_all() -> None:
    table = Table("area-attack", 2)
    assert table.refused(0, "confirm") == "no_pick"
    got = table.act(0, "pick", cell=0)
    assert got[0] == got[1] == got[None] == [{"type": "picked", "seat": 0, "cell": 0}]
    table.act(0, "pick", cell=5)
    assert table.look(1)["game"]["picks"] == [5, None]
    table.act(0, "confirm")
    assert table.look(1)["seats"][0]["ready"]
    assert table.refused(0, "pick", cell=0) == "already_ready"
    assert table.refused(0, "confirm") == "already_ready"
    assert table.refused(1, "pick", cell=1600) == "out_of_range"
    assert table.refused(1, "pick", cell=-1) == "out_of_range"


def test_nothing_is_claimed_before_all_have_confirmed() -> None:
    table = Table("area-attack", 2)
    table.act(0, "pick", cell=0)
    for kind, fields in [("claim", {}), ("chord", {}), ("flag", {"on": True})]:
        assert table.refused(0, kind, cell=0, **fields) == "not_started"


def test_a_pick_closer_than_min_start_distance_to_anothers_current_pick_is_refused() -> None:
    table = Table("area-attack", 3)  # 40x40: 10 cells
    table.act(0, "pick", cell=0)
    assert table.refused(1, "pick", cell=9) == "too_close"
    assert table.refused(1, "pick", cell=7 * 40 + 7) == "too_close"  # 9.9
    table.act(1, "pick", cell=10)
    table.act(0, "pick", cell=30 * 40)  # the old place is free again
    table.act(2, "pick", cell=0)
    assert table.look(0)["game"]["picks"] == [30 * 40, 10, 0]


def test_a_pick_is_at_least_four_kings_moves_away_whatever_the_distance() -> None:
    table = Table("area-attack", 2, min_start_distance=0)
    table.act(0, "pick", cell=0)
    assert table.refused(1, "pick", cell=3 * 40 + 3) == "too_close"  # 4.2 as the crow flies
    table.act(1, "pick", cell=4)


def test_pick_seconds_run_out_a_player_who_has_not_confirmed_gets_a_random_legal_cell() -> None:
    table = Table("area-attack", 3, pick_seconds=30)
    table.act(0, "pick", cell=0)
    table.act(0, "confirm")
    table.act(1, "pick", cell=20)
    table.wait_until(29_999)
    assert table.look(0)["phase"] == "setup"
    got = table.wait_until(30_000)
    assert [e["type"] for e in got[None]][:4] == ["picked", "picked", "started", "stage"]
    picks = table.look(0)["game"]["picks"]
    assert picks[0] == 0
    assert picks[1] != 20
    for one, other in combinations(picks, 2):
        far, king = apart(40, one, other)
        assert far >= 10
        assert king >= 4
    assert table.look(0)["phase"] == "live"


def test_a_pick_that_was_not_confirmed_is_lost_and_stands_in_nobodys_way() -> None:
    middle = 20 * 40 + 20
    near = 0
    for k in range(30):
        table = Table("area-attack", 2, seed=bytes([k]) * 32)
        table.act(0, "pick", cell=middle)
        table.wait_until(30_000)
        near += any(apart(40, pick, middle)[0] < 10 for pick in table.inner.picks)
    assert near > 3


@pytest.mark.parametrize("size", [16, 17, 20, 25, 40])
@pytest.mark.parametrize("far", [False, True])
def test_a_legal_cell_always_exists_wherever_three_others_stand(size: int, far: bool) -> None:
    """Three picks on the diagonals of the square, where they block the most."""
    distance = size // 3 if far else size / 4
    for third in range(size // 4, size // 2):
        table = Table("area-attack", 4, size=size, min_start_distance=distance)
        rows = [(third, third), (third, size - 1 - third), (size - 1 - third, size // 2)]
        for seat, (x, y) in enumerate(rows):
            if all(
                apart(size, y * size + x, p)[0] >= distance and apart(size, y * size + x, p)[1] >= 4
                for p in table.inner.picks
                if p is not None
            ):
                table.act(seat, "pick", cell=y * size + x)
                table.act(seat, "confirm")
        table.wait_until(30_000)
        assert table.look(None)["phase"] in ("live", "over")
        check_board(size, table.inner.mines, table.inner.picks)


def test_each_start_opens_by_the_normal_flood_rule_and_the_clock_starts() -> None:
    table = Table("area-attack", 2, size=16, pick_seconds=30)
    for seat, cell in [(0, 0), (1, 255)]:
        table.act(seat, "pick", cell=cell)
        table.t = 7_000
        got = table.act(seat, "confirm")
    assert table.look(None)["game"]["began"] == 7_000
    for seat, start in [(0, 0), (1, 255)]:
        area = first_area(16, table.inner.mines, start)
        (mine,) = [e for e in got[seat] if e["type"] == "claimed" and e["seat"] == seat]
        assert set(mine["cells"]) == area
        assert mine["numbers"] == [table.inner.numbers[cell] for cell in mine["cells"]]
        for viewer in (1 - seat, None):
            (other,) = [e for e in got[viewer] if e["type"] == "claimed" and e["seat"] == seat]
            assert other == {"type": "claimed", "seat": seat, "cells": mine["cells"]}
