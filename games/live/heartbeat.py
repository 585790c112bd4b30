"""Heartbeats to one Redis server: each process says that it is alive, learns which others are, and
when no web process could use the server. See docs/decisions/outages.md.

A thread of its own sends them, so that a busy event loop doesn't look like a dead process. Only
when the loop has stood still for ten seconds does the thread fall silent too.

The first heartbeat after a pause in which no web process sent one records an outage. Until a
process has the answer to a recent heartbeat it writes nothing to the logs on that server
(`is_fresh`), so the outage is in them before anything else.

`Heartbeats` sends one to every server that has logs, and one to the site's Redis. Everything about
a match is asked of the server that has its log: the clock, whether anything may be appended, and
the outages. So a server that is away stops its own matches and no others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any, Final, NamedTuple

import msgspec
from prometheus_client import Gauge
from redis import Redis as SyncRedis
from redis.asyncio import Redis
from redis.backoff import NoBackoff
from redis.exceptions import MovedError, RedisError
from redis.retry import Retry

from games import storage
from games.redis import key
from games.redis.node import Node
from games.redis.servers import Servers, slot
from games.redis.wire import Address

EVERY: Final = 0.4
STALE: Final = 2.0
"""Seconds after which the answer to a heartbeat is too old to append anything on its word."""
GAP_MS: Final = 2500
"""It was an outage when no web process sent a heartbeat for longer than this."""
DEAD_MS: Final = 5000
"""A process that sent no heartbeat for longer than this is dead."""
HUNG: Final = 10.0
"""Seconds that the event loop may stand still before the process counts as hung."""
RETRY_EVERY: Final = 0.1
ANSWERS_WITHIN: Final = 1.0

REDIS_UP = Gauge(
    "minesite_redis_up",
    "1 while all servers that have match logs (part=logs), or the Redis of everything else "
    "(part=site), answer every process",
    ["part"],
    multiprocess_mode="livemin",
)

SITE: Final = "site"
"""The hash tag of these keys on the site's Redis; on a cluster each server has one of its own."""
PROCESSES: Final = "live:{site}:procs"
"""Sorted set: process -> its last heartbeat, by Redis' clock."""
ABOUT: Final = "live:{site}:about"
"""Hash: process -> `Process` as JSON."""
ALIVE: Final = "live:{site}:alive"
"""The last heartbeat of any web process."""
OUTAGES: Final = "live:{site}:outages"
"""Sorted set: "start:end" -> end."""

BEAT: Final = """
-- KEYS: the four above. ARGV: process, what it is, 1 when it serves players, gap, the end of the
-- last outage that it knows, dead after. Returns {now, the last heartbeat of a web process before
-- this one, outages after the one given, living processes}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at = string.format('%.0f', now)
redis.call('ZADD', KEYS[1], at, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
local alive = redis.call('GET', KEYS[3]) or at
if ARGV[3] == '1' then
  if now - tonumber(alive) > tonumber(ARGV[4]) then
    redis.call('ZADD', KEYS[4], at, alive .. ':' .. at)
    redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', string.format('%.0f', now - 604800000))
  end
  redis.call('SET', KEYS[3], at)
end
local forgotten = string.format('%.0f', now - 3600000)
for _, process in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', forgotten)) do
  redis.call('ZREM', KEYS[1], process)
  redis.call('HDEL', KEYS[2], process)
end
local dead = string.format('%.0f', now - tonumber(ARGV[6]))
return {now, tonumber(alive), redis.call('ZRANGEBYSCORE', KEYS[4], '(' .. ARGV[5], '+inf'),
  redis.call('ZRANGEBYSCORE', KEYS[1], dead, '+inf')}
"""

WEB: Final = "web"
WORKER: Final = "worker"

logger = logging.getLogger(__name__)


class Process(msgspec.Struct, frozen=True):
    id: str
    kind: str
    """web or worker."""
    pid: int
    host: str
    started: float
    at: float = 0.0
    """Its last heartbeat, by Redis' clock."""


class Outage(NamedTuple):
    start: int
    end: int


def this_process(kind: str) -> Process:
    return Process(
        id=f"{kind}-{os.getpid()}-{secrets.token_hex(4)}",
        kind=kind,
        pid=os.getpid(),
        host=socket.gethostname(),
        started=time.time(),
    )


def keys(tag: str = SITE) -> list[str]:
    names = (PROCESSES, ABOUT, ALIVE, OUTAGES)
    return [key(name.replace(SITE, tag, 1)) for name in names]


def beat(
    client: SyncRedis, keys: list[str], process: Process, serving: bool, known: int = 0
) -> list[Any]:
    """One heartbeat; `known` is the end of the last outage that the process knows of."""
    about = msgspec.json.encode(process)
    found: list[Any] = client.eval(
        BEAT, 4, *keys, process.id, about, int(serving), GAP_MS, known, DEAD_MS
    )
    return found


async def alive(client: Redis, kind: str | None = None) -> list[Process]:
    """The processes that sent a heartbeat lately, oldest first; of one kind or of all."""
    seconds, micros = await client.time()
    since = seconds * 1000 + micros // 1000 - DEAD_MS
    beats = await client.zrangebyscore(key(PROCESSES), since, "+inf", withscores=True)
    if not beats:
        return []
    values = await client.hmget(key(ABOUT), [process.decode() for process, _at in beats])
    found = [
        msgspec.structs.replace(msgspec.json.decode(value, type=Process), at=at / 1000)
        for value, (_process, at) in zip(values, beats, strict=True)
        if value is not None
    ]
    return sorted((p for p in found if kind in (None, p.kind)), key=lambda p: p.started)


async def leave(client: Redis, process: str) -> None:
    """Forget this process, so that others don't wait until its last heartbeat is too old."""
    await client.zrem(key(PROCESSES), process)
    await client.hdel(key(ABOUT), process)


class Heartbeat:
    """The callbacks are called in the event loop."""

    def __init__(
        self,
        process: Process,
        tag: str,
        where: Callable[[], Address | None],
        is_in_touch: Callable[[], bool],
    ) -> None:
        """`tag`: the hash tag of the keys. `where`: the server's address, as far as it is known.
        `is_in_touch`: the process can use the logs there; if it can't, it doesn't count as one that
        serves players."""
        self.process = process
        self.tag = tag
        self.living: frozenset[str] = frozenset()
        """Processes that the server has heard lately."""
        self.outages: list[Outage] = []
        self.suspended = True
        """No web process uses this server: the clocks of its matches stand still."""
        self.on_beat: Callable[[], None] = lambda: None
        """A heartbeat was answered after a time without: appending may go on."""
        self.on_outage: Callable[[], None] = lambda: None
        self.on_resume: Callable[[], None] = lambda: None
        self.on_moved: Callable[[], None] = lambda: None
        """Another server of the cluster has the keys now."""
        self.started = asyncio.Event()
        self._serving = process.kind == WEB
        self._where = where
        self._is_in_touch = is_in_touch
        self._in_touch = False
        self._loop = asyncio.get_running_loop()
        self._offset = time.time() * 1000 - time.monotonic() * 1000
        self._answered = -STALE
        self._expired = 0.0
        self._loop_seen = time.monotonic()
        self._address: Address | None = None
        self._client: SyncRedis | None = None
        self._keys = keys(tag)
        self._stopping = False
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"heartbeat-{tag}", daemon=True)
        self._thread.start()

    def now(self) -> int:
        """The server's clock, as well as it is known here, in milliseconds."""
        return int(time.monotonic() * 1000 + self._offset)

    @property
    def is_answered(self) -> bool:
        """Whether a recent heartbeat was answered."""
        return time.monotonic() - self._answered < STALE

    def is_fresh(self) -> bool:
        """Whether appending may rely on what the last heartbeat told; if not, sends one now."""
        if self.is_answered:
            return True
        if self._in_touch:
            self._wake.set()
        return False

    def expire(self) -> None:
        """Rely on nothing before the next answer: the process was out of touch with the logs."""
        self._in_touch = self._is_in_touch()
        self._answered, self._expired = -STALE, time.monotonic()
        self._wake.set()

    # -- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        answered = True
        while not self._stopping:
            try:
                self._loop.call_soon_threadsafe(self._saw)
                if time.monotonic() - self._loop_seen < HUNG:
                    answered = self._beat(answered)
            except RuntimeError:  # the event loop is closed
                break
            self._wake.wait(EVERY if answered else RETRY_EVERY)
            self._wake.clear()
        if self._client is not None:
            with contextlib.suppress(RedisError, OSError):  # then it counts as alive for a while
                self._client.zrem(self._keys[0], self.process.id)
                self._client.hdel(self._keys[1], self.process.id)
            self._client.close()

    def _beat(self, answered_before: bool) -> bool:
        known = self.outages[-1].end if self.outages else 0
        try:
            client = self._connected()
            if client is None:
                return False
            sent = time.monotonic()
            serving = self._serving and self._in_touch
            reply = beat(client, self._keys, self.process, serving, known)
        except (RedisError, OSError) as error:
            if answered_before:
                logger.warning("Redis at %s doesn't answer heartbeats: %s", self._address, error)
            if isinstance(error, MovedError):
                self._loop.call_soon_threadsafe(self.on_moved)
            return False
        self._loop.call_soon_threadsafe(self._beaten, sent, time.monotonic(), reply)
        return True

    def _connected(self) -> SyncRedis | None:
        """A client for wherever the server is now."""
        address = self._where()
        if address != self._address and address is not None:
            if self._client is not None:
                self._client.close()
            self._address, self._client = address, _client(address)
            self._client.ping()  # so that connecting is no part of the way to the server's clock
        return self._client

    # -- in the event loop -----------------------------------------------------------------------

    def _saw(self) -> None:
        self._loop_seen = time.monotonic()
        self._in_touch = self._is_in_touch()

    def _beaten(self, sent: float, received: float, reply: list[Any]) -> None:
        if self._stopping:
            return
        now, alive_at, outages, living = reply
        was_fresh = self.is_answered
        self._offset = now - (sent + received) * 500
        self.living = frozenset(name.decode() for name in living)
        new = [Outage(*map(int, raw.split(b":"))) for raw in outages]
        known = self.outages[-1].end if self.outages else 0
        new = [outage for outage in new if outage.end > known]
        self.outages += new
        was_suspended, self.suspended = (
            self.suspended,
            not self._serving and now - alive_at > GAP_MS,
        )
        if new:
            if self.started.is_set():
                down = sum(outage.end - outage.start for outage in new)
                logger.warning("Redis at %s could not be used for %d ms", self._address, down)
            self.on_outage()
        # Without logs that can be written to, an outage is going on that nobody has recorded yet.
        if sent >= self._expired and self._in_touch:
            self._answered = sent
        self.started.set()
        if was_suspended and not self.suspended:
            self.on_resume()
        if not was_fresh and self.is_fresh():
            self.on_beat()

    async def close(self) -> None:
        """Stop, and let other processes know without waiting for heartbeats to stay away."""
        self._stopping = True
        self._wake.set()
        await asyncio.to_thread(self._thread.join, 2 * ANSWERS_WITHIN + 0.5)


def _client(address: Address) -> SyncRedis:
    return SyncRedis(
        host=address.host,
        port=address.port,
        unix_socket_path=address.path or None,
        username=address.username,
        password=address.password,
        db=address.db,
        ssl=address.tls,
        socket_timeout=ANSWERS_WITHIN,
        socket_connect_timeout=ANSWERS_WITHIN,
        retry=Retry(NoBackoff(), 0),
    )


OfNode = Callable[[Node], None]


class Heartbeats:
    def __init__(
        self,
        servers: Servers,
        site: Address,
        logs_on_site: bool,
        serving: bool,
        on_beat: OfNode,
        on_outage: OfNode,
        on_resume: OfNode,
    ) -> None:
        """`logs_on_site`: the site's Redis has the logs too, so one heartbeat does for both.
        `serving`: players connect to this process. The callbacks name the server."""
        self.process = this_process(WEB if serving else WORKER)
        self._servers = servers
        self._callbacks = on_beat, on_outage, on_resume
        self._by_node: dict[Node, Heartbeat] = {}
        self._closing: set[asyncio.Task[None]] = set()
        if logs_on_site:
            first = servers.node(0)
            self.site = self._begin(first, SITE)
        else:
            self.site = Heartbeat(self.process, SITE, lambda: site, lambda: True)

    def of(self, number: int) -> Heartbeat:
        """The heartbeat on the server that has the logs of this slot."""
        node = self._servers.node(number)
        return self._by_node.get(node) or self._begin(node, self._tag(node))

    @property
    def living(self) -> frozenset[str]:
        """Processes that any server has heard lately."""
        every = {self.site, *self._by_node.values()}
        if len(every) == 1:
            return self.site.living
        answered = [heartbeat for heartbeat in every if heartbeat.is_answered]
        return frozenset[str]().union(*(heartbeat.living for heartbeat in answered or every))

    def expire(self, node: Node) -> None:
        """There is a new connection to this server."""
        heartbeat = self._by_node.get(node)
        if heartbeat is not None:
            heartbeat.expire()

    @property
    def are_logs_up(self) -> bool:
        """Whether every server that has logs can be used."""
        return all(
            node.is_up and node in self._by_node and self._by_node[node].is_answered
            for node in self._servers.serving
        )

    def check(self) -> None:
        """Called now and then: slots may have moved between the servers of a cluster."""
        REDIS_UP.labels("site").set(self.site.is_answered)
        REDIS_UP.labels("logs").set(self.are_logs_up)
        tags = {node: self._tag(node) for node in self._servers.serving}
        for node, heartbeat in list(self._by_node.items()):
            if tags.get(node) != heartbeat.tag:
                del self._by_node[node]
                self._end(heartbeat, is_used=heartbeat.tag in tags.values())
        for node, tag in tags.items():
            if node not in self._by_node:
                self._begin(node, tag)

    async def close(self) -> None:
        every = {self.site, *self._by_node.values()}
        await asyncio.gather(*(heartbeat.close() for heartbeat in every), *self._closing)

    def _tag(self, node: Node) -> str:
        """A hash tag whose keys are on this server: the same in all processes, and the same after a
        fail-over."""
        if not self._servers.is_cluster:
            return SITE
        found = (str(i) for i in count() if self._servers.node(slot(str(i))) is node)
        return next(found)

    def _begin(self, node: Node, tag: str) -> Heartbeat:
        made = Heartbeat(
            self.process, tag, lambda: node.address, lambda: node.is_up and not storage.is_full()
        )
        on_beat, on_outage, on_resume = (partial(callback, node) for callback in self._callbacks)
        made.on_beat, made.on_outage, made.on_resume = on_beat, on_outage, on_resume
        made.on_moved = self._servers.learn_again
        self._by_node[node] = made
        return made

    def _end(self, heartbeat: Heartbeat, is_used: bool) -> None:
        task = asyncio.get_running_loop().create_task(self._close(heartbeat, is_used))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _close(self, heartbeat: Heartbeat, is_used: bool) -> None:
        await heartbeat.close()
        if not is_used:
            # If the slots move back one day, what is in between is no outage.
            _procs, _about, alive, _outages = keys(heartbeat.tag)
            await self._servers.call("DEL", alive)
