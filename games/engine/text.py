"""Text protocols: what a mode's `MODE.text` declares, and the steps that its sessions ask for.

A session is one client's conversation: messages and news in, steps out, without IO and clock. The
gateway (lobby/text/) carries the steps out and reports the results through the session's methods. A
refusal comes as a stable code and an English sentence, and the session words it in its protocol.
There are two flows. In `queue`, a client waits for a match, plays, and may play again. In `rooms`,
clients create and join named rooms, choose something, and the match starts when everybody in the
room has chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

# -- steps of every session ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Say:
    """Send this message to the client."""

    text: str


@dataclass(frozen=True, slots=True)
class Act:
    """Play this action; the gateway reports a refusal through `refused`."""

    action: dict[str, Any]


# -- steps of a session in a queue ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Authenticate:
    """Check this API token: `authenticated` or `denied`."""

    token: str


@dataclass(frozen=True, slots=True)
class Play:
    """Queue under this name: `queued`, then `matched`; or `denied`. With the key that the client
    chose it may come back after an outage."""

    name: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Back:
    """Return to the match of this name after an outage: `returned` or `denied`. The key, or the
    token of an account, proves that it is this client's."""

    name: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Again:
    """Answer the offer of a rematch: `settled` follows, and after a yes of all, `rematched`."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Leave:
    """Let go of the match; it goes on, or is over, without this connection."""


@dataclass(frozen=True, slots=True)
class Close:
    """End the connection."""


QueueStep = Say | Act | Authenticate | Play | Back | Again | Leave | Close


class QueueSession(Protocol):
    """The session of a client that queues, as the gateway uses it."""

    @property
    def busy(self) -> bool:
        """In a match, where a client may be silent for long."""

    @property
    def asks_again(self) -> bool:
        """The match is over and the client may want a rematch."""

    def complaint(self, text: str) -> str:
        """The message for a client that broke a limit of the gateway."""

    def line(self, line: bytes) -> list[QueueStep]: ...
    def lost(self) -> list[QueueStep]: ...
    def authenticated(self) -> list[QueueStep]: ...
    def denied(self, code: str, text: str) -> list[QueueStep]: ...
    def queued(self) -> list[QueueStep]: ...
    def matched(self, opponent: str, seat: int) -> list[QueueStep]: ...
    def returned(self, opponent: str, seat: int, view: dict[str, Any]) -> list[QueueStep]: ...
    def event(self, event: dict[str, Any]) -> list[QueueStep]: ...
    def refused(self, code: str, text: str) -> list[QueueStep]: ...
    def settled(self, again: bool) -> list[QueueStep]: ...
    def rematched(self, seat: int) -> list[QueueStep]: ...


# -- steps of a session with rooms ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakeName:
    """Take this name: `named` or `name_taken`."""

    name: str


@dataclass(frozen=True, slots=True)
class ListRooms:
    """Send the names of the rooms that can be joined, a line each."""


@dataclass(frozen=True, slots=True)
class CreateRoom:
    """Create a room; `not_created` when that is impossible. `game` is JSON and means something to
    this mode alone: `Rooms.options` makes the match's options from it."""

    name: str
    game: dict[str, Any]


@dataclass(frozen=True, slots=True)
class JoinRoom:
    """Join the room: `joined` or `rejected`."""

    name: str


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose this in the room, for good: `chosen` for everybody in it, or `refused`."""

    choice: Any


@dataclass(frozen=True, slots=True)
class LeaveRoom:
    """Leave the room before the match."""


@dataclass(frozen=True, slots=True)
class LeaveMatch:
    """Surrender and let go of the match."""


RoomStep = (
    Say | Act | TakeName | ListRooms | CreateRoom | JoinRoom | Choose | LeaveRoom | LeaveMatch
)


class RoomSession(Protocol):
    """The session of a client that joins rooms, as the gateway uses it."""

    @property
    def busy(self) -> bool:
        """In a room or a match, where a client may be silent for long."""

    def complaint(self, text: str) -> str:
        """The message for a client that broke a limit of the gateway."""

    def is_echo(self, text: str) -> bool:
        """The message asks for what the client was told already: it is answered at no cost and
        doesn't count against the rate limit. At most once for each thing told."""

    def greeting(self) -> list[RoomStep]: ...
    def frame(self, text: str) -> list[RoomStep]: ...
    def lost(self) -> list[RoomStep]: ...
    def named(self) -> list[RoomStep]: ...
    def name_taken(self) -> list[RoomStep]: ...
    def not_created(self, code: str, text: str) -> list[RoomStep]: ...
    def joined(
        self, game: Mapping[str, Any], players: list[str], choices: dict[str, Any]
    ) -> list[RoomStep]: ...
    def rejected(self) -> list[RoomStep]: ...
    def newcomer(self, name: str) -> list[RoomStep]: ...
    def gone(self, name: str) -> list[RoomStep]: ...
    def chosen(self, name: str, choice: Any, own: bool) -> list[RoomStep]: ...
    def dismissed(self, code: str, text: str) -> list[RoomStep]: ...
    def started(self, seat: int, names: list[str]) -> list[RoomStep]: ...
    def event(self, event: dict[str, Any]) -> list[RoomStep]: ...
    def refused(self, code: str, text: str) -> list[RoomStep]: ...


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """The part of a mode that its rooms need."""

    options: Callable[[Mapping[str, Any]], dict[str, Any]]
    """The options of the match, from the `game` of `CreateRoom`."""
    check_choice: Callable[[Mapping[str, Any], Any, Sequence[tuple[str, Any]]], None]
    """`(game, choice, [(name, choice) of the others])`; raises IllegalAction."""
    opening: Callable[[Any], list[dict[str, Any]]]
    """The first actions of a seat whose client chose this."""


# -- the protocol --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class TextProtocol:
    """A mode's text protocol, on `/ws/text/<mode>/` and maybe on the TCP port. With `rooms`
    its clients gather in rooms; without, they queue."""

    session: Callable[[], Any]
    """Makes a QueueSession, or a RoomSession."""
    rooms: Rooms | None = None
    tcp: bool = False
    """Whether the TCP port speaks it, a message per line. One mode has the port."""
    messages_per_second: int = 20
    burst: int = 20
    """The number of messages that may arrive at once."""
    outbox: int = 1024
    """The number of messages that may wait for a client that reads slowly."""

    def __post_init__(self) -> None:
        if self.tcp and self.rooms is not None:
            raise ValueError("The TCP port serves clients that queue, not rooms.")
