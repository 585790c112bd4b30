"""A control group (version 2) for a player's processes: the kernel itself holds them to a limit.

Where the machine lets us make groups: in a scope of systemd (docs/security.md), in a container with
groups of its own, or as root. Elsewhere the referee watches the memory (memory.py).
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from functools import cache
from pathlib import Path
from typing import Final

from . import memory

OURS: Final = "referee"
MOST_TASKS: Final = 64
GONE_WITHIN: Final = 2.0


class Group:
    """Of one game's player."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def take(self, root: int) -> None:
        """Put a process and its descendants in. The parent comes first: what it starts later is in
        the group from its beginning, and what it has started is listed by then."""
        moved: set[int] = set()
        while new := [pid for pid in memory.family(root) if pid not in moved]:
            for pid in new:
                with contextlib.suppress(ProcessLookupError):
                    _write(self.folder / "cgroup.procs", str(pid))
                moved.add(pid)

    def has_exceeded(self) -> bool:
        """Has the kernel ended a process of it for its memory?"""
        words = _read(self.folder / "memory.events").split()
        return dict(zip(words[::2], words[1::2], strict=False)).get("oom_kill", "0") != "0"

    def remove(self) -> None:
        """End what is left in it. A group of processes that are ending can't be removed yet."""
        with contextlib.suppress(OSError):
            _write(self.folder / "cgroup.kill", "1")
        deadline = time.monotonic() + GONE_WITHIN
        while time.monotonic() < deadline:
            try:
                self.folder.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)


def new_group(limit: int) -> Group | None:
    """A group whose processes have so many bytes together; None where there can be none."""
    parent = home()
    if parent is None:
        return None
    group = Group(parent / f"player-{secrets.token_hex(8)}")
    try:
        group.folder.mkdir()
        _write(group.folder / "memory.max", str(limit))
        # The process that goes over it ends with all the others: half a player is none.
        _write(group.folder / "memory.oom.group", "1")
        for name, most in {"memory.swap.max": "0", "pids.max": str(MOST_TASKS)}.items():
            if (group.folder / name).exists():
                _write(group.folder / name, most)
    except OSError:
        group.remove()
        return None
    return group


@cache
def home(mounts: str = "/proc/self/mounts", own: str = "/proc/self/cgroup") -> Path | None:
    """The group that may have groups with limits in it; None if there is none."""
    root = next((w[1] for w in map(str.split, _lines(mounts)) if w[2] == "cgroup2"), None)
    name = next((line[3:] for line in _lines(own) if line.startswith("0::")), None)
    if root is None or name is None:
        return None
    here = Path(root) / name.strip("/")
    try:
        if "memory" in _read(here / "cgroup.subtree_control").split():
            return here if os.access(here, os.W_OK) else None
        controllers = _read(here / "cgroup.controllers").split()
        if "memory" not in controllers:
            return None
        # A group with processes can't limit groups in it. If we are alone, we make room.
        if _read(here / "cgroup.procs").split() != [str(os.getpid())]:
            return None
        (here / OURS).mkdir(exist_ok=True)
        _write(here / OURS / "cgroup.procs", str(os.getpid()))
        wanted = [f"+{name}" for name in ("memory", "pids") if name in controllers]
        _write(here / "cgroup.subtree_control", " ".join(wanted))
    except OSError:
        return None
    return here


def _lines(path: str) -> list[str]:
    return _read(Path(path)).splitlines()


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _write(path: Path, text: str) -> None:
    """In one write, as the kernel wants it, to a file that is there."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
