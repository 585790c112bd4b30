"""The memory of a process and of all that descend from it."""

from __future__ import annotations

import contextlib
import os
import re

RESIDENT = re.compile(rb"^Vm(?:RSS|Swap):\s+(\d+) kB", re.MULTILINE)
PAGE_TABLES = re.compile(rb"^VmPTE:\s+(\d+) kB", re.MULTILINE)
ADDRESS_SPACE = re.compile(rb"^VmSize:\s+(\d+) kB", re.MULTILINE)
ADDRESSES_PER_RECORD = 16
"""Every page of address space can be a mapping of its own, and cost the kernel 256 bytes."""
SHARE = re.compile(rb"^(?:Pss|SwapPss):\s+(\d+) kB", re.MULTILINE)


def can_watch() -> bool:
    return os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children")


def family(root: int) -> list[int]:
    """A process and its descendants, parents first."""
    found = [root]
    for pid in found:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    return found


def exceeds(limit: int, root: int) -> bool:
    """Does the family hold more than this many bytes, with what the kernel keeps about them?

    What each process has resident is quick to read, but counts shared pages again and again; only
    if that is too much, each process's share of its pages is added up instead."""
    limit //= 1024
    pids = family(root)
    status = {pid: _read(f"/proc/{pid}/status") for pid in pids}
    for text in status.values():
        limit -= _kilobytes(text, PAGE_TABLES)
        limit -= _kilobytes(text, ADDRESS_SPACE) // ADDRESSES_PER_RECORD
    resident = {pid: _kilobytes(text, RESIDENT) for pid, text in status.items()}
    if sum(resident.values()) <= limit:
        return False
    for pid in pids:
        share = _kilobytes(_read(f"/proc/{pid}/smaps_rollup"), SHARE)
        resident[pid] = min(resident[pid], share or resident[pid])
    return sum(resident.values()) > limit


def _kilobytes(text: bytes, lines: re.Pattern[bytes]) -> int:
    return sum(map(int, lines.findall(text)))


def _read(path: str) -> bytes:
    """Empty if the process is gone."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
