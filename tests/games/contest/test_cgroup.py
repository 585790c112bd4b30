"""Control groups: the kernel's own where a machine has them, and a folder that looks like one."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from games.contest import cgroup
from games.contest.cgroup import Group
from games.contest.link import TOO_MUCH_MEMORY, Link, PlayerFailed
from games.contest.memory import family
from games.contest.players import find
from games.contest.sandbox import start
from games.contest.series import Rules, play_all
from games.contest.staging import staged
from tests.games.contest.command import isolated
from tests.running_site import wait_for

GREEDY = """
import os, time
class GreedyPlayer:
    name = "greedy"
    def take_turn(self, state):
        for _ in range(8):
            if os.fork() == 0:
                held = bytearray(b"x") * (100 << 20)
                time.sleep(600)
        time.sleep(600)
"""
EARLY = """
class EarlyPlayer:
    name = "early"
    def take_turn(self, state): return 0, 0
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files that the kernel has for a group in which this process is alone."""
    here = tmp_path / "fs" / "scope"
    (here / cgroup.OURS).mkdir(parents=True)
    (here / "cgroup.controllers").write_text("cpu memory pids\n")
    (here / "cgroup.subtree_control").write_text("")
    (here / "cgroup.procs").write_text(f"{os.getpid()}\n")
    (here / cgroup.OURS / "cgroup.procs").write_text("")
    (tmp_path / "mounts").write_text(
        f"tmpfs /run tmpfs rw 0 0\ncgroup2 {tmp_path / 'fs'} cgroup2 rw 0 0\n"
    )
    (tmp_path / "own").write_text("1:cpu:/other\n0::/scope\n")
    return tmp_path


def home(tree: Path) -> Path | None:
    return cgroup.home(str(tree / "mounts"), str(tree / "own"))


def test_the_referee_makes_room_for_groups_when_it_is_alone(tree: Path) -> None:
    here = tree / "fs" / "scope"
    assert home(tree) == here
    assert (here / cgroup.OURS / "cgroup.procs").read_text() == str(os.getpid())
    assert (here / "cgroup.subtree_control").read_text() == "+memory +pids"


def test_nobody_else_is_moved(tree: Path) -> None:
    here = tree / "fs" / "scope"
    (here / "cgroup.procs").write_text(f"{os.getpid()}\n1\n")
    assert home(tree) is None
    assert (here / "cgroup.subtree_control").read_text() == ""
    assert (here / cgroup.OURS / "cgroup.procs").read_text() == ""


@pytest.mark.parametrize("missing", ["mounts", "own", "fs/scope/cgroup.controllers"])
def test_without_groups_there_is_none(tree: Path, missing: str) -> None:
    (tree / missing).write_text("")
    assert home(tree) is None


def test_a_group_that_took_too_much_says_so(tmp_path: Path) -> None:
    group = Group(tmp_path)
    assert not group.has_exceeded()
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 3\noom 1\noom_kill 0\n")
    assert not group.has_exceeded()
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\n")
    assert group.has_exceeded()


class Noting(Group):
    """Notes who is put into it, slowly."""

    taken: list[int]

    def take(self, root: int) -> None:
        time.sleep(0.3)
        self.taken = family(root)


@isolated
def test_a_player_is_in_its_group_before_its_code_runs(tmp_path: Path) -> None:
    (tmp_path / "early.py").write_text(EARLY)
    group = Noting(tmp_path)
    with staged(find(str(tmp_path / "early.py"))) as player:
        process = start(player, group)
        try:
            # bubblewrap, and what becomes the first process inside: no player yet.
            assert group.taken[0] == process.pid
            assert len(group.taken) <= 2
            wait_for(lambda: len(family(process.pid)) == 3, what="the player's process")
        finally:
            Link(process).close()


@isolated
def test_the_kernel_ends_a_player_that_takes_too_much(tmp_path: Path) -> None:
    if cgroup.home() is None:
        pytest.skip("this machine lets us make no control groups")
    path = tmp_path / "greedy.py"
    path.write_text(GREEDY)
    (record,) = play_all(
        [find(str(path))], Rules(mines=0, turn_timeout=20), bytes(32), lambda _: None
    )
    (game,) = record.games
    assert game.reason == TOO_MUCH_MEMORY
    parent = cgroup.home()
    assert parent is not None
    assert not list(parent.glob("player-*"))


def test_the_reason_of_a_lost_game_is_the_memory(tmp_path: Path) -> None:
    (tmp_path / "memory.events").write_text("oom_kill 1\n")
    process = subprocess.Popen(["true"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    link = Link(process, sandboxed=False, group=Group(tmp_path / "gone"))
    other = subprocess.Popen(["true"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    limited = Link(other, sandboxed=False, group=Group(tmp_path))
    try:
        with pytest.raises(PlayerFailed, match="its process ended"):
            link.ask(None, 10)
        with pytest.raises(PlayerFailed, match=TOO_MUCH_MEMORY):
            limited.ask(None, 10)
    finally:
        link.close()
        (tmp_path / "memory.events").unlink()
        limited.close()
