"""One raw connection to a Redis server: bytes out, parsed replies in. Keeps no state of its own."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import hiredis
from redis.connection import parse_url

CONNECT_TIMEOUT = 3.0


@dataclass(frozen=True, slots=True)
class Address:
    """A server's address and the credentials for it."""

    host: str = ""
    port: int = 0
    path: str = ""
    username: str | None = None
    password: str | None = None
    db: int = 0
    tls: bool = False

    @classmethod
    def from_url(cls, url: str) -> Address:
        given = parse_url(url)
        return cls(
            host=given.get("host") or "localhost",
            port=int(given.get("port") or 6379),
            path=given.get("path") or "",
            username=given.get("username"),
            password=given.get("password"),
            db=int(given.get("db") or 0),
            tls=url.startswith("rediss:"),
        )

    def __str__(self) -> str:
        return self.path or f"{self.host}:{self.port}"

    def at(self, host: str, port: int) -> Address:
        """Another server with the same credentials."""
        return replace(self, host=host, port=port, path="")


class Refused(Exception):
    """Redis answered with an error."""


def pack(*args: str | bytes | int) -> bytes:
    """A command as Redis reads it."""
    packed: bytes = hiredis.pack_command(args)  # type: ignore[arg-type]  # typed for one argument
    return packed


def bulk(arg: str | bytes | int) -> bytes:
    """One argument of a command as Redis reads it."""
    raw = arg if isinstance(arg, bytes) else str(arg).encode()
    return b"$%d\r\n%b\r\n" % (len(raw), raw)


class Connection(asyncio.Protocol):
    """Calls `on_reply` for every reply and push, `on_lost` once at the end."""

    def __init__(
        self,
        on_reply: Callable[[Any], None],
        on_lost: Callable[[], None],
        on_read: Callable[[], None] | None = None,
    ) -> None:
        """`on_read` is called after the replies that came together."""
        self._on_read = on_read
        self._reader = hiredis.Reader()
        self._on_reply = on_reply
        self._on_lost = on_lost
        self._transport: asyncio.Transport
        self._closed = False
        self.closed = asyncio.Event()
        """The socket is closed."""
        self._loop = asyncio.get_running_loop()
        self.heard = self._loop.time()
        """Loop time of the last bytes from the server."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # TCP has a Transport

    def data_received(self, data: bytes) -> None:
        self.heard = self._loop.time()
        reader, on_reply = self._reader, self._on_reply
        reader.feed(data)
        # False is hiredis' word for "not complete yet"; a RESP2 reply is never False.
        while (reply := reader.gets()) is not False:
            if self._closed:
                return
            on_reply(reply)
        if self._on_read is not None:
            self._on_read()

    def connection_lost(self, error: Exception | None) -> None:
        self.closed.set()
        self._tell_lost()

    def _tell_lost(self) -> None:
        if not self._closed:
            self._closed = True
            self._on_lost()

    def write(self, data: bytes) -> None:
        self._transport.write(data)

    def abort(self) -> None:
        """Cut it now; what was written may or may not have been carried out."""
        if not self._closed:
            self._transport.abort()
            self._tell_lost()


async def connect(
    address: Address,
    on_reply: Callable[[Any], None],
    on_lost: Callable[[], None],
    on_read: Callable[[], None] | None = None,
) -> Connection:
    """Open the connection; raises OSError. The caller signs in with `greeting`."""
    loop = asyncio.get_running_loop()

    def factory() -> Connection:
        return Connection(on_reply, on_lost, on_read)

    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            if address.path:
                return (await loop.create_unix_connection(factory, address.path))[1]
            secure = ssl.create_default_context() if address.tls else None
            made = await loop.create_connection(factory, address.host, address.port, ssl=secure)
            return made[1]
    except TimeoutError as error:
        raise OSError(f"no connection to {address.host or address.path}") from error


def greeting(address: Address) -> list[bytes]:
    """The first commands of a connection; each gets one reply."""
    hello: list[str] = ["HELLO", "2"]
    if address.password is not None:
        hello += ["AUTH", address.username or "default", address.password]
    commands = [pack(*hello)]
    if address.db:
        commands.append(pack("SELECT", str(address.db)))
    return commands
