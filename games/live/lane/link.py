"""The vocabulary of a link: its interface, its limits, its close codes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Protocol

EXTENSION = "minesite.lane"
"""The key in `scope["extensions"]` under which a server offers its `Lane`."""

# Close codes that this package uses of itself. 4000-4999 is the private range.
NORMAL = 1000
PROTOCOL_ERROR = 1002
NO_CODE = 1005
ABNORMAL = 1006
INVALID_TEXT = 1007
TOO_BIG = 1009
INTERNAL_ERROR = 1011
RESTART = 1012
TOO_SLOW = 4008
TOO_MANY = 4009
IDLE = 4020

CLOSE_PATIENCE = 5.0
"""Seconds that a peer has for its half of the closing handshake before the connection is cut."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
OnMessage = Callable[[bytes], None]
OnClose = Callable[[int, str], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one socket."""

    message: int = 8 * 1024
    """Longest message taken from the client, in bytes; a longer one closes the socket with 1009."""
    buffered: int = 256 * 1024
    """Most bytes that wait for a client; more of them close the socket with 4008."""
    idle: float | None = None
    """Seconds without a message from the client until the socket is closed with 4020 (at the
    latest a quarter later). None: never; pings alone decide whether the peer is there."""


MATCH_LIMITS = Limits()
"""The limits of a match socket, and of any other that names none."""


class Link(Protocol):
    """One open WebSocket. Its methods belong to the event loop's thread and never wait."""

    @property
    def buffered(self) -> int:
        """Bytes given to `send` that the operating system has not taken yet."""
        ...

    def send(self, data: bytes) -> None:
        """Send one text message (UTF-8). Does nothing once the link is closing."""
        ...

    def close(self, code: int = NORMAL, reason: str = "") -> None:
        """Begin the closing handshake. Messages that still arrive are dropped. Repeatable."""
        ...

    async def finished(self) -> None:
        """Return when the connection is over. Must be awaited, once, by the ASGI application:
        under plain ASGI this is what receives the messages."""
        ...

    async def detached(self) -> None:
        """Instead of `finished`, for an application with nothing left to do but its handlers.

        On the lane it returns at once: the application returns, the connection lives on, and the
        memory of the coroutines and scopes above it is free. Elsewhere it is `finished`."""
        ...


class Lane(Protocol):
    """The entry in `scope["extensions"]`: the raw connection of this socket."""

    def attach(
        self, on_message: OnMessage, on_close: OnClose, limits: Limits = MATCH_LIMITS
    ) -> Link: ...


def fit_reason(reason: str) -> str:
    """The reason, cut to the 123 bytes that fit into a close frame, between two characters."""
    return reason.encode()[:123].decode(errors="ignore")
