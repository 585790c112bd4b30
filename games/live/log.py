"""The log of one match in Redis: append, read, finish, forget.

The append script decides what must be decided once: that a finished match takes nothing more, what
time it is, whether a tick is still needed, who must be told; and it finds a command id that was
used before. What one turn of the event loop brings for a match is one row of its stream.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

import hiredis

from games.engine.game import MAX_SEATS
from games.live.appends import NOWHERE, Row, Waiting, row_id
from games.live.entry import ACTION, Entry, from_row, said
from games.live.resp import bulk, pack
from games.live.store import SHA, Store, slot

KEPT_SECONDS: Final = 15 * 60
"""How long the keys of an archived match stay, for those who are still looking at it."""
OVER_SECONDS: Final = 24 * 3600

DUE: Final = "live:due"
"""Sorted set of the running matches: when the sweeper should look after each."""


HOST, GUEST, TICKING = bulk("host"), bulk("guest"), bulk("tick")
"""Who appends, as the script knows them."""
ACTIONS: Final = [said(ACTION, seat, "")[:-1] for seat in range(MAX_SEATS)]
"""The beginning of what an action says, by seat."""
LONGEST: Final = 64
"""Entries of one row."""


class Tick(Row):
    """A tick is a row of its own."""

    __slots__ = ("due",)

    due: int
    """When its time comes."""


def key(match_id: str, name: str) -> str:
    """Without the prefix. The braces keep all keys of a match on one shard."""
    return f"m:{{{match_id}}}:{name}"


class Reader(Protocol):
    """Who applies the log in this process."""

    @property
    def known(self) -> int:
        """All entries before this one are applied."""

    @property
    def is_alone(self) -> bool:
        """No other process hosts the match, and nothing of the log is missing here, as far as is
        known."""

    def stored(self, row: list[Any], first: int, t: int) -> None:
        """Entries of ours are where they were thought to be, from `first` on. The row is who waits
        for each; they are told by who reads."""


class Log:
    """Appends never wait: who waits is answered once the entry is stored."""

    __slots__ = (
        "_epoch",
        "_last",
        "_log",
        "_part",
        "_row",
        "_slot",
        "_under_way",
        "id",
        "keys",
        "reader",
        "store",
    )

    def __init__(self, store: Store, match_id: str) -> None:
        self.id = match_id
        self.store = store
        self.reader: Reader | None = None
        """None: this process does not host the match."""
        self._log = store.key(key(match_id, "log"))
        self._slot = slot(self._log)
        # The parts of every append that never change, packed once.
        self.keys = bulk(self._log) + bulk(store.key(key(match_id, "head")))
        self._row: Row | None = None
        """The one that is being filled."""
        self._under_way = 0
        """Entries that are written and have no answer yet."""
        # The id of the last row, with all that is under way, if nobody else writes. -1: not known.
        self._last = -1
        self._part = 0
        self._epoch = 0
        """How often that was found to be wrong."""

    def append(
        self,
        kind: str,
        seat: int | None,
        cid: str,
        data: bytes,
        waiting: Waiting,
        urgent: bool = False,
    ) -> None:
        """Store an entry; repeating it with the same command id is harmless."""
        row = self._row
        if row is None or not row.appends.is_open or urgent or len(row.said) >= LONGEST:
            row = self._begin(urgent)
        row.said.append(said(kind, seat, cid) + data)
        row.waiting.append(waiting)

    def act(self, seat: int, cid: str, data: bytes, waiting: Waiting) -> None:
        """`append` for an action of a seat: nearly every entry."""
        row = self._row
        if row is None or not row.appends.is_open or len(row.said) >= LONGEST:
            row = self._begin(False)
        row.said.append(b"%b%b\n%b" % (ACTIONS[seat], cid.encode(), data))
        row.waiting.append(waiting)

    def _begin(self, urgent: bool) -> Row:
        row = Row(self, 0 if self.reader is None else self.reader.known)
        self.store.pipe_of(self._slot).append(row, urgent)
        if not urgent:
            self._row = row
        return row

    def tick(self, after: int, due: int, waiting: Waiting) -> None:
        """Store a tick if entry `after` is still the last one and `due` has come."""
        row = Tick(self, after + 1)
        row.due = due
        row.said.append(b"tick\n\n\n")
        row.waiting.append(waiting)
        self.store.pipe_of(self._slot).append(row)

    def place(self, row: Row) -> tuple[bytes, bytes]:
        """Who sends the row, as the script knows them, and the id that it will have if nobody has
        written since. It is written now, behind all that was asked for before."""
        size = len(row.said)
        self._under_way += size
        row.epoch = self._epoch
        if type(row) is Tick:
            # It is not counted on: if there is one, what follows finds another last row.
            return TICKING, bulk(row.due)
        if self.reader is None:
            return GUEST, NOWHERE
        if self._last < 0 or not self.reader.is_alone:
            return HOST, NOWHERE
        who = row_id(self._last, self._part)
        row.first = self._last + 1
        self._last += size
        self._part = 0
        return who, row_id(self._last)

    def appended(self, row: Row, t: int) -> None:
        """It is where it was thought to be."""
        self._answered(row)
        self.reader.stored(row.waiting, row.first, t)  # type: ignore[union-attr]

    def told(self, row: Row, last: int, part: int) -> None:
        """All questions were asked of this row, and this is the id of the last one now; -1: ask
        again. What is under way behind it is most likely asked everything, too, and gets ids whose
        second part is 1; its answers bring nothing new, unless there is nothing behind them. A
        wrong guess costs time only: nothing has its id that must not be written behind."""
        self._answered(row)
        if row.epoch == self._epoch or not self._under_way:
            self._epoch += 1
            self._last = last + self._under_way if last >= 0 else -1
            self._part = 1 if self._under_way else part

    def _answered(self, row: Row) -> None:
        self._under_way -= len(row.said)
        if self._row is row:
            self._row = None

    # -- reading ---------------------------------------------------------------------------------

    async def read(self, first: int = 0) -> list[Entry]:
        """All entries from this one on, in order."""
        return _entries(
            await self.store.call("XRANGE", key(self.id, "log"), _id(first), "+"), first
        )

    async def head(self) -> tuple[Entry | None, bytes | None]:
        """Entry 0 (None: there is no such match) and the snapshot, if there is one."""
        raw, snapshot = await asyncio.gather(
            self.store.call("XRANGE", key(self.id, "log"), "-", "+", "COUNT", 1),
            self.store.call("GET", key(self.id, "snap")),
        )
        return (from_row(raw[0])[0] if raw else None), snapshot

    def heal(self, first: int, done: Callable[[list[Entry]], None]) -> None:
        """Read from this entry on, without waiting here."""

        def answered(reply: Any) -> None:
            failed = isinstance(reply, hiredis.ReplyError)
            done([] if failed else _entries(reply, first))

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


def _entries(rows: list[Any], first: int) -> list[Entry]:
    """Those from this one on: the first row may have begun earlier."""
    return [entry for row in rows for entry in from_row(row) if entry.seq >= first]


def _id(seq: int) -> str:
    return f"{seq}-0" if seq else "-"
