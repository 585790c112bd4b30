"""A WebSocket client that sends exactly the bytes it is told to, right or wrong."""

from __future__ import annotations

import os
import socket
import struct
from typing import Any, Self

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(
    opcode: int,
    payload: bytes = b"",
    *,
    fin: bool = True,
    rsv: int = 0,
    masked: bool = True,
    length: bytes | None = None,
) -> bytes:
    first = fin << 7 | rsv << 4 | opcode
    if length is None:
        if len(payload) < 126:
            length = bytes([len(payload)])
        elif len(payload) < 1 << 16:
            length = struct.pack("!BH", 126, len(payload))
        else:
            length = struct.pack("!BQ", 127, len(payload))
    head = bytes([first, length[0] | masked << 7]) + length[1:]
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def close_frame(code: int | None = None, reason: bytes = b"") -> bytes:
    return frame(CLOSE, b"" if code is None else struct.pack("!H", code) + reason)


class RawClient:
    """Opens on construction; `headers` replace the usual ones (None removes one)."""

    def __init__(
        self,
        address: Any,
        path: str = "/echo",
        *,
        headers: dict[str, str | None] | None = None,
        method: str = "GET",
        after: bytes = b"",
        expect: int = 101,
    ) -> None:
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.sock = socket.socket(family)
        self.sock.settimeout(30)
        self.sock.connect(address)
        self.received = b""
        fields: dict[str, str | None] = {
            "Host": "localhost",
            "Upgrade": "websocket",
            "Connection": "keep-alive, Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
        fields |= headers or {}
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in fields.items() if value is not None]
        self.sock.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + after)
        if expect:
            self.read_head()
            assert self.status == expect, self.head

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.sock.close()

    def read_head(self) -> None:
        while b"\r\n\r\n" not in self.received:
            self._more()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        self.head = head.decode()
        self.status = int(self.head.split()[1])

    def send(self, *frames: bytes) -> None:
        self.sock.sendall(b"".join(frames))

    def send_bytewise(self, data: bytes) -> None:
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for index in range(len(data)):
            self.sock.sendall(data[index : index + 1])

    def read(self) -> tuple[int, bytes]:
        """The next frame: opcode (with FIN and reserved bits, which must be as usual), payload."""
        first, second = self._take(2)
        assert first & 0xF0 == 0x80, "the server neither fragments nor sets reserved bits"
        assert second < 128, "a server does not mask"
        size = second
        if second == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif second == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        return first & 0xF, self._take(size)

    def read_close(self) -> int | None:
        """The code of the next frame, which must be a close."""
        opcode, payload = self.read()
        assert opcode == CLOSE, (opcode, payload[:100])
        return struct.unpack("!H", payload[:2])[0] if payload else None

    def is_cut(self) -> bool:
        """Wait until the server ends the connection; True if nothing more came before."""
        try:
            return self.received == b"" and self.sock.recv(1) == b""
        except ConnectionResetError:
            return True

    def _take(self, size: int) -> bytes:
        while len(self.received) < size:
            self._more()
        taken, self.received = self.received[:size], self.received[size:]
        return taken

    def _more(self) -> None:
        data = self.sock.recv(65536)
        if not data:
            raise EOFError("the server ended the connection")
        self.received += data
