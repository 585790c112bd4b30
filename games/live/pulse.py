"""The pulse of a process: it tells that it is alive, and hears who is, and of outages.

Every process that hosts matches beats a few times a second. The beat that comes first after a
pause, in which nobody that players connect to has beaten, records an outage. Until a process has
heard this beat's answer its gate is shut, so the outage is in its logs before anything else. See
docs/decisions/outages.md.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import hiredis

from games.live.resp import pack
from games.live.store import SHA, Store

EVERY: Final = 0.4
STALE: Final = 1.2
"""Seconds after which what a beat told is too old to append anything on its word."""
GAP_MS: Final = 1500
"""The site was down when nobody beat for longer than this."""
DEAD_MS: Final = 5000
"""A process that did not beat for longer than this is dead, and its players are dropped."""
CHECK_EVERY: Final = 2.0

KEYS: Final = ("live:{site}:procs", "live:{site}:alive", "live:{site}:outages")

logger = logging.getLogger(__name__)


class Outage(NamedTuple):
    start: int
    end: int


class Pulse:
    def __init__(self, store: Store, serving: bool) -> None:
        self.process = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self.living: frozenset[str] = frozenset()
        self.outages: list[Outage] = []
        self.suspended = True
        """Nobody that players connect to is alive: the clocks of all matches stand still."""
        self.on_outage: Callable[[], None] = lambda: None
        self.on_resume: Callable[[], None] = lambda: None
        self.on_check: Callable[[], None] = lambda: None
        self.started = asyncio.Event()
        self._store = store
        self._serving = serving
        self._loop = asyncio.get_running_loop()
        self._offset = 0.0
        self._sent: float | None = None
        self._answered = self._loop.time()
        self._task: asyncio.Task[None] | None = None
        store.gate.on_shut = self.beat
        store.gate.is_fresh = self.is_fresh

    def start(self) -> None:
        self._task = self._loop.create_task(self._run())

    def now(self) -> int:
        """Redis' clock, as well as it is known here, in milliseconds."""
        return self.at(self._loop.time())

    def at(self, time: float) -> int:
        """The same at some time of the loop."""
        return int(time * 1000 + self._offset)

    def is_fresh(self) -> bool:
        return self._loop.time() - self._answered < STALE

    def beat(self) -> None:
        """Beat now, unless one is on its way."""
        if self._sent is not None:
            return
        self._sent = self._loop.time()
        known = self.outages[-1].end if self.outages else 0
        keys = [self._store.key(name) for name in KEYS]
        serving = "1" if self._serving else "0"
        command = pack(
            "EVALSHA", SHA["beat"], 3, *keys, self.process, serving, GAP_MS, known, DEAD_MS
        )
        self._store.pipe(keys[0]).send(command, self._heard, urgent=True)

    def _heard(self, reply: Any) -> None:
        sent, self._sent = self._sent, None
        if isinstance(reply, hiredis.ReplyError) or sent is None:
            logger.error("cannot beat: %s", reply)
            return
        now, _added, alive, outages, living = reply
        self._answered = sent
        self._offset = now - (sent + self._loop.time()) * 500
        self.living = frozenset(name.decode() for name in living)
        for raw in outages:
            start, end = raw.split(b":")
            self.outages.append(Outage(int(start), int(end)))
        was, self.suspended = self.suspended, not self._serving and now - alive > GAP_MS
        if outages and self.started.is_set():
            logger.warning(
                "the site was away for %d ms",
                sum(o.end - o.start for o in self.outages[-len(outages) :]),
            )
            self.on_outage()
        self._store.gate.open()
        self.started.set()
        if was and not self.suspended:
            self.on_resume()

    async def _run(self) -> None:
        checked = self._loop.time()
        while True:
            self.beat()
            await asyncio.sleep(EVERY)
            if self._loop.time() - checked >= CHECK_EVERY:
                checked = self._loop.time()
                self._store.check()
                if not self.suspended and self.is_fresh():
                    try:
                        self.on_check()
                    except Exception:
                        logger.exception("a regular check failed")

    async def close(self) -> None:
        """Leave: whoever is asked from now on says that this process is not there."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        try:
            async with asyncio.timeout(1):
                await self._store.call("ZREM", KEYS[0], self.process, urgent=True)
        except TimeoutError:
            logger.info("Redis is not there to say good-bye to")
