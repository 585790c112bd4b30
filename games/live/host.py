"""All matches of this process: load, listen, keep time, unload.

Nobody owns a match. A host that dies leaves nothing behind that another one needs: the log is
the match, and the sorted set `live:due` brings the sweeper to those that nobody hosts any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.conf import settings

from games.live.access import Door
from games.live.course import Course
from games.live.departure import Departure
from games.live.log import DUE, Log, key
from games.live.pulse import Pulse
from games.live.replica import Replica
from games.live.resp import pack
from games.live.setup import UnknownRules
from games.live.store import Store
from games.live.turn import Turn

LINGER: Final = 10.0
"""Seconds that a match stays loaded after the last one left."""
LEASE_MS: Final = 10_000
"""The sweeper looks at a match when no host said for this long that it has it."""
RENEW: Final = 3.0
LOOKS: Final = 5
"""In so many checks every match is looked at once: whether others host it too, and then whether
anything of it was missed."""

logger = logging.getLogger(__name__)


class NoSuchMatch(Exception):
    """There is no log of this match in Redis: never was, or it is archived."""


class Host:
    def __init__(
        self, url: str, prefix: str, serving: bool = True, site_url: str | None = None
    ) -> None:
        """`url` is the Redis (or cluster) with the logs, `site_url` the one of everything else.
        `serving`: players connect to this process, so the site is not down while it runs."""
        self.store = Store(url, prefix)
        self.pulse = Pulse(self.store, serving)
        self.door = Door(site_url or url, prefix, self._recheck)
        self.departure = Departure()
        self.turn = Turn()
        self.replicas: dict[str, Replica] = {}
        self._loading: dict[str, asyncio.Task[Replica]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.get_running_loop()
        self._renewed = self._loop.time()
        self._looks = 0
        self._counting: set[str] = set()
        self._closing = False
        self.pulse.on_outage = self._outage
        self.pulse.on_resume = self._resume
        self.pulse.on_check = self._check
        self.store.on_back = self._back
        self._opening = self._loop.create_task(self._open())

    async def _open(self) -> None:
        await self.store.open()
        self.pulse.start()
        await self.pulse.started.wait()
        await self.door.open()

    async def opened(self) -> None:
        """Return when Redis has answered and this process knows what it must know."""
        await asyncio.shield(self._opening)

    # -- loading ---------------------------------------------------------------------------------

    async def join(self, match_id: str) -> Replica:
        """The match in this process; `leave` it afterwards. Raises NoSuchMatch, UnknownRules."""
        replica = self.replicas.get(match_id)
        if replica is None:
            task = self._loading.get(match_id)
            if task is None:
                task = self._loading[match_id] = self._loop.create_task(self._load(match_id))
                task.add_done_callback(lambda done: self._loading.pop(match_id, None))
            replica = await asyncio.shield(task)
        replica.refs += 1
        return replica

    async def _load(self, match_id: str) -> Replica:
        await self.opened()
        log = Log(self.store, match_id)
        first, snapshot = await log.head()
        if first is None:
            raise NoSuchMatch(match_id)
        course = Course(first)
        if snapshot is not None:
            course.restore(snapshot)
        hints: list[bytes] = []
        hear = hints.append
        # First be known as a host and listen, then read: nothing falls between.
        _, hosts = await asyncio.gather(
            self.store.listen(key(match_id, "new"), lambda raw: hear(raw)),
            log.host(self.pulse.process),
        )
        replica = Replica(self, log, course, hosts)
        self.replicas[match_id] = replica
        hear = replica.hint
        for entry in await log.read(course.next):
            replica.receive(entry)
        for raw in hints:
            replica.hint(raw)
        replica.tell_outages(urgent=False)
        replica.alarm.rearm()
        return replica

    def leave(self, replica: Replica, linger: float = LINGER) -> None:
        replica.refs -= 1
        if replica.refs == 0:
            self._loop.call_later(linger, self._unload_if_unused, replica)

    def _unload_if_unused(self, replica: Replica) -> None:
        if replica.refs == 0 and self.replicas.get(replica.id) is replica and not self._closing:
            self.unload(replica)

    def unload(self, replica: Replica) -> None:
        """Forget it here; the sweeper knows when to look after it."""
        del self.replicas[replica.id]
        replica.close()
        self.store.forget(key(replica.id, "new"))
        replica.log.hosted(self.pulse.process, None)
        if replica.over is None and not replica.gone:
            due = replica.alarm.due or self.pulse.now() + 60_000
            self._send("ZADD", DUE, "XX", due, replica.id)

    def _send(self, name: str, key_name: str, *args: str | int) -> None:
        """A command whose answer nobody needs."""
        full = self.store.key(key_name)
        self.store.pipe(full).send(pack(name, full, *args), lambda reply: None)

    # -- what the pulse and the store tell -------------------------------------------------------

    def _outage(self) -> None:
        for replica in list(self.replicas.values()):
            replica.tell_outages()

    def _resume(self) -> None:
        for replica in list(self.replicas.values()):
            replica.alarm.rearm()

    def _back(self) -> None:
        """Messages may have been lost: look at every log."""
        for replica in list(self.replicas.values()):
            replica.heal()

    def _recheck(self) -> None:
        self.spawn(self.door.recheck())

    def _check(self) -> None:
        self.door.check()
        now, clock = self._loop.time(), self.pulse.now()
        replicas = list(self.replicas.values())
        for replica in replicas:
            if replica.over is None:
                replica.seatings.drop_the_dead(self.pulse.living, clock)
        if now - self._renewed >= RENEW:
            self._renewed = now
            leases: list[str | int] = []
            for replica in replicas:
                if replica.over is None:
                    leases += [clock + LEASE_MS, replica.id]
            if leases:
                self._send("ZADD", DUE, "XX", *leases)
        # A part at a time, so that Redis is not kept from other work.
        self._looks += 1
        for replica in replicas[self._looks % LOOKS :: LOOKS]:
            if replica.over is None:
                replica.look()

    # -- the end of a match ----------------------------------------------------------------------

    def is_over(self, replica: Replica, own: bool) -> None:
        """Whoever wrote the last entry archives; the sweeper is there if that fails."""
        if own:
            self.spawn(self.finish(replica))

    async def finish(self, replica: Replica) -> None:
        from games.live.archive import archive

        await archive(replica.id, replica.log)

    # -- spectators ------------------------------------------------------------------------------

    def watchers_changed(self, replica: Replica) -> None:
        """Spectators came or went here: everybody should know, not more than once a second."""
        if replica.id not in self._counting:
            self._counting.add(replica.id)
            self._loop.call_later(1.0, self._tell_watchers, replica)

    def _tell_watchers(self, replica: Replica) -> None:
        self._counting.discard(replica.id)
        if self.replicas.get(replica.id) is not replica:
            return
        replica.log.hosted(self.pulse.process, replica.audience.number(None))
        if replica.shared:
            self.store.tell(key(replica.id, "new"), b"w")
        else:
            self.count_watchers(replica)

    def count_watchers(self, replica: Replica) -> None:
        async def count() -> None:
            numbers = await self.store.call("HVALS", key(replica.id, "hosts"))
            replica.set_watchers(sum(int(number) for number in numbers))

        self.spawn(count())

    # -- life ------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("background work failed", exc_info=error)

    async def depart(self) -> None:
        """Send all sockets to other processes; the first step of a stop."""
        await self.departure.depart(self.store.answered)

    async def close(self) -> None:
        """Leave in order: seats are dropped, matches handed to whoever comes next."""
        for replica in list(self.replicas.values()):
            replica.seatings.stand_all()
            self.unload(replica)
        self._closing = True
        self._opening.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=3)
        if self.pulse.started.is_set():
            await self.pulse.close()
        await self.door.close()
        await self.store.close()


_hosts: WeakKeyDictionary[asyncio.AbstractEventLoop, Host] = WeakKeyDictionary()


def host(serving: bool = True) -> Host:
    """The host of the running event loop; made at the first call, ended by `close()`."""
    loop = asyncio.get_running_loop()
    found = _hosts.get(loop)
    if found is None:
        found = _hosts[loop] = Host(
            settings.LIVE_REDIS_URL, settings.REDIS_PREFIX, serving, settings.REDIS_URL
        )
    return found


async def close() -> None:
    """End the running loop's host, if there is one."""
    found = _hosts.pop(asyncio.get_running_loop(), None)
    if found is not None:
        await found.close()


__all__ = ["Host", "NoSuchMatch", "UnknownRules", "close", "host"]
