"""Starts a player's process where it can reach nothing but its own file, `lib/` and two pipes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .players import Player

HERE = Path(__file__).resolve().parent
SCRATCH_BYTES = 16 * 1024 * 1024
SCRATCH = "/tmp"  # noqa: S108 - inside the sandbox, in memory, gone with the process
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache")


@dataclass(frozen=True, slots=True)
class Isolation:
    """What is in force, in words."""

    bubblewrap: bool
    text: str


@cache
def isolation() -> Isolation:
    """The best that this machine gives; found out by trying it."""
    limits = "limits on memory, CPU time, files and processes, cleared environment"
    bwrap = shutil.which("bwrap")
    if bwrap is not None:
        trial = subprocess.run(
            [*_bubblewrap([]), _python(), "-I", "-c", "pass"], capture_output=True, check=False
        )
        if trial.returncode == 0:
            return Isolation(True, f"bubblewrap (no network, own files and processes), {limits}")
    probe = subprocess.run(
        [_python(), "-I", str(HERE / "confine.py"), "--probe"], capture_output=True, check=False
    )
    granted = probe.stdout.decode() if probe.returncode == 0 else ""
    return Isolation(False, ", ".join(filter(None, ["separate process", granted, limits])))


def start(player: Player) -> subprocess.Popen[bytes]:
    """The player's process, its standard input and output ours."""
    runner = HERE / ("runner.rb" if player.ruby else "runner.py")
    if player.console:
        raise ValueError("a console player is not isolated")
    if isolation().bubblewrap:
        inside = {
            runner: Path("/run") / runner.name,
            player.path: Path("/player") / player.path.name,
        }
        lib = (
            Path("/player/lib") / player.lib.name
            if _is_package(player.lib)
            else Path("/player/lib")
        )
        inside[player.lib] = lib
        arguments = [str(inside[runner]), str(inside[player.path]), "/player/lib"]
        command = [*_bubblewrap([*inside.items()]), *_interpreter(player), *arguments]
    else:
        lib_root = player.lib.parent if _is_package(player.lib) else player.lib
        paths = [str(p) for p in (runner, player.path, player.lib, *map(Path, _prefixes()))]
        arguments = [str(runner), str(player.path), str(lib_root)]
        confine = [_python(), "-I", str(HERE / "confine.py"), *paths, "--"]
        command = [*confine, *_interpreter(player), *arguments]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        close_fds=True,
        start_new_session=True,
    )


def _is_package(lib: Path) -> bool:
    """A supplied player imports the site's own package by its name."""
    return (lib / "__init__.py").is_file()


def _bubblewrap(bound: list[tuple[Path, Path]]) -> list[str]:
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    command += ["--uid", "65534", "--gid", "65534", "--hostname", "contest", "--cap-drop", "ALL"]
    for path in dict.fromkeys((*SYSTEM, *_prefixes())):
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev"]
    command += ["--size", str(SCRATCH_BYTES), "--tmpfs", SCRATCH, "--chdir", SCRATCH]
    command += ["--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8"]
    for outside, inside in bound:
        command += ["--ro-bind-try", str(outside), str(inside)]
    return [*command, "--remount-ro", "/", "--"]


def _prefixes() -> list[str]:
    """Where the interpreter lives, without the site's own packages."""
    return [str(Path(sys.base_prefix).resolve())]


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
