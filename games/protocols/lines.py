"""Lines out of a stream of bytes. CR, LF and CRLF all end a line."""

from __future__ import annotations

import re

_ENDS = re.compile(rb"[\r\n]")


class LineTooLong(Exception):
    """The sender passed the limit without ending its line."""


class LineSplitter:
    """Feed it bytes, get complete lines; empty lines are left out. Holds at most `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes; raises LineTooLong."""
        *lines, self._rest = _ENDS.split(self._rest + data)
        if len(self._rest) > self._limit or any(len(line) > self._limit for line in lines):
            self._rest = b""
            raise LineTooLong
        return [line for line in lines if line]

    def close(self) -> list[bytes]:
        """The stream has ended: what was left is a line too."""
        line, self._rest = self._rest, b""
        return [line] if line else []
