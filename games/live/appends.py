"""Entries that leave together: one call of the append script for all of one turn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

import hiredis

from games.live.counters import COUNTERS
from games.live.resp import bulk

APPENDED, AGAIN, OVER, GONE, UNNEEDED, EARLY, FAILED = range(7)

MOST: Final = 256
"""Entries of one call: it keeps Redis from other work for some milliseconds."""

Done = Callable[[int, int, int, int], None]
"""Gets the status, the seq, the time and the number of hosts; 0: nobody asked for that."""

logger = logging.getLogger(__name__)


class Appends:
    """Filled until it is written; sent again as it is when the connection breaks."""

    __slots__ = ("_packed", "_script", "entries", "since", "time")

    def __init__(self, sha: str, publish: str, since: float) -> None:
        self._script = sha, publish
        self.entries: list[tuple[bytes, bytes, Done]] = []
        """The two keys and three arguments of each, packed, and who waits for its answer."""
        self.since = since
        """Loop time at which the first of them came."""
        self.time = 0
        """The latest time of an entry that the senders know of."""
        self._packed = b""

    def packed(self) -> bytes:
        """The command; nothing can be added from now on."""
        if not self._packed:
            sha, publish = self._script
            entries = self.entries
            number = len(entries)
            head = b"*%d\r\n$7\r\nEVALSHA\r\n" % (5 + 5 * number)
            keys = [entry[0] for entry in entries]
            args = [entry[1] for entry in entries]
            self._packed = b"".join(
                [head, bulk(sha), bulk(2 * number), *keys, bulk(publish), bulk(self.time), *args]
            )
        return self._packed

    def answered(self, reply: Any) -> None:
        COUNTERS.waited(asyncio.get_running_loop().time() - self.since)
        if isinstance(reply, hiredis.ReplyError):
            logger.error("entries could not be stored: %s", reply)
            reply = [0, *([FAILED, -1, 0, 0] for _ in self.entries)]
        answers = iter(reply)
        t = next(answers)
        for (_, _, done), answer in zip(self.entries, answers, strict=True):
            try:
                if type(answer) is int:
                    done(APPENDED, answer, t, 0)
                else:
                    status, seq, hosts, at = answer
                    if status == FAILED:
                        logger.error("an entry could not be stored")
                    done(status, seq, at, hosts)
            except Exception:
                logger.exception("an answer of Redis could not be handled")
