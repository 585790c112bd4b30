"""One stream on a primary with replicas, as far as the protocol can tell."""

from __future__ import annotations

from typing import Any, NamedTuple

import hiredis

from games.live.stored_log import SMALLER_ID


class Item(NamedTuple):
    """A row as it stands in the stream."""

    number: int
    process: str
    value: bytes


class Redis:
    def __init__(self, replicas: int, first: Item) -> None:
        self.rows: list[Item] | None = [first]
        """None: the key is gone."""
        self.archive: list[Item] = []
        """The rows of the log when its key went."""
        self.copied = [1] * replicas
        """The number of rows that each replica has."""
        self.durable = 0
        """The number of rows that, by a WAIT, are on a replica."""

    def xadd(self, item: Item, nomkstream: bool = True) -> Any:
        """The reply: the id, an error if it isn't above the last one, None if the key is gone."""
        if self.rows is None:
            if nomkstream:
                return None
            self.rows = []
        if self.rows and item.number <= self.rows[-1].number:
            return hiredis.ReplyError(SMALLER_ID)
        self.rows.append(item)
        return b"%d-0" % item.number

    def xrange(self, first: int) -> list[Any]:
        return [
            [b"%d-0" % item.number, [item.process.encode(), item.value]]
            for item in self.rows or []
            if item.number >= first
        ]

    def length(self) -> int:
        return len(self.rows or [])

    def wait(self, length: int, replicas: int) -> bool:
        """Whether so many replicas have the first `length` rows."""
        return sum(copied >= length for copied in self.copied) >= replicas

    def replicate(self, replica: int) -> None:
        """A replica receives one more row."""
        self.copied[replica] += 1

    def can_fail_over(self) -> bool:
        """One server fails at a time: the best replica has all that was said to be durable."""
        return max(self.copied, default=0) >= max(self.durable, 1)

    def fail_over(self) -> None:
        """The primary dies, and the replica with the most rows takes its place. The others follow
        it; the old primary comes back as an empty replica."""
        kept = max(self.copied)
        replica = self.copied.index(kept)
        if self.rows is not None:
            del self.rows[kept:]
        self.copied = [min(copied, kept) for copied in self.copied]
        self.copied[replica] = 0

    def expire(self) -> None:
        self.archive, self.rows = self.rows or [], None
        self.copied = [0] * len(self.copied)
