"""Lines out of a stream of bytes. CR, LF and CRLF all end a line."""

from __future__ import annotations

import re
from typing import Final

_ENDS = re.compile(rb"\r\n|\r|\n")

OVERLONG: Final = None
"""Stands for a line that passed the limit; the line itself is not kept."""


class LineSplitter:
    """Feed it bytes, get complete lines; empty lines are left out unless `blank` asks for them.
    Holds at most `limit` bytes, however long a line gets: such a line is reported once, as
    OVERLONG, and skipped to its end."""

    def __init__(self, limit: int, *, blank: bool = False) -> None:
        self._limit = limit
        self._blank = blank
        self._rest = b""
        self._skipping = False
        self._after_cr = False
        self.skipped = 0
        """Bytes of the line that is being skipped."""

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that `data` completes."""
        if self._after_cr and data.startswith(b"\n"):
            data = data[1:]  # the CR before it has ended the line
            self._after_cr = False
        if data:
            self._after_cr = data.endswith(b"\r")
        *lines, rest = _ENDS.split(self._rest + data)
        found: list[bytes | None] = []
        for line in lines:
            if self._skipping:
                self._skipping = False
            elif len(line) > self._limit:
                found.append(OVERLONG)
            elif line or self._blank:
                found.append(line)
        if not self._skipping and len(rest) > self._limit:
            found.append(OVERLONG)
            self._skipping, self.skipped = True, 0
        if self._skipping:
            self.skipped += len(rest)
            rest = b""
        self._rest = rest
        return found

    @property
    def kept(self) -> int:
        """Bytes of a line that isn't complete yet."""
        return len(self._rest)

    def close(self) -> list[bytes | None]:
        """The stream has ended: what was left is a line too."""
        line, self._rest = self._rest, b""
        return [line] if line else []
