"""Answers: checked against trying every arrangement."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random

import pytest

from games.analyser.answer import answer
from games.analyser.position import Position, read
from games.engine.board import HIDDEN, MINE, Board
from games.engine.field import MineField
from games.engine.grid import square8


def played(seed: int, width: int = 4, height: int = 4, mines: int = 5) -> Position:
    """The board of a game after a few reveals."""
    rng = Random(seed)
    field = MineField(square8(width, height), rng.sample(range(width * height), mines))
    board = Board(field)
    for cell in rng.sample(range(width * height), 4):
        if cell not in field.mines:
            board.reveal(cell)
    return Position(width, height, mines, tuple(board.cells()))


def arrangements(position: Position) -> list[frozenset[int]]:
    closed = [c for c, shown in enumerate(position.cells) if shown == HIDDEN]
    known = frozenset(c for c, shown in enumerate(position.cells) if shown == MINE)
    near = position.neighbours
    return [
        mines
        for some in combinations(closed, position.mines - len(known))
        for mines in [known.union(some)]
        if all(
            shown < 0 or len(mines.intersection(near[cell])) == shown
            for cell, shown in enumerate(position.cells)
        )
    ]


def best_win(position: Position, every: list[frozenset[int]]) -> dict[int, float]:
    """The chance to win by the first cell, with perfect play."""
    near = position.neighbours
    size = position.width * position.height

    @cache
    def wins(left: frozenset[int], opened: frozenset[int]) -> int:
        cells = [c for c in range(size) if c not in opened]
        if all(len(every[i]) == len(cells) for i in left):
            return len(left)
        return max(after(left, opened, c) for c in cells)

    def after(left: frozenset[int], opened: frozenset[int], cell: int) -> int:
        shown: dict[int, set[int]] = {}
        for i in left:
            if cell not in every[i]:
                shown.setdefault(len(every[i].intersection(near[cell])), set()).add(i)
        return sum(wins(frozenset(some), opened | {cell}) for some in shown.values())

    opened = frozenset(c for c, shown in enumerate(position.cells) if shown >= 0)
    whole = frozenset(range(len(every)))
    closed = [c for c, shown in enumerate(position.cells) if shown == HIDDEN]
    return {c: after(whole, opened, c) / len(every) for c in closed}


@pytest.mark.parametrize("seed", range(30))
def test_probabilities_are_those_of_all_arrangements(seed: int) -> None:
    position = played(seed)
    every = arrangements(position)
    found = answer(position)
    assert found["arrangements"]["count"] == len(every)
    for cell, shown in enumerate(position.cells):
        if shown == HIDDEN:
            share = sum(cell in mines for mines in every) / len(every)
            assert found["chances"][cell] == pytest.approx(share)
            assert (cell in found["safe"]) == (share == 0)
            assert (cell in found["proven_mines"]) == (share == 1)
        else:
            assert found["chances"][cell] is None


@pytest.mark.parametrize("seed", range(40))
def test_the_chance_to_win_is_that_of_perfect_play(seed: int) -> None:
    position = played(seed, 3, 3, 3)
    every = arrangements(position)
    found = answer(position)
    if found["status"] == "cleared":
        assert found["win"] == 1
        return
    expected = best_win(position, every)
    assert found["win"] == pytest.approx(max(expected.values()))
    for cell, chance in found["wins"]:
        assert chance == pytest.approx(expected[cell])
    best = found["best"]["cell"]
    assert expected[best] == pytest.approx(max(expected.values()))


def test_a_flag_is_an_opinion() -> None:
    flagged, closed = answer(read("#F\n11", 1)), answer(read("##\n11", 1))
    assert flagged["chances"] == closed["chances"] == [0.5, 0.5, None, None]
    assert flagged["flags"] == {"wrong": [], "unproven": [1]}
    assert answer(read("F0", 0))["flags"] == {"wrong": [0], "unproven": []}
    assert answer(read("F1", 1))["flags"] == {"wrong": [], "unproven": []}


def test_why_names_the_numbers_of_a_cell() -> None:
    position = read("#1##\n#1##", 2)
    why = answer(position, 0)["why"]
    assert (why["kind"], why["chance"], why["numbers"]) == ("undecided", 0.25, [])
    why = answer(read("#1", 1), 0)["why"]
    assert (why["kind"], why["numbers"], why["mine_count"]) == ("mine", [1], False)
    assert answer(position, 1)["why"] is None


@pytest.mark.parametrize(
    ("text", "mines", "kind", "numbers", "count"),
    [
        ("***", 2, "known_mines", [], 3),
        ("H11", 0, "number_too_large", [2], 0),
        ("*1*", 2, "number_too_small", [1], 2),
        ("HHH\nH8H\nHHH", 3, "mines_too_few", [4], 8),
        ("H1H", 2, "mines_too_many", [1], 1),
        ("1H\nH2\n", 2, "numbers", [0, 3], None),
    ],
)
def test_a_contradiction_is_explained(
    text: str, mines: int, kind: str, numbers: list[int], count: int | None
) -> None:
    found = answer(read(text, mines))
    assert found["status"] == "contradiction"
    assert found["conflict"] == {"kind": kind, "numbers": numbers, "found": count}


def test_too_few_closed_cells_for_the_mines_is_a_contradiction() -> None:
    found = answer(read("H1\n11", 3))
    assert found["conflict"]["kind"] in ("mines_too_many", "closed_cells")


@pytest.mark.parametrize("seed", range(200))
def test_any_board_has_an_answer(seed: int) -> None:
    """Numbers at random: nothing but an answer or an explained contradiction."""
    rng = Random(seed)
    width, height = rng.randint(1, 6), rng.randint(1, 6)
    cells = [
        rng.choice([HIDDEN, HIDDEN, HIDDEN, -2, 0, 1, 1, 2, 8, MINE]) for _ in range(width * height)
    ]
    found = answer(Position(width, height, rng.randint(0, width * height), tuple(cells)))
    assert found["status"] in ("open", "cleared", "contradiction")
    if found["status"] == "contradiction":
        assert found["conflict"]["kind"]
