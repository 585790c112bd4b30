"""A JSON object, compressed so that members can be added to it later without looking inside.

It is stored as a raw deflate stream without its end, and without the object's closing brace, with
the checksum and the length of what it unpacks to. To answer a request, the members that may change
(names) are compressed alone and put behind it: a few microseconds, however long the object is.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

import msgspec

GZIP_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
LEVEL: Final = 6


class Body(msgspec.Struct, array_like=True, frozen=True):
    packed: bytes
    crc: int
    size: int
    """Bytes of JSON."""


def pack(members: dict[str, Any], most: int) -> Body | None:
    """None when it is larger than so many bytes."""
    text = msgspec.json.encode(members)[:-1]
    if len(text) > most:
        return None
    deflate = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
    packed = deflate.compress(text) + deflate.flush(zlib.Z_FULL_FLUSH)
    return Body(packed, zlib.crc32(text), len(text))


def gzipped(body: Body, more: dict[str, Any]) -> bytes:
    """The whole object with these members too, as gzip."""
    tail = _tail(more)
    deflate = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
    end = deflate.compress(tail) + deflate.flush()
    crc, size = zlib.crc32(tail, body.crc), body.size + len(tail)
    foot = crc.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")
    return b"".join((GZIP_HEAD, body.packed, end, foot))


def plain(body: Body, more: dict[str, Any]) -> bytes:
    """The same, not compressed."""
    inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    return inflate.decompress(body.packed) + _tail(more)


def _tail(more: dict[str, Any]) -> bytes:
    return (b"," if more else b"") + msgspec.json.encode(more)[1:]
