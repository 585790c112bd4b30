"""The sandbox works or says why it doesn't, and a contest that is killed leaves nothing."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from games.contest import memory, sandbox, staging
from tests.games.contest.command import contest, isolated, players_of, write
from tests.running_site import ROOT, wait_for

BARE = str(Path(sys.executable).parent)


def test_without_bubblewrap_only_trusted_players_run(tmp_path):
    file = write(tmp_path, "return (0, 0)")
    refused = contest(file, "StupidPlayer", path=BARE)
    assert refused.returncode != 0
    assert refused.stdout == ""
    assert f"{file} can't be isolated: bubblewrap is not installed" in refused.stderr
    assert "--trust" in refused.stderr
    assert "[no_sandbox]" in refused.stderr
    assert "Traceback" not in refused.stderr

    run = contest(file, "StupidPlayer", "--mines", "0", "--trust", "--json", path=BARE)
    assert run.returncode == 0, run.stderr
    assert [player["won"] for player in json.loads(run.stdout)["players"]] == [1, 1]
    assert "Isolation: none, as all players are trusted." in run.stderr


@isolated
@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "No permissions to"),
        ("echo 'bwrap: Unknown option --disable-userns' >&2; exit 1", "Unknown option --disable"),
    ],
)
def test_a_bubblewrap_that_does_not_work_is_told(tmp_path, public_folder, script, why):
    broken = public_folder / "bwrap"
    broken.write_text(f"#!/bin/sh\n{script}\n")
    broken.chmod(0o755)
    run = contest(write(tmp_path, "return (0, 0)"), path=f"{public_folder}:/usr/bin:/bin")
    assert run.returncode != 0
    assert f"bubblewrap does not work here (bwrap: {why}" in run.stderr
    assert "[no_sandbox]" in run.stderr
    assert "Traceback" not in run.stderr


WAITING = """
import time
class WaitingPlayer:
    name = "Waiting"
    def take_turn(self, state):
        time.sleep(600)
"""


@pytest.mark.parametrize("seed", [["--seed", "the-seed"], ["--seed=the-seed"]])
def test_the_seed_is_in_no_command_line_while_players_run(tmp_path, seed):
    file = write(tmp_path, WAITING)
    command = [sys.executable, "manage.py", "contest", file, *seed, "--trust"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            lines = wait_for(lambda: _lines_with_a_player(process.pid), what="the player's start")
        finally:
            process.terminate()
    assert file.encode() in lines[0]
    assert len(lines) == 2
    assert not any(b"the-seed" in line for line in lines)


@isolated
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_survives_a_referee_that_is_ended(tmp_path, public_folder, number):
    command = [sys.executable, "manage.py", "contest", write(tmp_path, WAITING)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(public_folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        family: list[int] = []
        try:
            family = wait_for(lambda: _whole_sandbox(process.pid), what="the player's start")
        finally:
            process.send_signal(number)
        told = process.communicate(timeout=30)[1]
    wait_for(lambda: not any(map(_is_alive, family)), what="the end of the player")
    if number != signal.SIGKILL:
        assert b"Stopped." in told
        assert b"Traceback" not in told
        assert [*public_folder.glob("contest-*")] == []


def _whole_sandbox(pid: int) -> list[int]:
    """The processes that the referee started, once these are bubblewrap, its first one and the
    player."""
    family = memory.family(pid)[1:]
    return family if len(family) == 3 else []


def _is_alive(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def _lines_with_a_player(pid: int) -> list[bytes]:
    """The command's own line and its player's, once there is one."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    lines = [Path(f"/proc/{number}/cmdline").read_bytes() for number in (str(pid), *children)]
    return lines if any(b"runner.py" in line for line in lines) else []


ATTACK = """
import os, subprocess, sys
class RootlessPlayer:
    name = "Rootless"
    def take_turn(self, state):
        found = []
        for path in ({secret!r}, "/etc/passwd", "/proc/self/status"):
            if os.path.exists(path):
                found.append(path)
        if subprocess.run(["unshare", "-Ur", "true"]).returncode == 0:
            found.append("namespace")
        children = 0
        try:
            while True:
                if os.fork() == 0:
                    os.execv("/bin/sleep", ["sleep", "600"])
                children += 1
        except OSError:
            pass
        if not 0 < children <= 32:
            found.append(str(children))
        raise RuntimeError("found " + ",".join(found))
"""


@isolated
@pytest.mark.skipif(os.getuid() != 0, reason="becomes another user")
def test_an_ordinary_user_gets_the_same_isolation(public_folder):
    user, secret = 54321, public_folder / "secret"
    secret.write_text("x")
    write(public_folder, ATTACK.format(secret=str(secret)))
    for path in (public_folder, *public_folder.iterdir()):
        os.chown(path, user, user)
    run = contest(str(public_folder / "p.py"), "--json", user=user, DATA_DIR=f"{public_folder}/var")
    assert run.returncode == 0, run.stderr
    (game,) = json.loads(run.stdout)["players"][0]["games"]
    assert game["reason"] == "crashed: RuntimeError: found "


FROM_A_SYSTEM_FOLDER = """
import django
from django.conf import settings
django.setup()
from games.contest import players, sandbox, series
sandbox.SYSTEM += ({folder!r},)
settings.BASE_DIR, settings.DATA_DIR = {base!r}, {data!r}
record, = series.play_all([players.find({player!r})], series.Rules(), bytes(32), lambda _: None)
print(record.games[0].reason)
"""


@isolated
@pytest.mark.skipif(os.getuid() != 0, reason="becomes another user")
@pytest.mark.parametrize(("base", "data"), [("app", "app/var"), ("app", "data"), ("x", "data")])
def test_a_site_in_a_folder_of_the_system_is_hidden(public_folder, base, data):
    user = 54321
    folders = [public_folder / name for name in ("app", "app/var", "data", "x", "system")]
    for folder in folders:
        folder.mkdir()
    for folder in (public_folder / base, public_folder / data):
        (folder / "secret").write_text("x")
    body = (
        f"import os; walk = os.walk({str(public_folder)!r}); "
        "raise OSError(sorted(sorted(files) for _, _, files in walk if files))"
    )
    player = write(public_folder / "system", body)
    for path in (public_folder, *public_folder.rglob("*")):
        os.chown(path, user, user)
    code = FROM_A_SYSTEM_FOLDER.format(
        folder=str(public_folder),
        base=str(public_folder / base),
        data=str(public_folder / data),
        player=player,
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={
            "DJANGO_SETTINGS_MODULE": "minesite.settings",
            "DATA_DIR": f"{public_folder}/system/var",
            "PATH": "/usr/bin:/bin",
        },
        user=user,
        group=user,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    seen = [["p.py"], ["push_key", "secret_key"]]  # of the folder that no site uses
    assert run.stdout.strip() == f"crashed: OSError: {seen}", run.stderr


@isolated
@pytest.mark.skipif(os.getuid() != 0, reason="for root only")
def test_root_runs_a_contest_from_its_home(tmp_path, monkeypatch):
    """Neither the site nor its Python can be reached by the user that the player becomes."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    shutil.copy(ROOT / "games" / "contest" / "runner.py", home)
    (home / "bin").mkdir()
    shutil.copy(Path(sys.executable).resolve(), home / "bin" / Path(sys.executable).resolve().name)
    monkeypatch.setattr(staging, "HERE", home)
    monkeypatch.setattr(sys, "base_prefix", str(home))
    monkeypatch.setattr(sys, "executable", str(next((home / "bin").iterdir())))
    sandbox.find_python.cache_clear()
    try:
        (player,) = players_of(write(tmp_path, "return (0, 0)"), "--mines", "0")
    finally:
        sandbox.find_python.cache_clear()
    assert player["won"] == 1, player
