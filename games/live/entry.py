"""Entries of a match: what the interpreter of a log is given, and how the archive packs them."""

from __future__ import annotations

import zlib
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
    """JSON: the action as the client sent it, or what belongs to the kind."""

    def body(self) -> Any:
        return msgspec.json.decode(self.data) if self.data else None


def pack_log(entries: list[Entry]) -> bytes:
    """Compressed lines of JSON: [seq, t, kind, seat, command id, data]."""
    lines = b"\n".join(
        msgspec.json.encode([e.seq, e.t, e.kind, e.seat, e.cid, e.data.decode()]) for e in entries
    )
    return zlib.compress(lines, 9)


def unpack_log(packed: bytes) -> list[Entry]:
    entries = []
    for line in zlib.decompress(packed).split(b"\n"):
        seq, t, kind, seat, cid, data = msgspec.json.decode(line)
        entries.append(Entry(seq, t, kind, seat, cid, data.encode()))
    return entries


def public_line(entry: Entry) -> bytes:
    """An entry as anybody may read it, as JSON: no ids of accounts, nothing of our processes."""
    data = entry.data or b"null"
    if entry.kind != ACTION or b"\n" in data:
        body = entry.body()
        if entry.kind == SETUP:
            body["seats"] = [{"name": s["name"], "kind": s["kind"]} for s in body["seats"]]
        elif entry.kind != ACTION and isinstance(body, dict):
            body.pop("by", None)
        data = msgspec.json.encode(body)
    seat = b"null" if entry.seat is None else b"%d" % entry.seat
    head = b'{"seq":%d,"t":%d,"kind":"%b","seat":%b,"data":%b}'
    return head % (entry.seq, entry.t, entry.kind.encode(), seat, data)
