"""The contest: games, files that can't take part, and players that try to cheat or to harm."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
from io import StringIO
from pathlib import Path
from string import Template

import pytest
from django.core.management import CommandError, call_command

from games.contest.game import MAX_TURNS, ContestGame, WrongMove
from games.contest.sandbox import isolation
from games.engine.grid import square8
from games.engine.rng import derive
from tests.running_site import wait_for

ROOT = Path(__file__).resolve().parents[2]
SEED = bytes(32)


def new_game(mines: int = 10, size: int = 10, safe_first: bool = False) -> ContestGame:
    return ContestGame(square8(size, size), mines, derive(SEED, "g"), safe_first)


def contest(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """The command, in its own process; `path` replaces PATH to hide programs from it."""
    environment = None if path is None else {"PATH": path}
    return subprocess.run(
        [sys.executable, "manage.py", "contest", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        env=environment,
        check=False,
    )


def players_of(*arguments: str) -> list[dict[str, object]]:
    """What the command says in JSON, in this process: starting one costs more than most games."""
    out = StringIO()
    call_command("contest", *arguments, "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())["players"]


def test_flag_toggles_and_has_no_game_effect():
    game = new_game()
    game.play((1, 2, True))
    assert game.state()[2][1] == "flag"
    game.play((1, 2, True))
    assert game.state()[2][1] == "unknown"


def test_truthy_flag_marks_and_false_or_absent_reveals():
    safe = sorted(set(range(100)) - new_game()._board.field.mines)[0]
    for move in ((safe % 10, safe // 10), (safe % 10, safe // 10, False)):
        game = new_game()
        game.play(move)
        assert isinstance(game.state()[safe // 10][safe % 10], int)


def test_a_wasted_turn_is_allowed_and_counted():
    game = new_game(mines=50)
    safe = sorted(set(range(100)) - game._board.field.mines)[0]
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
    mine = min(game._board.field.mines)
    game.play((mine % 10, mine // 10))
    assert not game.result.won
    assert game.state()[mine // 10][mine % 10] == "mine"


def test_safe_first_protects_the_first_reveal():
    game = new_game(mines=99, safe_first=True)
    mine = min(game._board.field.mines)
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


def test_two_supplied_players_get_the_same_boards_and_a_ranking():
    run = contest("StupidPlayer", "SolverPlayer", "--games", "4", "--seed", "x")
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[1].split()[1] == "Solver"
    assert "Isolation:" in run.stderr


PLAYER = "class {0}Player:\n    name = {1!r}\n    def take_turn(self, state):\n        {2}\n"


def write(folder: Path, body: str, file: str = "p.py", cls: str = "Test", name: str = "T") -> str:
    path = folder / file
    path.write_text(body if "class " in body else PLAYER.format(cls, name, body))
    return str(path)


def test_json_has_the_agreed_form(tmp_path):
    file = write(tmp_path, "return (0, 0)")
    won = {"won": True, "reason": "cleared the board", "turns": 1}
    assert players_of(file, "--games", "2", "--mines", "0") == [
        {"name": "T", "file": file, "won": 2, "lost": 0, "games": [won, won]}
    ]


def test_lib_beside_the_file_is_importable_and_name_may_be_a_method(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "brain.py").write_text("def think(state): return (0, 0)")
    body = """
from brain import think
class BrainPlayer:
    def name(self): return "Brain"
    def take_turn(self, state): return think(state)
"""
    (player,) = players_of(write(tmp_path, body), "--mines", "0")
    assert player["name"] == "Brain"
    assert player["won"] == 1


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


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("class APlayer:\n pass\nclass BPlayer:\n pass", "more than one class"),
        ("class Thing:\n pass", "no class"),
        ("class XPlayer:\n name = 'h\u00e9'\n def take_turn(self, s): return (0, 0)", "ASCII"),
        ("class XPlayer:\n  def oops(", "syntax error"),
        ("class XPlayer:\n name = 'x'", "take_turn"),
        ("class XPlayer:\n  name = 1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_file_that_cannot_take_part_ends_the_command_before_any_game(tmp_path, body, why):
    file, out = write(tmp_path, body), StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("contest", "StupidPlayer", file, stdout=out, stderr=StringIO())
    assert file in str(refused.value)
    assert why in str(refused.value)
    assert out.getvalue() == ""


def test_that_is_one_sentence_and_a_status(tmp_path):
    file = write(tmp_path, "class XPlayer:\n  def oops(")
    run = contest(file)
    assert run.returncode != 0
    assert file in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [["missing.py"], ["NoSuchPlayer"], ["StupidPlayer", "--size", "0"],
     ["StupidPlayer", "--size", "axb"], ["StupidPlayer", "--mines", "100"],
     ["StupidPlayer", "--games", "0"], ["StupidPlayer", "--turn-timeout", "0"], []],
)  # fmt: skip
def test_wrong_options_are_errors(arguments):
    with pytest.raises(CommandError):
        call_command("contest", *arguments)


HOSTILE = {
    "crash": ("raise ValueError('boom')", "crashed: ValueError: boom"),
    "exit": ("import os; os._exit(0)", "its process ended"),
    "silence": ("import time; time.sleep(600)", "took longer than"),
    "wrong": ("return 'a move'", "wrong return"),
    "memory": ("return bytearray(4 * 10**9)", "crashed: MemoryError"),
    "output": ("import os\n        while True: os.write(3, b'x'*9999); os.write(4, b'x'*9999)",
               ""),
    "print": ("while True: print('x' * 9999)", "took longer than"),
    "kill": ("import os; os.kill(os.getppid(), 9); os.kill(-1, 9); os._exit(1)", ""),
    "fork": ("import os\n        while True: os.fork()", ""),
    "objects": ("""import gc, sys
        names = [type(o).__name__ for o in gc.get_objects()]
        hidden = {'Board', 'MineField', 'ContestGame'} & set(names)
        assert not hidden and 'games' not in sys.modules
        raise RuntimeError('nothing there')""", "crashed: RuntimeError: nothing there"),
}  # fmt: skip

BARE = str(Path(sys.executable).parent)


def isolations() -> list[object]:
    bubblewrap = shutil.which("bwrap") is not None and isolation().bubblewrap
    missing = pytest.mark.skipif(not bubblewrap, reason="bubblewrap is not installed")
    return [pytest.param(None, id="bubblewrap", marks=missing), pytest.param(BARE, id="process")]


@pytest.mark.parametrize("path", isolations())
def test_hostile_players_get_nothing_but_a_lost_game_with_the_reason(tmp_path, path):
    files = {
        write(tmp_path, body, f"{kind}.py", name=kind): reason
        for kind, (body, reason) in HOSTILE.items()
    }
    run = contest(*files, "--turn-timeout", "2", "--json", path=path)
    assert run.returncode == 0, run.stderr
    assert ("bubblewrap" in run.stderr) == (path is None)
    players = json.loads(run.stdout)["players"]
    assert len(players) == len(files)
    for player in players:
        (game,) = player["games"]
        assert not game["won"]
        assert game["reason"].startswith(files[player["file"]]), (player["name"], game)


SPY = """
import ctypes, os, pathlib, socket, time
class SpyPlayer:
    name = "Spy"
    def take_turn(self, state):
        found = []
        def attempt(what, thing):
            try:
                thing()
            except OSError:
                return
            found.append(what)
        def connect(family, address):
            with socket.socket(family) as client:
                client.settimeout(1)
                client.connect(address)
        def fork():
            if os.fork() == 0:
                time.sleep(60)
        secret, parent = $secret, os.getppid()
        attempt("network", lambda: connect(socket.AF_INET, ("127.0.0.1", $port)))
        attempt("unix", lambda: connect(socket.AF_UNIX, $socket))
        attempt("read", lambda: open(secret).read())
        attempt("write", lambda: open(secret, "w"))
        attempt("truncate", lambda: os.truncate(secret, 0))
        attempt("chmod", lambda: os.chmod(secret, 0o777))
        attempt("utime", lambda: os.utime(secret))
        attempt("own file", lambda: os.chmod(__file__, 0o777))
        attempt("beside", lambda: open(os.path.dirname(__file__) + "/x", "w"))
        attempt("memory for files", lambda: open("/dev/shm/x", "w"))
        attempt("shadow", lambda: open("/etc/shadow").read())
        if parent > 1:  # else the sandbox's own first process
            attempt("memory", lambda: open(f"/proc/{parent}/mem", "rb"))
            if ctypes.CDLL(None).ptrace(16, parent, 0, 0) == 0:
                found.append("ptrace")
            attempt("signal", lambda: os.kill(parent, 9))
        lines = [p.read_bytes() for p in pathlib.Path("/proc").glob("[0-9]*/cmdline")]
        if any(b"manage.py" in line or b"the-seed" in line for line in lines):
            found.append("processes")
        if any("the-seed" in v for v in os.environ.values()):
            found.append("environment")
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv("/bin/sleep", ["sleep", $orphan])
            os._exit(0)
        for number in range(40):
            attempt("processes without end" if number == 32 else "", fork)
        raise RuntimeError("found " + ",".join(filter(None, found)))
"""


@pytest.mark.parametrize("path", isolations())
def test_a_player_reaches_nothing_and_leaves_nothing_behind(tmp_path, path):
    secret = tmp_path / "elsewhere" / "secret"
    secret.parent.mkdir()
    secret.write_text("secret")
    secret.chmod(0o600)
    before = secret.stat()
    orphan = f"6{int.from_bytes(os.urandom(5), 'big')}"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_server(str(tmp_path / "u"), family=socket.AF_UNIX),
    ):
        body = Template(SPY).substitute(
            port=server.getsockname()[1],
            socket=repr(str(tmp_path / "u")),
            secret=repr(str(secret)),
            orphan=repr(orphan),
        )
        run = contest(write(tmp_path, body), "--seed", "the-seed", "--json", path=path)
    reason = json.loads(run.stdout)["players"][0]["games"][0]["reason"]
    assert reason == "crashed: RuntimeError: found "
    assert secret.read_text() == "secret"
    after = secret.stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    wait_for(lambda: not _runs(orphan), what="the end of what the player left behind")


def _runs(argument: str) -> bool:
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if argument.encode() in line.read_bytes().split(b"\0"):
                return True
    return False


@pytest.mark.skipif(shutil.which("ruby") is None, reason="ruby is not installed")
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


@pytest.mark.skipif(shutil.which("ruby") is None, reason="ruby is not installed")
@pytest.mark.parametrize(
    ("body", "why"),
    [("class APlayer; end\nclass BPlayer; end", "more than one class"), ("x = (", "syntax error")],
)
def test_a_ruby_file_that_cannot_take_part_is_named(tmp_path, body, why):
    player = tmp_path / "player.rb"
    player.write_text(body)
    run = contest(str(player))
    assert run.returncode != 0
    assert str(player) in run.stderr
    assert why in run.stderr
