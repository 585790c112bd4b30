"""`manage.py manager` with real programs over real pipes and sockets."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[2]


def manager(*arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "manager", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def ai(tmp_path: Path, source: str) -> list[str]:
    file = tmp_path / "ai.py"
    file.write_text(source)
    return ["--", sys.executable, str(file)]


OPENER = """
import sys
print("START --mines-spawning-rate 0", flush=True)
print("PICK 0,0", flush=True)
"""


def test_a_series_in_json_and_nothing_else_on_standard_output(tmp_path):
    source = (
        OPENER
        + "for line in sys.stdin:\n if line.startswith('END'):\n  "
        + ("print('START --mines-spawning-rate 0\\nPICK 0,0', flush=True)\n")
    )
    run = manager("--games", "5", "--seed", "s", "--json", *ai(tmp_path, source))
    assert run.returncode == 0, run.stderr
    figures = json.loads(run.stdout)
    assert set(figures) == {"games", "won", "lost", "mean_discovery", "seconds_per_pick"}
    assert (figures["games"], figures["won"], figures["lost"]) == (5, 5, 0)
    assert figures["mean_discovery"] == 100


def test_without_games_one_process_plays_until_it_exits(tmp_path):
    source = OPENER + "sys.stdin.readline()\n"
    run = manager("--json", *ai(tmp_path, source))
    assert json.loads(run.stdout)["games"] == 1


def test_an_ai_that_does_not_hear_the_answers_has_its_commands_counted(tmp_path):
    game = "START --mines-spawning-rate 0\\nPICK 0,0\\n"
    source = f"import os\nos.close(0)\nprint('{game}{game}')\n"
    run = manager("--json", *ai(tmp_path, source))
    assert json.loads(run.stdout)["won"] == 2, run.stdout + run.stderr


def test_same_seed_same_boards(tmp_path):
    source = """
import sys
print("START --mines-spawning-rate 0.05", flush=True)
for n in range(100):
    print(f"PICK {n % 10},{n // 10}", flush=True)
for line in sys.stdin:
    sys.stderr.write(line)
    if line.startswith("END"):
        break
"""
    runs = [manager("--seed", seed, *ai(tmp_path, source)).stderr for seed in ("a", "a", "b")]
    assert "END" in runs[0]
    assert runs[0] == runs[1] != runs[2]


def test_an_ai_that_exits_in_a_game_loses_it_and_is_started_again(tmp_path):
    run = manager("--games", "3", "--json", *ai(tmp_path, "print('START', flush=True)"))
    assert json.loads(run.stdout) == {
        "games": 3, "won": 0, "lost": 3, "mean_discovery": 0, "seconds_per_pick": 0,
    }  # fmt: skip
    assert run.returncode == 0


def test_an_ai_that_hangs_is_ended_with_its_children(tmp_path):
    mark = tmp_path / "child"
    source = f"""
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({str(mark)!r}, "w").write(str(child.pid))
print("START", flush=True)
time.sleep(600)
"""
    run = manager("--games", "1", "--timeout", "0.5", *ai(tmp_path, source))
    assert "did not answer in time" in run.stdout
    deadline = time.monotonic() + 10
    while _alive(int(mark.read_text())):
        assert time.monotonic() < deadline


@pytest.mark.parametrize(
    "flood",
    ["sys.stdout.write('x' * 100000)", "print('NOISE\\n' * 100)", "print('START\\n' * 100)"],
    ids=["line", "lines", "starts"],
)
def test_an_ai_that_floods_is_ended(tmp_path, flood):
    source = (
        "import sys, threading\nthreading.Thread(target=sys.stdin.read).start()\n"
        f"print('START')\nwhile True: {flood}\n"
    )
    run = manager("--games", "1", *ai(tmp_path, source))
    assert run.returncode == 0
    assert "lost because the AI flooded" in run.stdout


@pytest.mark.parametrize(
    "arguments",
    [[], ["--games", "0", "--", "true"], ["--timeout", "-1", "--", "true"],
     ["--hidden", "ab", "--", "true"], ["--tcp", "nowhere"], ["--", "/no/such/program"],
     ["--tcp", "127.0.0.1:1", "--", "true"]],
)  # fmt: skip
def test_wrong_options_are_one_clear_sentence(arguments):
    with pytest.raises(CommandError):
        call_command("manager", *arguments)


def test_tcp_serves_one_ai_per_connection():
    process = subprocess.Popen(
        [sys.executable, "manage.py", "manager", "--tcp", "127.0.0.1:0", "--json", "--games", "1"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        said = process.stderr.readline()
        port = int(said.split(":")[1].split(";")[0])
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as sock:
                sock.sendall(b"START --mines-spawning-rate 0\rPICK 0,0\r\n")
                assert sock.makefile().read().endswith("END 100%\n")
        figures = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert [f["won"] for f in figures] == [1, 1]
    finally:
        process.terminate()
        process.communicate(timeout=10)


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    except ProcessLookupError:
        return False
    return state != "Z" and os.path.exists(f"/proc/{pid}")
