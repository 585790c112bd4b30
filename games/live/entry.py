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


def from_stream(raw: list[Any]) -> Entry:
    """From an XRANGE reply's item: [id, [time, what is said]]."""
    identity, fields = raw
    seq = int(identity.partition(b"-")[0])
    if len(fields) == 2:
        return _entry(seq, int(fields[0]), fields[1])
    # Written by an older version: five fields with their names.
    return _entry(seq, int(fields[1]), b"\n".join(fields[3::2]))


def from_hint(raw: bytes) -> Entry:
    """From what the append script publishes."""
    _, seq, t, text = raw.split(b"\n", 3)
    return _entry(int(seq), int(t), text)
