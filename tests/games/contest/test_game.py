"""One game of the contest: flags, wasted turns, wrong moves and its end."""

from __future__ import annotations

import pytest

from games.contest.game import MAX_TURNS, ContestGame, WrongMove
from games.engine.grid import square8
from games.engine.rng import derive

SEED = bytes(32)


def new_game(mines: int = 10, size: int = 10, safe_first: bool = False) -> ContestGame:
    return ContestGame(square8(size, size), mines, derive(SEED, "g"), safe_first)


def test_flag_toggles_and_has_no_game_effect():
    game = new_game()
    game.play((1, 2, True))
    assert game.state()[2][1] == "flag"
    game.play((1, 2, True))
    assert game.state()[2][1] == "unknown"


def test_truthy_flag_marks_and_false_or_absent_reveals():
    safe = sorted(set(range(100)) - new_game().board.field.mines)[0]
    for move in ((safe % 10, safe // 10), (safe % 10, safe // 10, False)):
        game = new_game()
        game.play(move)
        assert isinstance(game.state()[safe // 10][safe % 10], int)


def test_a_wasted_turn_is_allowed_and_counted():
    game = new_game(mines=50)
    safe = sorted(set(range(100)) - game.board.field.mines)[0]
    for move in ((safe % 10, safe // 10), (safe % 10, safe // 10), (safe % 10, safe // 10, 1)):
        game.play(move)
    assert game.turns == 3
    assert game.result is None


def test_a_game_has_at_most_1000_turns():
    game = new_game()
    while game.result is None:
        game.play((0, 0, True))
    assert game.result == type(game.result)(False, "not finished after 1000 turns", MAX_TURNS)


def test_clearing_wins_and_a_mine_loses():
    game = new_game(mines=0)
    game.play((3, 3))
    assert game.result.won
    game = new_game(mines=99)
    mine = min(game.board.field.mines)
    game.play((mine % 10, mine // 10))
    assert not game.result.won
    assert game.state()[mine // 10][mine % 10] == "mine"


def test_safe_first_protects_the_first_reveal():
    game = new_game(mines=99, safe_first=True)
    mine = min(game.board.field.mines)
    game.play((mine % 10, mine // 10))
    assert game.result.won


@pytest.mark.parametrize(
    "move", [None, 3, "11", (1,), (1, 2, 3, 4), (1.0, 2), ("1", "2"), (True, 0), (10, 0), (0, -1)]
)
def test_a_wrong_return_changes_nothing(move):
    game = new_game()
    before = game.state()
    with pytest.raises(WrongMove):
        game.play(move)
    assert game.state() == before
    assert game.turns == 0
