"""Entries of a match's log, as they are in Redis, in a published hint and in the archive."""

from __future__ import annotations

from typing import Any, Final

import msgspec

SETUP: Final = "setup"
ACTION: Final = "action"
TICK: Final = "tick"
DROP: Final = "drop"
RETURN: Final = "return"
LEAVE: Final = "leave"
OUTAGE: Final = "outage"
ABORT: Final = "abort"


BETWEEN: Final = b"\x1e"
"""Between the entries of a row: no JSON contains it, nor does a command id."""


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    seq: int
    t: int
    """Milliseconds of Redis' clock; never less than the entry before."""
    kind: str
    seat: int | None
    cid: str
    """The command id; empty when there is none. Ids that begin with ! are the runtime's own."""
    data: bytes
    """JSON: the action as it came, or what belongs to the kind."""

    def body(self) -> Any:
        return msgspec.json.decode(self.data) if self.data else None


def said(kind: str, seat: int | None, cid: str) -> bytes:
    """What an entry says, up to its data."""
    return b"%b\n%b\n%b\n" % (kind.encode(), b"" if seat is None else b"%d" % seat, cid.encode())


def _entry(seq: int, t: int, text: bytes) -> Entry:
    kind, seat, cid, data = text.split(b"\n", 3)
    return Entry(seq, t, kind.decode(), int(seat) if seat else None, cid.decode(), data)


def _row(last: int, t: int, text: bytes) -> list[Entry]:
    """The entries of a row, of which the last has this seq. A row that says nothing has none."""
    if not text:
        return []
    said = text.split(BETWEEN)
    first = last - len(said) + 1
    return [_entry(first + i, t, one) for i, one in enumerate(said)]


def from_row(raw: list[Any]) -> list[Entry]:
    """From an XRANGE reply's item: [id, [time, what is said]]."""
    identity, fields = raw
    last = int(identity.partition(b"-")[0])
    if len(fields) == 2:
        return _row(last, int(fields[0]), fields[1])
    # Written by an older version: five fields with their names.
    return [_entry(last, int(fields[1]), b"\n".join(fields[3::2]))]


def from_hint(raw: bytes) -> list[Entry]:
    """From what the append script publishes."""
    _, last, t, text = raw.split(b"\n", 3)
    return _row(int(last), int(t), text)
