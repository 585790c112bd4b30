"""The log of one match in Redis: append, read, finish, forget.

The append script decides what must be decided once: that a finished match takes nothing more, what
time it is, whether a tick is still needed, who must be told; and it finds a command id that was
used before.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

import hiredis

from games.live.appends import Done
from games.live.entry import ACTION, Entry, from_stream, said
from games.live.resp import bulk, pack
from games.live.store import SHA, Store, slot

KEPT_SECONDS: Final = 15 * 60
"""How long the keys of an archived match stay, for those who are still looking at it."""
OVER_SECONDS: Final = 24 * 3600

logger = logging.getLogger(__name__)

DUE: Final = "live:due"
"""Sorted set of the running matches: when the sweeper should look after each."""


KEPT: Final = 2048
NUMBERS: Final = [bulk(number) for number in range(KEPT)]
IDS: Final = [bulk(f"{number}-0") for number in range(KEPT)]
"""Small numbers, and ids of entries, as Redis reads them."""
HOST, GUEST = bulk("host"), bulk("guest")
"""Who appends, as the script knows them."""


def key(match_id: str, name: str) -> str:
    """Without the prefix. The braces keep all keys of a match on one shard."""
    return f"m:{{{match_id}}}:{name}"


class Log:
    """Appends never wait: the callback gets the answer once the entry is stored."""

    __slots__ = ("_heads", "_keys", "_log", "_slot", "_who", "id", "store")

    def __init__(self, store: Store, match_id: str, is_host: bool = True) -> None:
        self.id = match_id
        self.store = store
        self._log = store.key(key(match_id, "log"))
        self._slot = slot(self._log)
        # The parts of every append that never change, packed once.
        self._keys = bulk(self._log) + bulk(store.key(key(match_id, "head")))
        self._who = HOST if is_host else GUEST
        self._heads: dict[int, bytes] = {}
        """The beginning of what an action says, per seat."""

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
        length: int = 0,
    ) -> None:
        """Store an entry; repeating it with the same command id is harmless. Who has applied all
        entries before `known`, the last at `time`, says so: then the command need not be looked for
        in the whole log. Who is the only host, as far as it knows, says how long the log is by now
        if nobody else has written: then most questions need not be asked."""
        if kind == ACTION and seat is not None:
            head = self._heads.get(seat)
            if head is None:
                head = self._heads[seat] = said(ACTION, seat, "")[:-1]
            text = b"%b%b\n%b" % (head, cid.encode(), data)
        else:
            text = said(kind, seat, cid) + data
        who = self._who
        if length:
            who = IDS[length] if length < KEPT else bulk(f"{length}-0")
        number = NUMBERS[known] if known < KEPT else bulk(known)
        args = b"%b%b$%d\r\n%b\r\n" % (who, number, len(text), text)
        self.store.pipe_of(self._slot).append(self._keys, args, time, done, urgent)

    def tick(self, after: int, due: int, done: Done) -> None:
        """Store a tick if entry `after` is still the last one and `due` has come."""
        args = b"%b%b%b" % (bulk(due), bulk(after + 1), bulk("tick\n\n\n"))
        self.store.pipe_of(self._slot).append(self._keys, args, 0, done)

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

    def hosted(
        self, process: str, spectators: int | None, told: Callable[[int], None] = lambda hosts: None
    ) -> None:
        """This process hosts the match with so many spectators; None: not any more. `told` gets the
        number of hosts."""

        def answered(reply: Any) -> None:
            if type(reply) is int:
                told(reply)

        command = pack(*self._hosts_command([process], spectators))
        self.store.pipe_of(self._slot).send(command, answered)

    async def host(self, process: str) -> int:
        """Become a host; returns how many there are. From now on entries are published."""
        return int(await self.store.pipe_of(self._slot).call(*self._hosts_command([process], 0)))

    async def forget_hosts(self, processes: Iterable[str]) -> None:
        await self.store.pipe_of(self._slot).call(*self._hosts_command(processes, None))

    def _hosts_command(
        self, processes: Iterable[str], spectators: int | None
    ) -> list[str | bytes | int]:
        keys = [self.store.key(key(self.id, name)) for name in ("hosts", "head", "log")]
        number = "" if spectators is None else spectators
        return ["EVALSHA", SHA["hosts"], 3, *keys, number, *processes]

    async def archived(self) -> None:
        """The database has it: the keys may go."""
        for name in ("log", "head", "snap", "hosts"):
            await self.store.call("EXPIRE", key(self.id, name), KEPT_SECONDS)
        await self.store.call("ZREM", DUE, self.id)


def _id(seq: int) -> str:
    return f"{seq}-0" if seq else "-"
