"""Entries that leave together: one call of the append script for all of one turn."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

import hiredis

from games.live.resp import bulk

APPENDED, AGAIN, OVER, GONE, UNNEEDED, EARLY, FAILED = range(7)

MOST: Final = 256
"""Entries of one call: it keeps Redis from other work for some milliseconds."""

Done = Callable[[int, int, int, int], None]
"""Gets the status, the seq, the time and the number of hosts."""

logger = logging.getLogger(__name__)


class Appends:
    """Filled until it is written; sent again as it is when the connection breaks."""

    __slots__ = ("_packed", "_script", "entries")

    def __init__(self, sha: str, publish: str) -> None:
        self._script = sha, publish
        self.entries: list[tuple[bytes, bytes, Done]] = []
        """The two keys and seven arguments of each, packed, and who waits for its answer."""
        self._packed = b""

    def packed(self) -> bytes:
        """The command; nothing can be added from now on."""
        if not self._packed:
            sha, publish = self._script
            number = len(self.entries)
            head = b"*%d\r\n$7\r\nEVALSHA\r\n" % (4 + 9 * number)
            keys = [entry[0] for entry in self.entries]
            args = [entry[1] for entry in self.entries]
            self._packed = b"".join(
                [head, bulk(sha), bulk(2 * number), *keys, bulk(publish), *args]
            )
        return self._packed

    def answered(self, reply: Any) -> None:
        if isinstance(reply, hiredis.ReplyError):
            logger.error("entries could not be stored: %s", reply)
            reply = [0, *([FAILED, -1, 0, 0] for _ in self.entries)]
        answers = iter(reply)
        clock = next(answers)
        for (_, _, done), answer in zip(self.entries, answers, strict=True):
            try:
                if type(answer) is int:
                    done(APPENDED, answer, clock, 1)
                else:
                    status, seq, hosts, t = answer
                    if status == FAILED:
                        logger.error("an entry could not be stored")
                    done(status, seq, t, hosts)
            except Exception:
                logger.exception("an answer of Redis could not be handled")
