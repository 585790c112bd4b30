"""The supplied players and the runner, without a sandbox around them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.contest import runner
from games.contest.console import ConsoleLink
from games.contest.supplied.HumanPlayer import HumanPlayer
from games.contest.supplied.SolverPlayer import SolverPlayer
from games.contest.supplied.StupidPlayer import StupidPlayer

UNKNOWN = "unknown"
# The one mine is at (2, 1): the cells above and below it are safe.
BOARD = [[0, 1, UNKNOWN], [0, 1, UNKNOWN], [0, 1, UNKNOWN]]


def answers(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    given = iter(lines)

    def read(_prompt: str) -> str:
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)


def test_the_solver_opens_what_is_safe_and_else_guesses():
    player = SolverPlayer()
    assert player.take_turn([[UNKNOWN] * 4 for _ in range(4)]) in {
        (x, y) for x in range(4) for y in range(4)
    }
    assert SolverPlayer().take_turn(BOARD) == (2, 0)


def test_the_stupid_player_only_tries_unknown_cells():
    for _ in range(50):
        x, y = StupidPlayer().take_turn(BOARD)
        assert BOARD[y][x] == UNKNOWN


def test_a_person_is_asked_until_the_answer_is_a_cell(monkeypatch, capsys):
    answers(monkeypatch, "", "9 9", "a b", "2,1", "1 2 f")
    player = HumanPlayer()
    assert player.take_turn(BOARD) == (2, 1)
    assert player.take_turn(BOARD) == (1, 2, True)
    assert capsys.readouterr().out.count("That is not a cell of the board.") == 3


def test_a_person_at_the_console_is_a_player(monkeypatch):
    answers(monkeypatch, "0 1")
    link = ConsoleLink()
    assert link.ask(None, 1) == {"name": "Human"}
    assert link.ask(BOARD, 1) == {"move": [0, 1]}
    assert link.ask(BOARD, 1) == {"error": "gave up"}
    link.close()


def run(tmp_path: Path, source: str, *questions: object) -> list[dict]:
    player = tmp_path / "player.py"
    player.write_text(source)
    done = subprocess.run(
        [sys.executable, runner.__file__, "trusted", str(player), str(tmp_path)],
        input="".join(json.dumps(question) + "\n" for question in questions),
        capture_output=True,
        text=True,
        timeout=60,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


GOOD = """
class GoodPlayer:
    name = "Good"
    turns = 0
    def take_turn(self, state):
        print("not for the referee")
        self.turns += 1
        return [(1, 2), (0, 1, 1), "nonsense", None][self.turns - 1]
"""


def test_the_runner_answers_with_moves(tmp_path):
    assert run(tmp_path, GOOD, BOARD, BOARD, BOARD) == [
        {"name": "Good"},
        {"move": [1, 2]},
        {"move": [0, 1, True]},
        {"wrong": "a move is (x, y) or (x, y, flag)"},
    ]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("class A(: pass", "syntax error in line 1"),
        ("x = 1", "it has no class whose name ends in Player"),
        ("class APlayer: pass\nclass BPlayer: pass", "it has more than one class"),
        ("class APlayer: name = 'A'", "its class has no take_turn"),
        ("class APlayer:\n name = ''\n def take_turn(self, state): pass", "its name is not ASCII"),
    ],
)
def test_the_runner_says_why_a_file_cannot_take_part(tmp_path, source: str, why: str):
    (said,) = run(tmp_path, source)
    assert said["unfit"].startswith(why)


def test_the_runner_ends_with_the_error_of_a_player(tmp_path):
    raising = "class APlayer:\n name = 'A'\n def take_turn(self, state): raise KeyError('lost')"
    assert run(tmp_path, raising, BOARD, BOARD) == [{"name": "A"}, {"error": "KeyError: 'lost'"}]
    broken = "class APlayer:\n name = 'A'\n def __init__(self): 1 / 0"
    (said,) = run(tmp_path, broken)
    assert said == {"error": "ZeroDivisionError: division by zero", "name": "A"}
