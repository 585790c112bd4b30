"""Paths of the unix sockets on which the processes of one DATA_DIR reach each other."""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
from pathlib import Path

# A unix socket's address holds 108 bytes on Linux, 104 on macOS, with the closing zero.
LONGEST = 100


def socket_path(data_dir: Path, folder: str, name: str) -> Path:
    """The same path for the same DATA_DIR, always: commands find the running site by it."""
    path = data_dir / folder / name
    if len(os.fsencode(path)) <= LONGEST:
        return path
    return _own_folder(Path(tempfile.gettempdir()), data_dir) / name


def memory_folder(data_dir: Path) -> Path:
    """For files that need not outlive the machine: in memory where there is such a place."""
    shared = Path("/dev/shm")  # noqa: S108 - the folder in it is checked by make_folder
    base = shared if os.access(shared, os.W_OK) else Path(tempfile.gettempdir())
    return _own_folder(base, data_dir)


def _own_folder(base: Path, data_dir: Path) -> Path:
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    return base / f"minesite-{os.getuid()}-{digest}"


def make_folder(socket: Path) -> None:
    """The folder of a socket, which only this user may enter. Raises PermissionError if another
    user has made it: in the temporary folder anybody can."""
    folder = socket.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(errno.EPERM, "it belongs to another user", str(folder))
