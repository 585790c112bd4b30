"""`manage.py up` looks after its disk: warns before it is full, and keeps room for Redis.

A Redis with `appendfsync always` ends when it can't append. So the file that it appends to has
blocks beyond its end, which nobody else can take: when the disk is full, Redis goes on, the site
refuses moves (games/storage.py), and only heartbeats are written until there is room again.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from games import storage
from games.storage import Disk, State

LOOK_EVERY: Final = 0.5
ROOM_FOR_REDIS: Final = 16 << 20
"""Bytes beyond the end of its file: an hour of heartbeats. At most a twentieth of the disk."""
ROOM_TO_START: Final = 1 << 20
"""Redis isn't started again on a disk with less."""
_KEEP_SIZE: Final = 1  # FALLOC_FL_KEEP_SIZE

SENTENCES: Final = {
    State.ROOM: "There is room on the disk again: {free} MB free.",
    State.LOW: "The disk of DATA_DIR is almost full: {free} MB free. "
    "Below {reserve} MB no moves are taken.",
    State.FULL: "The disk of DATA_DIR is full: {free} MB free. "
    "No moves are taken and no matches begin until {reserve} MB are free.",
}


def keep_room(file: Path, room: int) -> bool:
    """Give the file blocks for `room` more bytes, without changing its size. False: there is no
    room, or the file system can't."""
    with file.open("rb+") as opened:
        about = os.fstat(opened.fileno())
        if about.st_blocks * 512 - about.st_size >= room // 2:
            return True
        if sys.platform != "linux":
            return False
        allocate = ctypes.CDLL(None, use_errno=True).fallocate
        allocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
        done: int = allocate(opened.fileno(), _KEEP_SIZE, about.st_size, room)
        return done == 0


def append_only_file(folder: Path) -> Path | None:
    """The file that Redis appends to at present."""
    found = [*folder.glob("appendonlydir/*.incr.aof"), *folder.glob("appendonly.aof")]
    return max(found, key=lambda file: file.stat().st_mtime, default=None)


class DiskWatch:
    def __init__(
        self,
        folder: Path,
        redis_url: str,
        redis_folder: Path | None,
        say: Callable[[str], None],
        database: str = "",
    ) -> None:
        """`redis_folder`: that of a Redis of our own. `database`: a file of SQLite."""
        self._folder = folder
        self._redis_url = redis_url
        self._redis_folder = redis_folder
        self._say = say
        self._database = database
        self._state = State.ROOM
        self._said = State.ROOM

    def has_room_to_start(self) -> bool:
        return storage.disk(self._folder).free >= ROOM_TO_START

    async def run(self) -> None:
        with contextlib.closing(sqlite3.connect(self._database or ":memory:")) as kept_open:
            # The first connection makes files beside the database, and the last one deletes them.
            # While this one is open, others find theirs on a full disk too, and can read.
            kept_open.execute("SELECT count(*) FROM sqlite_master").fetchone()
            while True:
                with contextlib.suppress(OSError):  # a file that is gone already
                    await self.look()
                await asyncio.sleep(LOOK_EVERY)

    async def look(self) -> None:
        disk = storage.disk(self._folder)
        if disk.state is not self._state:
            self._state = disk.state
            await self._changed(disk)
        if self._redis_folder is not None and disk.state is not State.FULL:
            file = append_only_file(self._redis_folder)
            if file is not None:
                keep_room(file, min(ROOM_FOR_REDIS, disk.total // 20))

    async def _changed(self, disk: Disk) -> None:
        free, reserve = disk.free >> 20, disk.reserve >> 20
        # A disk at a limit goes to and fro: between "full" and "room again", "full" is said once.
        if disk.state is State.ROOM or self._said is not State.FULL:
            self._said = disk.state
            self._say(SENTENCES[disk.state].format(free=free, reserve=reserve))
        if self._redis_folder is None:
            return
        # A rewrite begins another file, for which there is no room.
        percentage = 0 if disk.state is State.FULL else 100
        with contextlib.suppress(RedisError, OSError):
            async with Redis.from_url(self._redis_url, socket_timeout=1, retry=None) as client:
                await client.config_set("auto-aof-rewrite-percentage", percentage)
