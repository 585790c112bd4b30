"""Takes the seed out of this process's arguments, where every user of the machine could read it."""

from __future__ import annotations

import contextlib
import ctypes
from pathlib import Path

FIRST, LAST = 47, 48
"""The fields of /proc/self/stat, counted from zero, that hold the addresses of the arguments."""


def hide_argument(value: str) -> None:
    """Overwrite this value wherever it is an argument, alone or behind an equals sign."""
    text = value.encode(errors="surrogateescape")
    if not text:
        return
    with contextlib.suppress(OSError):
        # The name, in parentheses, may contain spaces; it is the second field.
        fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        first, last = int(fields[FIRST - 2]), int(fields[LAST - 2])
        arguments = b"\0" + ctypes.string_at(first, last - first)
        for before in (b"\0", b"="):
            at = arguments.find(before + text + b"\0")
            while at >= 0:
                ctypes.memset(first + at, ord("x"), len(text))
                at = arguments.find(before + text + b"\0", at + 1)
