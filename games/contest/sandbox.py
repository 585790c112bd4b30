"""Starts a player's process where it can reach nothing but its own file, `lib/` and two pipes."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .confine import SCRATCH, SCRATCH_BYTES
from .players import Player

HERE = Path(__file__).resolve().parent
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache")
FIRST_USER = 1_000_000_000
IN_WORDS = {
    "spaces": "no network, own process space",
    "files": "own files",
    "landlock": "files restricted by Landlock",
}


@dataclass(frozen=True, slots=True)
class Isolation:
    """What is in force."""

    text: str
    bubblewrap: bool = False
    steps: tuple[str, ...] = ()
    """Of `confine.py`, where there is no bubblewrap."""
    own_user: bool = False
    """The limit on processes does not hold for root: its players become users that nobody is."""

    @property
    def own_files(self) -> bool:
        return self.bubblewrap or "files" in self.steps


@cache
def isolation() -> Isolation:
    """The best that this machine gives; found out by trying it."""
    root = os.getuid() == 0
    if shutil.which("bwrap") is not None:
        trial = _run([*_bubblewrap({}), _python(), "-I", "-c", "pass"])
        if trial.returncode == 0:
            words = ["bubblewrap (no network, own files and processes)"]
            return Isolation(_in_words(words, root), bubblewrap=True, own_user=root)
    probe = _run(_confine("--probe", {}))
    steps = tuple(step for step in IN_WORDS if step in probe.stdout.decode().strip().split(","))
    own_user = root and ("files" in steps or _is_for_everybody(Path(_python())))
    words = ["separate process", *(IN_WORDS[step] for step in steps)]
    return Isolation(_in_words(words, own_user), steps=steps, own_user=own_user)


def _in_words(words: list[str], own_user: bool) -> str:
    limits = ["limits on memory, CPU time, files and processes", "cleared environment"]
    return ", ".join([*words, *(["own user"] if own_user else []), *limits])


def _is_for_everybody(path: Path) -> bool:
    """Can any user run this?"""
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def _run(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def start(player: Player) -> subprocess.Popen[bytes]:
    """The player's process, its standard input and output ours."""
    if player.console:
        raise ValueError("a console player is not isolated")
    here = isolation()
    runner = HERE / ("runner.rb" if player.ruby else "runner.py")
    # A supplied player imports the site's own package, by its name.
    package = player.lib.name if (player.lib / "__init__.py").is_file() else ""
    inside = {
        runner: Path("/run") / runner.name,
        player.path: Path("/player") / player.path.name,
        player.lib: Path("/player/lib") / package,
    }
    arguments = [inside[runner], inside[player.path], Path("/player/lib")]
    if not here.own_files:
        arguments = [runner, player.path, player.lib.parent if package else player.lib]
        inside = {path: path for path in arguments}
    confined = _bubblewrap(inside) if here.bubblewrap else _confine(",".join(here.steps), inside)
    user = FIRST_USER + secrets.randbelow(1 << 24) if here.own_user else 0
    return subprocess.Popen(
        [*confined, *_interpreter(player), *map(str, arguments), str(user)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        close_fds=True,
        start_new_session=True,
    )


def _bubblewrap(bound: dict[Path, Path]) -> list[str]:
    command = ["bwrap", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    if os.getuid() == 0:
        # No user space, where it would still be root: the runner becomes somebody else.
        command += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_DAC_READ_SEARCH"):
            command += ["--cap-add", capability]
    else:
        command += ["--unshare-all", "--uid", "65534", "--gid", "65534"]
    command += ["--hostname", "contest"]
    bound = _system() | bound
    folders = {folder for path in bound.values() for folder in path.parents}
    for folder in sorted(folders - {Path("/")}):
        command += ["--dir", str(folder)]  # else it would make it for root alone
    command += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    command += ["--perms", "1777", "--size", str(SCRATCH_BYTES), "--tmpfs", SCRATCH]
    command += ["--chdir", SCRATCH]
    command += ["--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8"]
    for outside, inside in bound.items():
        command += ["--ro-bind-try", str(outside), str(inside)]
    return [*command, "--remount-ro", "/", "--"]


def _confine(steps: str, bound: dict[Path, Path]) -> list[str]:
    paths = [str(path) for pair in (_system() | bound).items() for path in pair]
    return [_python(), "-I", str(HERE / "confine.py"), steps, *paths, "--"]


def _system() -> dict[Path, Path]:
    """Where the interpreters live, without the site's own packages."""
    return {path: path for path in map(Path, (*SYSTEM, Path(sys.base_prefix).resolve()))}


def _python() -> str:
    """The interpreter itself, not the virtual environment's: players get the standard library."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = (Path(sys.base_prefix) / "bin" / version, Path(sys.executable).resolve())
    return str(next(path for path in candidates if path.exists()))


def _interpreter(player: Player) -> list[str]:
    if player.ruby:
        ruby = shutil.which("ruby")
        assert ruby is not None
        return [ruby, "--disable=gems"]
    return [_python(), "-I"]
