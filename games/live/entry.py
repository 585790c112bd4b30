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


class Entry(msgspec.Struct, frozen=True, array_like=True):
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


def from_stream(raw: list[Any]) -> Entry:
    """From an XRANGE reply's item: [id, [field, value, ...]]."""
    identity, fields = raw
    _, t, _, kind, _, seat, _, cid, _, data = fields
    return Entry(
        int(identity.partition(b"-")[0]),
        int(t),
        kind.decode(),
        int(seat) if seat else None,
        cid.decode(),
        data,
    )


def from_hint(raw: bytes) -> Entry:
    """From what the append script publishes."""
    _, seq, t, kind, seat, cid, data = raw.split(b"\n", 6)
    return Entry(int(seq), int(t), kind.decode(), int(seat) if seat else None, cid.decode(), data)
