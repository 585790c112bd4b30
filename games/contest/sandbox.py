"""Starts a player's process: in bubblewrap, or as an ordinary process if it is trusted."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from django.conf import settings

from . import memory, syscalls
from .cgroup import Group
from .players import CannotTakePart, Player
from .staging import is_for_everybody, runner_of

SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache")
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
"""Not /dev/zero: to map it is another way to shared memory (see syscalls.py)."""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
NOBODY = "65534"


@cache
def missing() -> str:
    """The reason why players can't be isolated on this machine, found by trying; empty if they
    can."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed"
    if not syscalls.is_known():
        return f"there is no filter of system calls for {os.uname().machine}"
    if not memory.can_watch():
        return "this kernel does not list the children of a process"
    python = find_python(sandboxed=True)
    if python is None:
        return "there is no Python that every user of this machine can run"
    user = int(NOBODY) if os.getuid() == 0 else None
    try:
        with _bubblewrap({}, user) as sandbox:
            trial = sandbox.start([str(python), "-I", "-c", "pass"], stderr=subprocess.PIPE)
            complaint = trial.communicate()[1].decode(errors="replace").strip()
    except OSError as error:
        return f"bubblewrap does not start ({error.strerror})"
    return "" if trial.returncode == 0 else f"bubblewrap does not work here ({complaint[:300]})"


def require(players: list[Player]) -> None:
    """Raises CannotTakePart if one of them needs a sandbox and there is none."""
    for player in players:
        if not player.trusted and missing():
            raise CannotTakePart(
                "no_sandbox",
                f"{player.shown} can't be isolated: {missing()}. Install bubblewrap 0.8 or newer "
                "(apt install bubblewrap), or run players that you trust with --trust",
            )


def start(player: Player, group: Group | None = None) -> subprocess.Popen[bytes]:
    """The player's process, its standard input and output ours. A player without trust is one that
    `staged` copied; it is in the group before its code runs."""
    if player.trusted:
        runner, file, lib = runner_of(player), player.path, player.lib
        command = [*_interpreter(player), str(runner), "trusted", str(file), str(lib)]
        return _Launch((), None, ()).start(command)
    copy = player.path.parents[1]
    bound = {copy / "run": Path("/run"), copy / "player": Path("/player")}
    inside = [f"/run/{runner_of(player).name}", "sandboxed", f"/player/{player.path.name}"]
    owner = copy.stat().st_uid
    with (
        _bubblewrap(bound, None if owner == os.getuid() else owner) as sandbox,
        _barrier() as (waiting, let_go),
    ):
        held = replace(
            sandbox,
            before=(*sandbox.before[:-1], "--block-fd", str(waiting), "--"),
            descriptors=(*sandbox.descriptors, waiting),
        )
        process = held.start([*_interpreter(player), *inside, "/player/lib"])
        if group is not None:
            group.take(process.pid)
        os.write(let_go, b"1")
        return process


@contextlib.contextmanager
def _barrier() -> Iterator[tuple[int, int]]:
    """Two descriptors: who reads the first one waits for a word on the second."""
    reading, writing = os.pipe()
    try:
        yield reading, writing
    finally:
        os.close(reading)
        os.close(writing)


@dataclass(frozen=True, slots=True)
class _Launch:
    before: tuple[str, ...]
    user: int | None
    descriptors: tuple[int, ...]

    def start(
        self, command: list[str], stderr: int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*self.before, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=ENVIRONMENT,
            cwd="/",
            pass_fds=self.descriptors,
            start_new_session=True,
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
        )


@contextlib.contextmanager
def _bubblewrap(bound: dict[Path, Path], user: int | None) -> Iterator[_Launch]:
    """bubblewrap with these folders and files, {outside: inside}, and the system's, all read-only:
    there is no place to write to, and no /proc."""
    if os.getuid() == 0 and not user:
        raise ValueError("a player never runs as root")
    command = [shutil.which("bwrap") or "bwrap", "--die-with-parent", "--new-session", "--clearenv"]
    command += ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    command += ["--uid", NOBODY, "--gid", NOBODY, "--hostname", "contest"]
    for name, value in ENVIRONMENT.items():
        command += ["--setenv", name, value]
    system = [path for path in (*map(Path, SYSTEM), *_prefix()) if path.exists()]
    for outside, inside in ({path: path for path in system} | bound).items():
        command += ["--ro-bind", str(outside), str(inside)]
    for device in DEVICES:
        command += ["--dev-bind", device, device]
    for folder in _own_folders(system) if user is None else ():
        command += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    reading, writing = os.pipe()
    try:
        with open(writing, "wb") as pipe:
            pipe.write(syscalls.build_filter())
        command += ["--seccomp", str(reading), "--remount-ro", "/", "--"]
        yield _Launch(tuple(command), user, (reading,))
    finally:
        os.close(reading)


def _prefix() -> list[Path]:
    """The folder of an interpreter that is not the system's."""
    python = find_python(sandboxed=True)
    return [] if python is None or python.parents[1] == Path("/") else [python.parents[1]]


def _own_folders(shown: list[Path]) -> list[Path]:
    """The site's folders that lie in what players see, such as /usr/src/app."""
    base, data = Path(settings.BASE_DIR).resolve(), Path(settings.DATA_DIR).resolve()
    own = [base] if data.is_relative_to(base) else [base, data]
    return [folder for folder in own if any(folder.is_relative_to(path) for path in shown)]


@cache
def find_python(sandboxed: bool) -> Path | None:
    """The interpreter itself, not the virtual environment's: players get the standard library.

    One that only root can reach, as in its home, is of no use to the user that a player of root
    becomes; the system's takes its place."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [Path(sys.base_prefix) / "bin" / version, Path(sys.executable)]
    if sandboxed and os.getuid() == 0:
        candidates += [Path(folder) / "python3" for folder in ENVIRONMENT["PATH"].split(":")]
        candidates = [path for path in candidates if is_for_everybody(path.resolve())]
    return next((path.resolve() for path in candidates if path.is_file()), None)


def _interpreter(player: Player) -> list[str]:
    if player.ruby:
        return [shutil.which("ruby") or "ruby", "--disable=gems"]
    return [str(find_python(not player.trusted)), "-I"]
