"""`manage.py contest`: what it prints, which files it refuses, and what a crash costs."""

from __future__ import annotations

import json
import re
import shutil
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.games.contest.command import contest, isolated, players_of, write
from tests.running_site import ROOT

with_ruby = pytest.mark.skipif(shutil.which("ruby") is None, reason="ruby is not installed")


def test_two_supplied_players_get_the_same_boards_and_a_ranking():
    run = contest("StupidPlayer", "SolverPlayer", "--games", "4", "--seed", "x")
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[1].split()[1] == "Solver"
    assert "Isolation: none" in run.stderr


@isolated
def test_json_has_the_agreed_form(tmp_path):
    file = write(tmp_path, "return (0, 0)")
    won = {"won": True, "reason": "cleared the board", "turns": 1}
    assert players_of(file, "--games", "2", "--mines", "0") == [
        {"name": "T", "file": file, "won": 2, "lost": 0, "games": [won, won]}
    ]


BRAIN = """
from brain import think
class BrainPlayer:
    def name(self): return "Brain"
    def take_turn(self, state): return think(state)
"""


@pytest.mark.parametrize("trust", [pytest.param([], marks=isolated), ["--trust"]])
def test_lib_beside_the_file_is_importable_and_name_may_be_a_method(tmp_path, trust):
    (tmp_path / "lib" / "brain").mkdir(parents=True)
    (tmp_path / "lib" / "brain" / "__init__.py").write_text("def think(state): return (0, 0)")
    (player,) = players_of(write(tmp_path, BRAIN), "--mines", "0", *trust)
    assert player["name"] == "Brain"
    assert player["won"] == 1


@isolated
def test_the_object_is_fresh_for_every_game(tmp_path):
    body = """
class CountPlayer:
    name = "Count"
    games = 0
    def take_turn(self, state):
        CountPlayer.games += 1
        return (0, 0) if CountPlayer.games == 1 else None
"""
    (player,) = players_of(write(tmp_path, body), "--games", "3", "--mines", "0")
    assert player["won"] == 3


UNFIT = [
    ("class APlayer:\n pass\nclass BPlayer:\n pass", "more than one class"),
    ("class Thing:\n pass", "no class"),
    ("class XPlayer:\n name = 'h\u00e9'\n def take_turn(self, s): return (0, 0)", "ASCII"),
    ("class XPlayer:\n  def oops(", "syntax error"),
    ("class XPlayer:\n name = 'x'", "take_turn"),
]


@pytest.mark.parametrize(("body", "why"), UNFIT)
def test_a_file_that_cannot_take_part_ends_the_command_before_any_game(tmp_path, body, why):
    file, out = write(tmp_path, body), StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("contest", "StupidPlayer", file, "--trust", stdout=out, stderr=StringIO())
    assert file in str(refused.value)
    assert why in str(refused.value)
    assert str(refused.value).endswith("[unfit]")
    assert out.getvalue() == ""


def test_that_is_one_sentence_and_a_status(tmp_path):
    file = write(tmp_path, "class XPlayer:\n  def oops(")
    run = contest(file, "--trust")
    assert run.returncode != 0
    assert file in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


CRASHES = {
    "constructor": (
        "class XPlayer:\n name = 'X'\n def __init__(self): raise ValueError('no')\n"
        " def take_turn(self, s): return (0, 0)",
        "X",
        "crashed: ValueError: no",
    ),
    "import": ("import nowhere\nclass XPlayer: pass", "p", "crashed: ModuleNotFoundError: "),
    "name": (
        "class XPlayer:\n @property\n def name(self): raise KeyError('k')\n"
        " def take_turn(self, s): return (0, 0)",
        "p",
        "crashed: KeyError: 'k'",
    ),
    "turn": ("raise OSError('boom')", "T", "crashed: OSError: boom"),
    "wrong": ("return 'a move'", "T", "wrong return"),
}


@pytest.mark.parametrize("kind", CRASHES)
def test_a_player_that_crashes_loses_its_games_and_the_series_goes_on(tmp_path, kind):
    body, name, reason = CRASHES[kind]
    other = write(tmp_path, "return (0, 0)", "other.py")
    first, second = players_of(
        write(tmp_path, body), other, "--games", "2", "--mines", "0", "--trust"
    )
    assert (first["file"], first["won"], second["lost"]) == (other, 2, 2)
    assert second["name"] == name
    for game in second["games"]:
        assert game["reason"].startswith(reason)


@pytest.mark.parametrize(
    "arguments",
    [["missing.py"], ["NoSuchPlayer"], ["StupidPlayer", "--size", "0"],
     ["StupidPlayer", "--size", "axb"], ["StupidPlayer", "--mines", "100"],
     ["StupidPlayer", "--games", "0"], ["StupidPlayer", "--turn-timeout", "0"],
     ["StupidPlayer", "--load-timeout", "0"], []],
)  # fmt: skip
def test_wrong_options_are_errors(arguments):
    with pytest.raises(CommandError):
        call_command("contest", *arguments)


@with_ruby
@isolated
def test_a_ruby_player_of_the_original_contest_runs_unmodified(tmp_path):
    (tmp_path / "lib" / "foo").mkdir(parents=True)
    (tmp_path / "lib" / "foo" / "bar.rb").write_text("module Foo; SPOT = [0, 0]; end")
    player = tmp_path / "player.rb"
    player.write_text(
        'require "foo/bar"\nclass RubyPlayer\n  def name; "Ruby"; end\n'
        "  def take_turn(state)\n    raise 'no' unless state[0][0] == :unknown\n    Foo::SPOT\n"
        "  end\nend\n"
    )
    run = contest(str(player), "--mines", "0", "--json")
    assert json.loads(run.stdout)["players"][0] == {
        "name": "Ruby", "file": str(player), "won": 1, "lost": 0,
        "games": [{"won": True, "reason": "cleared the board", "turns": 1}],
    }  # fmt: skip


@with_ruby
@pytest.mark.parametrize(
    ("body", "why"),
    [("class APlayer; end\nclass BPlayer; end", "more than one class"), ("x = (", "syntax error")],
)
def test_a_ruby_file_that_cannot_take_part_is_named(tmp_path, body, why):
    player = tmp_path / "player.rb"
    player.write_text(body)
    run = contest(str(player), "--trust")
    assert run.returncode != 0
    assert str(player) in run.stderr
    assert why in run.stderr


@with_ruby
def test_a_ruby_player_that_raises_in_its_constructor_loses(tmp_path):
    player = tmp_path / "player.rb"
    player.write_text(
        "class XPlayer\n def initialize; raise 'no'; end\n def name; 'X'; end\n"
        " def take_turn(s); [0, 0]; end\nend\n"
    )
    first, second = players_of("StupidPlayer", str(player), "--mines", "0", "--trust")
    assert first["won"] == 1
    assert second["games"][0]["reason"] == "crashed: RuntimeError: no"


def test_every_code_and_option_is_documented():
    text = (ROOT / "docs" / "contest.md").read_text()
    sources = [*(ROOT / "games" / "contest").glob("*.py")]
    source = "\n".join(path.read_text() for path in sources)
    codes = set(re.findall(r'(?:CannotTakePart|_refuse)\(\s*"(\w+)"', source))
    assert len(codes) >= 8
    assert [code for code in sorted(codes) if f"| `{code}` |" not in text] == []
    command = (ROOT / "games" / "management" / "commands" / "contest.py").read_text()
    options = set(re.findall(r'"(--[a-z-]+)"', command))
    assert [option for option in sorted(options) if f"`{option}" not in text] == []
