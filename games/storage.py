"""Room on the disk that has the site's data.

Redis keeps every acknowledged move on it, and ends when it can't write. So the site stops in time:
below the reserve it takes no moves and begins no matches, and goes on by itself once there is room.
"""

from __future__ import annotations

import os
import time
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings

LOOK_EVERY: Final = 0.25
"""Seconds that an answer is good for."""
MOST_WARNED: Final = 1 << 30


class State(Enum):
    ROOM = "up"
    LOW = "low"
    FULL = "full"


class Disk(NamedTuple):
    free: int
    total: int

    @property
    def reserve(self) -> int:
        """Below this the disk counts as full: a tenth of a small one."""
        return min(int(settings.DISK_RESERVE_MB) << 20, self.total // 10)

    @property
    def state(self) -> State:
        if self.free < self.reserve:
            return State.FULL
        warned = max(2 * self.reserve, min(MOST_WARNED, self.total // 20))
        return State.LOW if self.free < warned else State.ROOM


def disk(folder: Path | None = None) -> Disk:
    """The disk that has DATA_DIR, as this user may fill it."""
    found = os.statvfs(folder or settings.DATA_DIR)
    return Disk(found.f_bavail * found.f_frsize, found.f_blocks * found.f_frsize)


def matters() -> bool:
    """Whether moves or results are kept there, and not on other machines."""
    return bool(settings.PRIVATE_REDIS) or "sqlite3" in settings.DATABASES["default"]["ENGINE"]


class NoRoom(Exception):
    """Nothing more should be stored."""


_full, _looked = False, -LOOK_EVERY


def refuse_when_full() -> None:
    """Raises NoRoom. Looks at the disk now: for what is rare and takes more room than a move."""
    if is_full(known_for=0):
        raise NoRoom


def is_full(known_for: float = LOOK_EVERY) -> bool:
    """Whether nothing more should be stored. Cheap enough for every move: an answer is used again
    for `known_for` seconds."""
    global _full, _looked
    now = time.monotonic()
    if now - _looked >= known_for:
        _looked = now
        _full = matters() and disk().state is State.FULL
    return _full
