"""The Redis servers behind one URL: a single one, one found through Sentinel, or a cluster.

| URL | means |
|---|---|
| `redis://`, `rediss://`, `unix://` | one server, or any node of a cluster |
| `redis://host:port,host:port` | nodes of a cluster: one has to be up when a process starts |
| `redis+sentinel://host:port,host:port/service/db` | the primary that Sentinel names |

A cluster is several connections, chosen by the slot of a key; everything else is the same.
"""

from __future__ import annotations

import asyncio
import binascii
import logging
from collections.abc import Callable
from itertools import cycle
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import hiredis

from games.redis.node import BROKEN, Node, OnReply
from games.redis.wire import Address, Refused, connect, pack

SLOTS: Final = 16384
SENTINEL: Final = "redis+sentinel"
SENTINEL_PORT: Final = 26379
RETRY_SECONDS: Final = 0.05
ANSWERS_WITHIN: Final = 2.0

logger = logging.getLogger(__name__)


def slot(key: str) -> int:
    """The cluster slot of a key: of its hash tag, when it has one."""
    start = key.find("{")
    if start >= 0:
        end = key.find("}", start + 1)
        if end > start + 1:
            key = key[start + 1 : end]
    return binascii.crc_hqx(key.encode(), 0) % SLOTS


class _Entrance(Node):
    """The server that the URL leads to. A cluster's replica will do, because it knows the slots as
    well as a primary, and nothing else is asked of it once these are known."""

    names_several = False

    def _check_role(self, is_replica: bool) -> None:
        if self.is_cluster:
            return
        if self.names_several:
            # One would be written to today and another tomorrow.
            logger.error("the address of Redis names several servers that are no cluster")
            raise Refused("no node of a cluster")
        super()._check_role(is_replica)


class Servers:
    """Give a slot, get the node that has it."""

    def __init__(
        self,
        url: str,
        on_connect: Callable[[Node], None] = lambda node: None,
        on_read: Callable[[], None] | None = None,
    ) -> None:
        """`on_connect` is called for every new connection, the first one too; `on_read` after the
        replies of a server that came together."""
        self._on_connect = on_connect
        self._on_read = on_read
        self._locate, self._address = _locator(url)
        self._first = _Entrance(self._locate, self._connected, on_read=on_read)
        self._first.names_several = "," in url and not url.startswith(SENTINEL)
        self._nodes: dict[tuple[str, int], Node] = {}
        self._slots: list[Node] = []
        self._serving: set[Node] = {self._first}
        self._learning: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Return when Redis has answered; waits for it as long as it takes."""
        await self._first.up.wait()
        if self._first.is_cluster:
            while True:
                if await self._learn_slots():
                    break
                await asyncio.sleep(0.1)

    @property
    def is_up(self) -> bool:
        """Whether all servers that have logs can be written to."""
        return all(node.is_up for node in self._serving)

    @property
    def serving(self) -> set[Node]:
        """The servers that have logs."""
        return self._serving

    @property
    def is_cluster(self) -> bool:
        return bool(self._slots)

    @property
    def nodes(self) -> list[Node]:
        return [self._first, *self._nodes.values()]

    def node(self, number: int) -> Node:
        return self._slots[number] if self._slots else self._first

    async def call(self, name: str, key: str, *args: str | bytes | int) -> Any:
        """A command with its one key that is harmless when it is executed twice: waits for the
        server that has the key, whichever that is by then. Raises Refused."""
        command, number = pack(name, key, *args), slot(key)
        while True:
            reply = await self.node(number).ask(command)
            if reply is not BROKEN:
                return reply
            await asyncio.sleep(RETRY_SECONDS)

    def check(self) -> None:
        """Called now and then: replaces what doesn't answer any more."""
        for node in self.nodes:
            node.check()
        if self._slots and not self.is_up:
            self.learn_again()

    async def close(self) -> None:
        if self._learning is not None:
            self._learning.cancel()
        await asyncio.gather(*(node.close() for node in self.nodes))

    def _connected(self, node: Node) -> None:
        if node is self._first or self._slots:
            self._on_connect(node)

    # -- cluster ---------------------------------------------------------------------------------

    async def _learn_slots(self) -> bool:
        """Ask any node that answers which node has which slot."""
        for node in self.nodes:
            if not node.is_up:
                continue
            try:
                async with asyncio.timeout(ANSWERS_WITHIN):
                    answer = await node.call("CLUSTER", "SLOTS")
            except (TimeoutError, Refused):
                continue
            slots: list[Node | None] = [None] * SLOTS
            for first, last, primary, *_replicas in answer:
                found = self._node(primary[0].decode() or self._address.host, primary[1])
                slots[first : last + 1] = [found] * (last - first + 1)
            if None not in slots:
                self._slots = slots  # type: ignore[assignment]  # none is None
                self._serving = set(self._slots)
                return True
        logger.warning("the cluster doesn't serve every slot")
        return False

    def _node(self, host: str, port: int) -> Node:
        node = self._nodes.get((host, port))
        if node is None:
            address = self._address.at(host, port)

            async def locate() -> Address:
                return address

            node = Node(locate, self._connected, self._redirected, self._on_read)
            self._nodes[host, port] = node
        return node

    def _redirected(self, error: str, command: bytes | None, on_reply: OnReply) -> None:
        """`MOVED 3999 127.0.0.1:6381`: the command was not executed; another node has the slot.
        Without a command, its sender decides what to do there."""
        _word, number, where = error.split(" ")[:3]
        host, _, port = where.rpartition(":")
        node = self._node(host or self._address.host, int(port))
        if error.startswith("MOVED"):
            self._slots[int(number)] = node
            self.learn_again()
        if command is None:
            on_reply(BROKEN)
            return
        if error.startswith("ASK"):
            node.send(pack("ASKING"), lambda reply: None)
        node.send(command, on_reply)

    def learn_again(self) -> None:
        """The cluster's slots may have moved: ask."""
        if self._learning is None or self._learning.done():
            self._learning = asyncio.get_running_loop().create_task(self._relearn())

    async def _relearn(self) -> None:
        before = self._serving
        if await self._learn_slots():
            for node in self._serving - before:
                if node.is_up:
                    self._on_connect(node)


def _locator(url: str) -> tuple[Callable[[], Any], Address]:
    """A function that finds the server, and the credentials for all servers of this URL."""
    parts = urlsplit(url)
    _, _, hosts = parts.netloc.rpartition("@")
    if not url.startswith(SENTINEL):
        first, *others = hosts.split(",")
        address = Address.from_url(url.replace(hosts, first, 1) if others else url)
        following = cycle([address, *(address.at(*_host_and_port(each)) for each in others)])

        async def next_one() -> Address:
            return next(following)

        return next_one, address
    service, _, db = parts.path.strip("/").partition("/")
    sentinels = [_host_and_port(each, SENTINEL_PORT) for each in hosts.split(",")]
    credentials = Address(
        username=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        db=int(db or 0),
    )

    async def ask() -> Address:
        for host, port in sentinels:
            try:
                found = await _primary(Address(host, port), service)
            except (OSError, TimeoutError, Refused) as error:
                logger.debug("Sentinel %s:%d: %s", host, port, error)
                continue
            return credentials.at(*found)
        raise OSError(f"no Sentinel knows the primary of {service}")

    return ask, credentials


def _host_and_port(text: str, usual: int = 6379) -> tuple[str, int]:
    host, _, port = text.partition(":")
    return host, int(port or usual)


async def _primary(sentinel: Address, service: str) -> tuple[str, int]:
    """The primary's host and port, as this Sentinel knows them."""
    replies: asyncio.Queue[Any] = asyncio.Queue()
    connection = await connect(sentinel, replies.put_nowait, lambda: replies.put_nowait(None))
    try:
        connection.write(pack("SENTINEL", "GET-MASTER-ADDR-BY-NAME", service))
        async with asyncio.timeout(ANSWERS_WITHIN):
            reply = await replies.get()
    finally:
        connection.abort()
        await connection.closed.wait()
    if not isinstance(reply, list) or isinstance(reply, hiredis.ReplyError):
        raise Refused(str(reply))
    return reply[0].decode(), int(reply[1])
