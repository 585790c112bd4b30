"""The start of matches whose rules take long to make it: a process beside this one does, once, and
stores it as the match's first snapshot. Every host loads that like any other snapshot."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import msgspec

from games.compute import ComputeError, ComputeProcess
from games.engine.registry import REGISTRY
from games.live import stored_log
from games.live.row import Row, entries_of
from games.live.setup import decode_setup
from games.redis.servers import Servers

FUNCTION: Final = "games.live.match_state:compute_start"
WITHIN: Final = 20.0
NICENESS: Final = 5
"""Players wait for it; but those who play already go first."""
KEPT_SECONDS: Final = 24 * 3600
"""Longer matches have later snapshots."""

logger = logging.getLogger(__name__)


class Starts:
    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._process = ComputeProcess(NICENESS)
        self._making: dict[str, asyncio.Task[bytes | None]] = {}

    def prepare(self, match_id: str, first: Row) -> None:
        """Begin to make the start of a new match, if it takes long."""
        mode = decode_setup(first.commands[0].data).mode
        if mode in REGISTRY and REGISTRY[mode].slow_start and match_id not in self._making:
            task = asyncio.create_task(self._make(match_id, first))
            self._making[match_id] = task
            task.add_done_callback(lambda done: self._making.pop(match_id, None))

    async def snapshot(self, match_id: str, first: Row) -> bytes | None:
        """The start of a match that has no snapshot; None: make it here, it is quick."""
        self.prepare(match_id, first)
        task = self._making.get(match_id)
        return None if task is None else await asyncio.shield(task)

    async def _make(self, match_id: str, first: Row) -> bytes | None:
        entry = msgspec.msgpack.encode(next(entries_of([first])))
        try:
            made = await self._process.call(FUNCTION, entry, WITHIN)
        except ComputeError as error:
            logger.error("match %s: its start is made by its hosts: %s", match_id, error)
            return None
        name = stored_log.match_key(match_id, "snap")
        await self._servers.call("SET", name, made, "NX", "EX", KEPT_SECONDS)
        return made

    async def close(self) -> None:
        making = list(self._making.values())
        for task in making:
            task.cancel()
        await asyncio.gather(*making, return_exceptions=True)
        await self._process.close()
