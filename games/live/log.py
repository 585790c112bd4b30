"""The log of one match in Redis: append, read, finish, forget.

The append script decides everything that must be decided once: that a finished match takes
nothing more, that a command id counts once, what time it is, and whether a tick is still needed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

import hiredis

from games.live.appends import Done
from games.live.entry import ACTION, TICK, Entry, from_stream
from games.live.resp import bulk, pack
from games.live.store import SHA, Store, slot

KEPT_SECONDS: Final = 15 * 60
"""How long the keys of an archived match stay, for those who are still looking at it."""
OVER_SECONDS: Final = 24 * 3600

logger = logging.getLogger(__name__)

DUE: Final = "live:due"
"""Sorted set of the running matches: when the sweeper should look after each."""


NUMBERS: Final = [bulk(number) for number in range(2048)]
"""Small numbers as Redis reads them."""


def key(match_id: str, name: str) -> str:
    """Without the prefix. The braces keep all keys of a match on one shard."""
    return f"m:{{{match_id}}}:{name}"


class Log:
    """Appends never wait: the callback gets the answer once the entry is stored."""

    __slots__ = ("_heads", "_keys", "_log", "_quiet", "_slot", "id", "store")

    def __init__(self, store: Store, match_id: str, quiet: int = 1) -> None:
        """`quiet` is how many hosts need no publishing: 1 (ourselves), or 0 for a visitor."""
        self.id = match_id
        self.store = store
        self._log = store.key(key(match_id, "log"))
        self._slot = slot(self._log)
        # The parts of every append that never change, packed once.
        self._keys = bulk(self._log) + bulk(store.key(key(match_id, "head")))
        self._quiet = bulk(quiet)
        self._heads: dict[int, bytes] = {}
        """The beginning of an action's append, per seat."""

    def append(
        self,
        kind: str,
        seat: int | None,
        cid: str,
        data: bytes,
        done: Done,
        urgent: bool = False,
        known: int = 0,
        time: int = 0,
    ) -> None:
        """Store an entry; repeating it with the same command id is harmless. Who has applied all
        entries before `known`, the last at `time`, says so: then the command need not be looked for
        in the whole log."""
        if kind == ACTION and seat is not None:
            head = self._heads.get(seat)
            if head is None:
                head = self._heads[seat] = self._quiet + bulk(ACTION) + bulk(seat)
        else:
            head = self._quiet + bulk(kind) + bulk("" if seat is None else seat)
        command, at = cid.encode(), b"%d" % time
        args = b"%b$%d\r\n%b\r\n$%d\r\n%b\r\n%b$%d\r\n%b\r\n" % (
            head,
            len(command),
            command,
            len(data),
            data,
            NUMBERS[known] if known < len(NUMBERS) else bulk(known),
            len(at),
            at,
        )
        self.store.pipe_of(self._slot).append(self._keys, args, done, urgent)

    def tick(self, after: int, due: int, done: Done) -> None:
        """Store a tick if entry `after` is still the last one and `due` has come."""
        self.append(TICK, None, "", b"", done, known=after + 1, time=due)

    # -- reading ---------------------------------------------------------------------------------

    async def read(self, first: int = 0) -> list[Entry]:
        """All entries from this one on, in order."""
        raw = await self.store.call("XRANGE", key(self.id, "log"), _id(first), "+")
        return [from_stream(item) for item in raw]

    async def head(self) -> tuple[Entry | None, bytes | None]:
        """Entry 0 (None: there is no such match) and the snapshot, if there is one."""
        raw, snapshot = await asyncio.gather(
            self.store.call("XRANGE", key(self.id, "log"), "-", "+", "COUNT", 1),
            self.store.call("GET", key(self.id, "snap")),
        )
        return (from_stream(raw[0]) if raw else None), snapshot

    def heal(self, first: int, done: Callable[[list[Entry]], None]) -> None:
        """Read from this entry on, without waiting here."""

        def answered(reply: Any) -> None:
            failed = isinstance(reply, hiredis.ReplyError)
            done([] if failed else [from_stream(item) for item in reply])

        command = pack("XRANGE", self._log, _id(first), "+")
        self.store.pipe_of(self._slot).send(command, answered)

    # -- the match as a whole --------------------------------------------------------------------

    async def create(self, setup: bytes) -> int:
        """Write entry 0; returns its time. Repeatable."""
        keys = [key(self.id, "log"), key(self.id, "head")]
        at = int(await self.store.run("create", keys, setup))
        await self.store.call("ZADD", DUE, at + 10_000, self.id)
        return at

    async def finish(self, outcome: bytes) -> int:
        """Nothing is appended from now on; returns the last seq. The first outcome stays."""
        keys = [key(self.id, name) for name in ("head", "over", "log")]
        return int(await self.store.run("finish", keys, outcome, OVER_SECONDS))

    def snapshot(self, data: bytes) -> None:
        """Keep a snapshot for late joiners; losing it costs time only."""
        name = self.store.key(key(self.id, "snap"))
        self.store.pipe_of(self._slot).send(pack("SET", name, data), lambda reply: None)

    def hosted(self, process: str, spectators: int | None) -> None:
        """This process hosts the match with so many spectators; None: not any more."""
        self.store.pipe_of(self._slot).send(
            pack(*self._hosts_command([process], spectators)), lambda reply: None
        )

    async def host(self, process: str) -> int:
        """Become a host; returns how many there are. From now on entries are published."""
        return int(await self.store.pipe_of(self._slot).call(*self._hosts_command([process], 0)))

    async def forget_hosts(self, processes: Iterable[str]) -> None:
        await self.store.pipe_of(self._slot).call(*self._hosts_command(processes, None))

    def _hosts_command(
        self, processes: Iterable[str], spectators: int | None
    ) -> list[str | bytes | int]:
        keys = [self.store.key(key(self.id, name)) for name in ("hosts", "head")]
        number = "" if spectators is None else spectators
        return ["EVALSHA", SHA["hosts"], 2, *keys, number, *processes]

    async def archived(self) -> None:
        """The database has it: the keys may go."""
        for name in ("log", "head", "snap", "hosts"):
            await self.store.call("EXPIRE", key(self.id, name), KEPT_SECONDS)
        await self.store.call("ZREM", DUE, self.id)


def _id(seq: int) -> str:
    return f"{seq}-0" if seq else "-"
