"""Puzzles are right: proven by the solver and again by trying every arrangement."""

from __future__ import annotations

import os
from itertools import islice
from random import Random

import pytest

from games.puzzles import cutting, selfplay, stock
from games.puzzles.checking import is_right
from games.puzzles.making import TAGS, Made, ask_guess, ask_safe, bits, named
from games.puzzles.management.commands.puzzles import make
from games.puzzles.position import GUESS, SAFE, Position
from games.puzzles.winning import chances
from tests.puzzles import brute_force

LONG = bool(os.environ.get("PUZZLES_LONG"))
SAMPLE = 30
"""Puzzles that are checked by brute force; all of them with PUZZLES_LONG=1."""
FEW = 16
"""Arrangements of a guess that brute force can search in no time."""

ONE_TWO_ONE = Position(5, 4, "....." + "....." + "?121?" + "?000?")


@pytest.fixture(scope="module")
def puzzles() -> list[Made]:
    return list(stock.read())


def sample(puzzles: list[Made], question: str) -> list[Made]:
    found = [one for one in puzzles if one.question == question]
    if LONG:
        return found
    if question == GUESS:
        found = [one for one in found if one.answer["total"] <= FEW]
    return Random(0).sample(found, SAMPLE)


def test_the_site_comes_with_2000_different_puzzles(puzzles):
    assert len(puzzles) == 2000
    assert len({one.key for one in puzzles}) == 2000
    themes = {tag for one in puzzles for tag in one.tags}
    assert themes == set(TAGS)
    assert all(max(one.position.width, one.position.height) <= cutting.MOST for one in puzzles)


def test_the_solver_proves_them_again(puzzles):
    for one in puzzles if LONG else Random(1).sample(puzzles, SAMPLE):
        assert is_right(one), one.key


def test_brute_force_finds_the_same_safe_cells_and_proofs(puzzles):
    for one in sample(puzzles, SAFE):
        assert brute_force.safe_cells(one.position) == one.answer["safe"], one.key
        for cell, (numbers, mine_count) in one.answer["proofs"].items():
            if mine_count:
                continue  # every arrangement of all hidden cells: too many without some numbers
            assert brute_force.proves(one.position, set(numbers), int(cell), False), one.key
            for number in numbers:  # none can be left out
                fewer = set(numbers) - {number}
                assert not brute_force.proves(one.position, fewer, int(cell), False), one.key


def test_brute_force_finds_the_same_chances_to_win(puzzles):
    for one in sample(puzzles, GUESS):
        if one.answer["total"] > 60:
            continue
        total, by_cell = brute_force.wins(one.position)
        assert total == one.answer["total"], one.key
        assert {int(cell): tuple(each) for cell, each in one.answer["chances"].items()} == {
            cell: each for cell, each in by_cell.items() if each[0] < total
        }, one.key


def test_the_best_guess_is_that_of_the_solver(puzzles):
    for one in sample(puzzles, GUESS):
        guess = one.position.solver().best_guess()
        assert guess is not None
        assert guess.cell in one.answer["best"], one.key


def test_turned_and_mirrored_positions_are_one_puzzle():
    position = Position(3, 2, ".1.12.", 2)
    turned = Position(2, 3, "1." + "21" + "..", 2)
    mirrored = Position(3, 2, ".1..21", 2)
    assert position.key(SAFE) == mirrored.key(SAFE) == turned.key(SAFE)
    assert position.key(SAFE) != position.key(GUESS)
    assert position.key(SAFE) != Position(3, 2, ".1.12.", 1).key(SAFE)


def test_a_number_that_counts_outside_the_cut_is_left_out():
    board = Position(12, 3, "............" + "112111111111" + "000000000000")
    part = cutting.part(board.solver(), 12, 3, [12, 13, 14])
    assert part is not None
    assert part.cells == "....." + "1121?" + "00000"
    assert part.mines is None


def test_the_pattern_1_2_1_is_recognised():
    made = ask_safe(ONE_TWO_ONE)
    assert made is not None
    assert made.answer["safe"] == [5, 7, 9]
    assert "pattern" in made.tags


def test_nothing_is_asked_that_one_number_shows_or_that_has_no_answer():
    assert ask_safe(Position(3, 3, "1.." + "122" + "00.")) is None
    assert ask_safe(Position(3, 3, "..." + ".1." + "...")) is None
    assert ask_safe(Position(3, 3, "..." + "999" + "000")) is None  # no board fits
    assert ask_guess(Position(2, 2, "....", 1)) is None  # too small


def test_too_many_arrangements_are_not_searched():
    assert chances(Position(6, 6, "." * 36, 12).solver()) is None


def test_tags_are_stored_as_bits():
    for tags in ((), ("subset",), ("mine_count", "endgame"), TAGS):
        assert tuple(named(bits(tags))) == tags


def test_the_same_seed_makes_the_same_puzzles():
    def first(seed: int) -> list[str]:
        return [made.key for made in islice(make(4, seed), 4)]

    assert first(5) == first(5)
    assert first(5) != first(6)


def test_simulated_players_go_wrong_in_positions_worth_asking():
    made = next(made for game in range(50) for made in selfplay.play(f"7:{game}"))
    assert is_right(made)
