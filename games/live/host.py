"""All matches of this process: load, keep in step with the log, unload.

Nobody owns a match. A process that dies leaves nothing behind that another one needs: the log is
the match, and the sorted set `live:due` brings the sweeper to those that no process hosts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.conf import settings

from games.access import OpenSockets
from games.live import ends, stored_log
from games.live.broadcast import Outbox
from games.live.drain import Drain
from games.live.heartbeat import Heartbeat, Heartbeats
from games.live.hints import Hints, Spectators
from games.live.log import Writer
from games.live.match_state import MatchState
from games.live.replica import Replica
from games.live.row import Row, entries_of
from games.live.setup import UnknownRules
from games.live.slow_start import Starts
from games.live.withholding import delay_of
from games.push.turns import call_to_turn
from games.redis import key
from games.redis.node import Node
from games.redis.servers import Servers, slot
from games.redis.subscriber import Subscriber
from games.redis.wire import Address

RENAMED: Final = "live:renamed"
"""Channel: the ids of archived matches, with commas between, in which a player's name has changed
because the account was deleted. From then on only the archive tells of them."""
DUE: Final = "live:due"
"""Sorted set of the running matches: when the sweeper should look after each."""
LINGER: Final = 10.0
"""Seconds that a match stays loaded after its last user left."""
LEASE_MS: Final = 10_000
"""The sweeper looks after a match when no host has renewed its time for this long."""
CHECK_EVERY: Final = 2.0
LOOKS: Final = 5
"""In so many checks every quiet match is compared with its log once."""
FIRST_LOOK_MS: Final = 10_000
"""A new match that nobody joined is looked after this much later."""

logger = logging.getLogger(__name__)


class NoSuchMatch(Exception):
    """There is no log of this match in Redis: there never was, or it is archived."""


class Host:
    def __init__(self, url: str, site_url: str, serving: bool = True) -> None:
        """`url` leads to the logs, `site_url` to the Redis of everything else. `serving`: players
        connect to this process, so the site is up while it runs."""
        self.outbox = Outbox()
        self.servers = Servers(url, self._connected, self._answered)
        site = Address.from_url(site_url)
        self.site = Node(_always(site))
        self.heartbeats = Heartbeats(
            self.servers,
            site,
            url == site_url,
            serving,
            self._back_in_touch,
            self._outage,
            self._resume,
        )
        self.process = self.heartbeats.process.id
        self.sockets = OpenSockets(self._recheck_access)
        self.drain = Drain()
        self.replicas: dict[str, Replica] = {}
        self._hints = Hints(
            self.process,
            self.site,
            lambda: self.heartbeats.living,
            self._row,
            self._spectators,
            self._archived,
        )
        self._subscriber = Subscriber(site, self._missed_messages)
        self._writer = Writer(
            self.servers,
            self.heartbeats.of,
            self._hints.publish,
            settings.LIVE_ACK_REPLICAS,
        )
        self.spectators = Spectators(
            self.process,
            self.servers,
            self._hints,
            lambda: self.heartbeats.living,
            lambda replica: self.replicas.get(replica.id) is replica,
        )
        self.starts = Starts(self.servers)
        self._loading: dict[str, asyncio.Task[Replica]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.get_running_loop()
        self._checks = 0
        self._closing = False
        self._opening = self._loop.create_task(self._open())

    async def _open(self) -> None:
        await self.servers.open()
        await self.heartbeats.site.started.wait()
        await self._hints.open(self._subscriber)
        await self.sockets.open(self._subscriber)
        await self._subscriber.listen(key(RENAMED), self._renamed)
        self._loop.call_later(CHECK_EVERY, self._check)

    async def opened(self) -> None:
        """Return when Redis has answered and this process knows what it must know."""
        await asyncio.shield(self._opening)

    @property
    def heartbeat(self) -> Heartbeat:
        """The heartbeat on the site's Redis, whose clock is the site's."""
        return self.heartbeats.site

    def is_reachable(self, match_id: str) -> bool:
        """Whether the log of this match can be read and written now."""
        number = slot(stored_log.match_key(match_id, "log"))
        return self.servers.node(number).is_up and self.heartbeats.of(number).is_fresh()

    # -- loading ---------------------------------------------------------------------------------

    async def create(self, match_id: str, setup: bytes) -> Row:
        """Write the set-up of a new match, and return the one that is in the log now."""
        await self.opened()
        log = stored_log.match_key(match_id, "log")
        heartbeat = self.heartbeats.of(slot(log))
        await heartbeat.started.wait()
        now = heartbeat.now()
        while True:
            row = await stored_log.create(self.servers, match_id, self.process, now, setup)
            await self._writer.confirm(log)
            if await stored_log.exists(self.servers, match_id):
                break  # otherwise a fail-over lost it before a replica had it
        look_at = self.heartbeat.now() + FIRST_LOOK_MS
        await self.site.call("ZADD", key(DUE), "NX", look_at, match_id)
        self.starts.prepare(match_id, row)
        return row

    async def join(self, match_id: str) -> Replica:
        """The match in this process; `leave` it afterwards. Raises NoSuchMatch, UnknownRules."""
        replica = self.replicas.get(match_id)
        if replica is not None and replica.gone:
            raise NoSuchMatch(match_id)
        if replica is None:
            task = self._loading.get(match_id)
            if task is None:
                task = self._loading[match_id] = self._loop.create_task(self._load(match_id))
                task.add_done_callback(lambda done: self._loading.pop(match_id, None))
            replica = await asyncio.shield(task)
            replica.refs += 1
        else:
            replica.refs += 1
            if self.process not in replica.log.proposer.hosts and not replica.has_last_row:
                try:
                    await replica.log.refresh()  # nobody publishes to us yet
                except BaseException:
                    self.leave(replica)
                    raise
        return replica

    async def _load(self, match_id: str) -> Replica:
        await self.opened()
        first, snapshot = await asyncio.gather(
            stored_log.first_row(self.servers, match_id),
            stored_log.snapshot(self.servers, match_id),
        )
        if first is None:
            raise NoSuchMatch(match_id)
        state = MatchState(next(entries_of([first])), begins=False)
        number, time, hosts = first.number, first.time, set[str]()
        if snapshot is None:
            snapshot = await self.starts.snapshot(match_id, first)
        if snapshot is not None and (restored := state.restore(snapshot)) is not None:
            number, time, hosts = restored.row, restored.t, set(restored.hosts)
            if number > first.number and delay_of(state):
                # Spectators see an earlier state than this one: begin at the beginning.
                state = MatchState(next(entries_of([first])), begins=False)
                number, time, hosts = first.number, first.time, set[str]()
                state.begin()
        else:
            state.begin()
        log = stored_log.match_key(match_id, "log")
        connection = self._connection_to(log)
        rows = await stored_log.read_rows(self.servers, match_id, number + 1)
        await self._writer.confirm(log)
        replica = Replica(match_id, state, self._writer, self.heartbeats, self)
        replica.log.proposer.resume(number, time, hosts)
        replica.log.proposer.read(number + 1, rows)
        self.replicas[match_id] = replica
        if self._connection_to(log) != connection:
            replica.log.broke()  # the server that it leads to now may lack rows
        replica.enter_outages()
        replica.arm()
        # In case that everybody who asked for it has gone meanwhile.
        self._loop.call_later(LINGER, self._leave_if_unused, replica)
        return replica

    def _connection_to(self, log_key: str) -> tuple[Node, int]:
        """Stands for the present connection to the server that has this log."""
        node = self.servers.node(slot(log_key))
        return node, node.connections

    def leave(self, replica: Replica, linger: float = LINGER) -> None:
        replica.refs -= 1
        if replica.refs == 0:
            self._loop.call_later(linger, self._leave_if_unused, replica)

    def _leave_if_unused(self, replica: Replica) -> None:
        if replica.refs == 0 and self.replicas.get(replica.id) is replica and not self._closing:
            self.spawn(self._leave(replica))

    async def _leave(self, replica: Replica) -> None:
        """Say in the log that this process goes, then forget the match."""
        replica.leave()
        await replica.log.idle()
        if replica.refs == 0 and self.replicas.get(replica.id) is replica:
            self._unload(replica)

    def _unload(self, replica: Replica) -> None:
        """Forget it here; the sweeper knows when to look after it."""
        del self.replicas[replica.id]
        replica.log.send("HDEL", "watchers", self.process)
        replica.close()
        if not replica.has_last_row and not replica.gone:
            due = replica.timer.due or self.heartbeat.now() + 60_000
            self.spawn(self.site.call("ZADD", key(DUE), "XX", due, replica.id))

    def rebuild(self, replica: Replica) -> None:
        """Called by a replica whose state can't go on."""
        self.spawn(self._rebuild(replica))

    async def _rebuild(self, replica: Replica) -> None:
        rows = await stored_log.read_rows(self.servers, replica.id)
        if rows:
            replica.rebuilt(rows)
        else:
            replica.lost()

    # -- the end of a match ----------------------------------------------------------------------

    def ended(self, replica: Replica) -> None:
        """Called by a replica whose last row this process stored."""
        assert replica.over is not None
        self.spawn(ends.announce(replica.id, replica.over))

    def turn_of_absent(self, replica: Replica, seat: int) -> None:
        """Called by a replica: notify the player, who has no page of the match open."""
        who = replica.state.setup.seats[seat]
        if who.user_id is not None and who.kind != "house":
            self.spawn(call_to_turn(who.user_id, replica.id, replica.state.setup.mode))

    def archived(self, match_id: str, hosts: set[str]) -> None:
        """This process stored the match in the database: notify clients that still show it."""
        self._archived(match_id)
        self._hints.publish_archived(match_id, hosts - {self.process})

    def _renamed(self, raw: bytes) -> None:
        for match_id in raw.decode().split(","):
            replica = self.replicas.get(match_id)
            if replica is not None and replica.over is not None:
                replica.lost()
            self.spawn(stored_log.delete(self.servers, match_id))

    def _archived(self, match_id: str) -> None:
        replica = self.replicas.get(match_id)
        if replica is not None:
            replica.archived()

    # -- what the heartbeat, Redis and other processes say -----------------------------------------

    def _connected(self, node: Node) -> None:
        """A new connection: it may lead to a server that has lost rows, and it may have been an
        outage."""
        self.heartbeats.expire(node)
        self._writer.go_on()
        for replica in self._replicas_on(node):
            replica.log.broke()

    def _answered(self) -> None:
        """Replies of a server that came together have been handled."""
        self.outbox.flush()
        self._writer.go_on()

    def _replicas_on(self, node: Node) -> list[Replica]:
        return [r for r in self.replicas.values() if self.servers.node(r.log.slot) is node]

    def _back_in_touch(self, node: Node) -> None:
        """Heartbeats are answered again. Others may have taken this process for dead, and not
        published anything to it."""
        for replica in self._replicas_on(node):
            replica.log.look()
        self._writer.flush()

    def _outage(self, node: Node) -> None:
        for replica in self._replicas_on(node):
            replica.enter_outages()

    def _resume(self, node: Node) -> None:
        for replica in self._replicas_on(node):
            replica.timer.rearm()

    def _row(self, match_id: str, row: Row) -> None:
        replica = self.replicas.get(match_id)
        if replica is not None:
            replica.log.hint(row)

    def _spectators(self, match_id: str) -> None:
        replica = self.replicas.get(match_id)
        if replica is not None:
            self.spectators.count(replica)

    def _missed_messages(self) -> None:
        """The subscriber lost its connection for a while."""
        self.sockets.missed()
        for replica in list(self.replicas.values()):
            replica.log.look()

    def _recheck_access(self) -> None:
        self.spawn(self.sockets.recheck())

    def _check(self) -> None:
        """Every two seconds."""
        if self._closing:
            return
        self._loop.call_later(CHECK_EVERY, self._check)
        self.servers.check()
        self.site.check()
        self._subscriber.check()
        self.heartbeats.check()
        now, living, leases = self.heartbeat.now(), self.heartbeats.living, list[str | int]()
        self._checks += 1
        for number, replica in enumerate(list(self.replicas.values())):
            heartbeat = replica.heartbeat
            if replica.over is not None or heartbeat.suspended or not heartbeat.is_fresh():
                continue
            replica.seats.drop_dead(living, heartbeat.now())
            leases += [now + LEASE_MS, replica.id]
            # A part of them at a time, and all that others write to. A proposal is a look, too.
            proposer = replica.log.proposer
            others = proposer.others & living
            if proposer.is_idle and (others or (number + self._checks) % LOOKS == 0):
                replica.log.look()
        if leases and self.site.is_up:
            self.spawn(self.site.call("ZADD", key(DUE), "XX", *leases))

    # -- life ------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = self._loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("background work failed", exc_info=error)

    async def answered(self) -> None:
        """Return when every command has its result."""
        await asyncio.gather(*(replica.log.idle() for replica in self.replicas.values()))

    async def move_sockets(self) -> None:
        """The first step of a stop."""
        await self.drain.run(self.answered)

    async def close(self) -> None:
        """Drop the seats of this process and leave the matches to others."""
        for replica in list(self.replicas.values()):
            replica.seats.give_up_all()
            replica.leave()
        try:
            async with asyncio.timeout(1):
                await self.answered()
        except TimeoutError:
            logger.info("Redis doesn't answer; others will find the seats empty")
        for replica in list(self.replicas.values()):
            self._unload(replica)
        self._closing = True
        self._opening.cancel()
        if self.tasks:
            _done, late = await asyncio.wait(self.tasks, timeout=3)
            for task in late:
                task.cancel()
        self.spectators.close()
        await self.starts.close()
        await self.heartbeats.close()
        await asyncio.gather(self._subscriber.close(), self.site.close(), self.servers.close())


def _always(address: Address) -> Any:
    async def locate() -> Address:
        return address

    return locate


_hosts: WeakKeyDictionary[asyncio.AbstractEventLoop, Host] = WeakKeyDictionary()


def host(serving: bool = True) -> Host:
    """The host of the running event loop; made at the first call, ended by `close()`."""
    loop = asyncio.get_running_loop()
    found = _hosts.get(loop)
    if found is None:
        found = _hosts[loop] = Host(settings.LIVE_REDIS_URL, settings.REDIS_URL, serving)
    return found


def existing() -> Host | None:
    """The host of the running event loop, if it has one."""
    return _hosts.get(asyncio.get_running_loop())


async def close() -> None:
    """End the running loop's host, if there is one."""
    found = _hosts.pop(asyncio.get_running_loop(), None)
    if found is not None:
        await found.close()


__all__ = ["Host", "NoSuchMatch", "UnknownRules", "close", "existing", "host"]
