"""Rows that this process stored, and other news, published to the other hosts of their matches; and
the spectators of a match, counted over all of them.

Every process listens on one channel of its own. A message is a hint: if it is lost, the other
process finds the row when it next reads the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Set
from typing import Final

from games.live.replica import Replica
from games.live.row import Row, decode
from games.live.stored_log import match_key
from games.redis import key
from games.redis.node import BROKEN, Node
from games.redis.servers import Servers, slot
from games.redis.subscriber import Subscriber
from games.redis.wire import pack

SPECTATORS: Final = b"spectators"
"""Instead of a row: the number of spectators has changed."""
ARCHIVED: Final = b"archived"
"""Instead of a row: the match is in the database."""
TELL_AFTER: Final = 1.0
"""Seconds between two broadcasts of the number of spectators."""


class Hints:
    def __init__(
        self,
        process: str,
        site: Node,
        living: Callable[[], frozenset[str]],
        on_row: Callable[[str, Row], None],
        on_spectators: Callable[[str], None],
        on_archived: Callable[[str], None],
    ) -> None:
        self._process = process
        self._site = site
        self._living = living
        self._on_row = on_row
        self._on_spectators = on_spectators
        self._on_archived = on_archived

    async def open(self, subscriber: Subscriber) -> None:
        await subscriber.listen(_channel(self._process), self._received)

    def publish(self, match_id: str, row: Row, others: Set[str]) -> None:
        head = b"%b\n%d\n%b\n" % (match_id.encode(), row.number, row.process.encode())
        self._send(head + row.encode(), others)

    def publish_spectators(self, match_id: str, others: Set[str]) -> None:
        self._send(b"%b\n%b" % (match_id.encode(), SPECTATORS), others)

    def publish_archived(self, match_id: str, others: Set[str]) -> None:
        self._send(b"%b\n%b" % (match_id.encode(), ARCHIVED), others)

    def _send(self, message: bytes, others: Set[str]) -> None:
        for process in others & self._living():
            self._site.send(pack("PUBLISH", _channel(process), message), lambda reply: None)

    def _received(self, message: bytes) -> None:
        match_id, _, rest = message.partition(b"\n")
        if rest == SPECTATORS:
            self._on_spectators(match_id.decode())
        elif rest == ARCHIVED:
            self._on_archived(match_id.decode())
        else:
            number, process, value = rest.split(b"\n", 2)
            self._on_row(match_id.decode(), decode(int(number), process.decode(), value))


def _channel(process: str) -> str:
    return key(f"live:hints:{process}")


class Spectators:
    """Each process reports its number; the host of the match adds up those of living processes."""

    def __init__(
        self,
        process: str,
        servers: Servers,
        hints: Hints,
        living: Callable[[], frozenset[str]],
        is_hosted: Callable[[Replica], bool],
    ) -> None:
        self._process = process
        self._servers = servers
        self._hints = hints
        self._living = living
        self._is_hosted = is_hosted
        self._changed: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    def changed(self, replica: Replica) -> None:
        """Spectators came or went in this process."""
        if replica.id not in self._changed:
            self._changed.add(replica.id)
            self._loop.call_later(TELL_AFTER, self._tell, replica)

    def count(self, replica: Replica) -> None:
        """Add up what all processes say."""
        task = self._loop.create_task(self._count(replica))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _tell(self, replica: Replica) -> None:
        self._changed.discard(replica.id)
        if self._is_hosted(replica):
            replica.log.send("HSET", "watchers", self._process, replica.spectators_here())
            self._hints.publish_spectators(replica.id, replica.log.proposer.others)
            self.count(replica)

    async def total(self, match_id: str) -> int:
        """Spectators of a match on all living processes."""
        name = match_key(match_id, "watchers")
        numbers = await self._servers.node(slot(name)).ask(pack("HGETALL", name))
        if numbers is BROKEN:
            return 0  # the server that has the match is away
        by_process = zip(numbers[::2], numbers[1::2], strict=True)
        living = self._living()
        return sum(int(number) for process, number in by_process if process.decode() in living)

    async def _count(self, replica: Replica) -> None:
        replica.set_spectators(await self.total(replica.id))
