"""The opening handshake: an upgrade request read into an ASGI scope, and the answers but 101."""

from __future__ import annotations

import base64
import binascii
import email.utils
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus

Headers = list[tuple[bytes, bytes]]


class BadHandshake(Exception):
    """An upgrade request that cannot become a WebSocket."""

    def __init__(self, status: HTTPStatus, text: str, headers: Headers | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.headers = headers or []


@dataclass(frozen=True, slots=True)
class UpgradeRequest:
    raw_path: bytes
    query_string: bytes
    headers: Headers
    key: bytes
    subprotocols: list[str]


def read_request(data: bytes) -> UpgradeRequest:
    """The request as uvicorn hands it over: whole, parsed once already, headers in lower case.

    uvicorn has checked `Upgrade` and `Connection`. Raises BadHandshake for everything else.
    """
    first, *lines = data.removesuffix(b"\r\n\r\n").split(b"\r\n")
    method, target, _ = first.split(b" ", 2)
    headers: Headers = []
    versions: list[bytes] = []
    keys: list[bytes] = []
    subprotocols: list[str] = []
    for line in lines:
        raw_name, _, value = line.partition(b":")
        name, value = raw_name.lower(), value.strip()
        headers.append((name, value))
        if name == b"sec-websocket-version":
            versions.append(value)
        elif name == b"sec-websocket-key":
            keys.append(value)
        elif name == b"sec-websocket-protocol":
            subprotocols += [token.strip() for token in value.decode("latin-1").split(",")]
    if method != b"GET":
        raise BadHandshake(
            HTTPStatus.METHOD_NOT_ALLOWED,
            "A WebSocket opens with GET.",
            [(b"allow", b"GET")],
        )
    if versions != [b"13"]:
        raise BadHandshake(
            HTTPStatus.UPGRADE_REQUIRED,
            "Only version 13 of the WebSocket protocol is spoken here.",
            [(b"sec-websocket-version", b"13")],
        )
    if len(keys) != 1 or not _is_key(keys[0]):
        raise BadHandshake(HTTPStatus.BAD_REQUEST, "Sec-WebSocket-Key must be 16 bytes in base64.")
    raw_path, _, query_string = target.partition(b"?")
    return UpgradeRequest(raw_path, query_string, headers, keys[0], subprotocols)


def _is_key(value: bytes) -> bool:
    try:
        return len(base64.b64decode(value, validate=True)) == 16
    except binascii.Error:
        return False


def minimal_request(key: bytes) -> bytes:
    """The part that picows needs to see of a request that was checked here and decided by the
    application.

    It compares `Connection` literally, so a browser's "keep-alive, Upgrade" would be refused, and
    it keeps the headers as long as the connection lives.
    """
    return (
        b"GET / HTTP/1.1\r\nhost: -\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
        b"sec-websocket-version: 13\r\nsec-websocket-key: " + key + b"\r\n\r\n"
    )


def http_response(status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> bytes:
    """A whole HTTP response that ends the connection."""
    fields = {
        b"date": email.utils.formatdate(usegmt=True).encode(),
        b"content-type": b"text/plain; charset=utf-8",
    }
    given = [(name.lower(), value) for name, value in headers]
    given = [field for field in given if field[0] not in (b"connection", b"content-length")]
    for name, _ in given:
        fields.pop(name, None)
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = ""
    own = [
        *fields.items(),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    lines = [b"HTTP/1.1 %d %s" % (status, phrase.encode())]
    lines += [b"%s: %s" % field for field in given + own]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
