"""Rows of entries for the logs of matches, and the one call of the append script that takes all
rows of a turn."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final, Protocol

import hiredis

from games.live.counters import COUNTERS
from games.live.entry import BETWEEN
from games.live.resp import bulk

if TYPE_CHECKING:
    from games.live.log import Log

APPENDED, AGAIN, OVER, GONE, UNNEEDED, EARLY, FAILED = range(7)

MOST: Final = 256
"""Rows of one call: it keeps Redis from other work for some milliseconds."""

KEPT: Final = 2048
NUMBERS: Final = [bulk(number) for number in range(KEPT)]
IDS: Final = [bulk(f"{number}-0") for number in range(KEPT)]
"""Small numbers, and ids of rows, as Redis reads them."""
NOWHERE: Final = bulk("")

logger = logging.getLogger(__name__)


def row_id(last: int, part: int = 0) -> bytes:
    """The id of a row, of which the last entry has this seq, as Redis reads it."""
    return IDS[last] if last < KEPT and not part else bulk(f"{last}-{part}")


class Waiting(Protocol):
    """Who wants to know what became of an entry."""

    def answered(self, status: int, seq: int, t: int, hosts: int) -> None:
        """Called once, unless the log's reader is told of the whole row instead. If the entry is
        not stored, seq is that of the last one, or of the one that was stored before. `hosts` is 0
        when nobody asked for their number."""


class Row:
    """Entries of one match that leave together: one row of its stream."""

    __slots__ = ("appends", "epoch", "first", "known", "log", "said", "waiting")

    def __init__(self, log: Log, known: int) -> None:
        self.log = log
        self.known = known
        """The sender has applied all entries before this one."""
        self.first = 0
        """The seq of the first entry, if its sender knows it."""
        self.epoch = 0
        """Of what the log knew when the row was written."""
        self.appends: Appends
        self.said: list[bytes] = []
        self.waiting: list[Any] = []
        """Who waits for each entry."""

    def packed(self) -> bytes:
        """The arguments of the script."""
        said, known = self.said, self.known
        text = said[0] if len(said) == 1 else BETWEEN.join(said)
        number = NUMBERS[known] if known < KEPT else bulk(known)
        who, place = self.log.place(self)
        return b"%b%b%b$%d\r\n%b\r\n" % (who, place, number, len(text), text)

    def answered(self, answer: int | list[int]) -> None:
        if type(answer) is int:
            self.log.appended(self, answer)
            return
        last, part, hosts, t, *each = answer  # type: ignore[misc]
        self.log.told(self, last, part)
        for waiting, status, seq in zip(self.waiting, each[::2], each[1::2], strict=True):
            if status == FAILED:
                logger.error("an entry could not be stored")
            try:
                waiting.answered(status, seq, t, hosts)
            except Exception:
                logger.exception("an answer of Redis could not be handled")


class Appends:
    """Filled until it is written; sent again as it is when the connection breaks."""

    __slots__ = ("_packed", "_script", "is_open", "rows", "since")

    def __init__(self, sha: str, publish: str, since: float) -> None:
        self._script = sha, publish
        self.rows: list[Row] = []
        self.is_open = True
        """Entries may be added to its rows: neither it nor anything after it has been written."""
        self.since = since
        """Loop time at which the first of them came."""
        self._packed = b""

    def packed(self) -> bytes:
        """The command; nothing can be added from now on."""
        self.is_open = False
        if not self._packed:
            sha, publish = self._script
            rows = self.rows
            head = b"*%d\r\n$7\r\nEVALSHA\r\n" % (4 + 6 * len(rows))
            keys = [row.log.keys for row in rows]
            args = [row.packed() for row in rows]
            self._packed = b"".join(
                [head, bulk(sha), bulk(2 * len(rows)), *keys, bulk(publish), *args]
            )
        return self._packed

    def answered(self, reply: Any) -> None:
        COUNTERS.waited(asyncio.get_running_loop().time() - self.since)
        if isinstance(reply, hiredis.ReplyError):
            logger.error("entries could not be stored: %s", reply)
            reply = [[-1, 0, 0, 0, *[FAILED, -1] * len(row.said)] for row in self.rows]
        rows, self.rows = self.rows, []  # else they would keep each other
        for row, answer in zip(rows, reply, strict=True):
            try:
                row.answered(answer)
            except Exception:
                logger.exception("an answer of Redis could not be handled")
