"""The messages of `/ws/match/<id>/`, version 1. docs/protocol.md describes each."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

import msgspec

from games.live.setup import MatchSetup

VERSION: Final = 1

Number = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
CommandId = Annotated[str, msgspec.Meta(min_length=1, max_length=32)]
_is_plain = re.compile("[A-Za-z0-9_-]+").fullmatch


def is_command_id(text: str) -> bool:
    """Of the right characters; msgspec's own patterns cost more than all the rest of a message."""
    return (text.isascii() and text.isalnum()) or _is_plain(text) is not None


class _In(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    pass


class Hello(_In, tag="hello"):
    version: int
    last: Number | None = None
    """The number of the last event that the client has; the server sends the later ones."""
    since: Number | None = None
    """From a client that connects again by itself: `now` of the welcome with which it took the
    seat. It does not take the seat from a connection that took it later."""


class Act(_In, tag="act"):
    id: CommandId
    action: msgspec.Raw


class Ping(_In, tag="ping"):
    at: int | float = 0


class Leave(_In, tag="leave"):
    pass


Incoming = Hello | Act | Ping | Leave
decode = msgspec.json.Decoder(Incoming).decode


class _Out(msgspec.Struct, tag_field="type", omit_defaults=False):
    pass


class Player(msgspec.Struct):
    name: str
    kind: str
    user: str | None
    """The name of the profile; None when there is none."""


class Welcome(_Out, tag="welcome"):
    version: int
    match: str
    mode: str
    seat: int | None
    now: int
    players: list[Player]
    rated: bool
    source: str
    previous: str | None
    spectators: int
    delay: int
    """Milliseconds that this viewer is behind."""


HAVE_PROFILE: Final = ("registered", "bot", "house")


def welcome(
    match_id: str, setup: MatchSetup, seat: int | None, now: int, spectators: int, delay: int = 0
) -> Welcome:
    return Welcome(
        version=VERSION,
        match=match_id,
        mode=setup.mode,
        seat=seat,
        now=now,
        players=[
            Player(s.name, s.kind, s.name if s.kind in HAVE_PROFILE else None) for s in setup.seats
        ],
        rated=setup.rated,
        source=setup.source,
        previous=setup.previous,
        spectators=spectators,
        delay=delay,
    )


class View(_Out, tag="view"):
    n: int
    view: dict[str, Any]


class Ack(_Out, tag="ack"):
    id: str


class Refused(_Out, tag="refused"):
    id: str
    code: str
    text: str


class Pong(_Out, tag="pong"):
    at: int | float
    now: int


class Error(_Out, tag="error"):
    code: str
    text: str


class TakenOver(_Out, tag="taken_over"):
    pass


class Spectators(_Out, tag="spectators"):
    n: int


class Archived(_Out, tag="archived"):
    pass


class Reconnect(_Out, tag="reconnect"):
    after_ms: int


Outgoing = (
    Welcome | View | Ack | Refused | Pong | Error | TakenOver | Spectators | Archived | Reconnect
)
"""The server's messages beside events, whose form is the mode's own."""

encode = msgspec.json.Encoder().encode


class Close:
    """Close codes of our own."""

    TAKEN_OVER = 4001
    NO_ACCESS = 4003
    NO_MATCH = 4004
    TOO_SLOW = 4008
    TOO_MANY = 4009
    NOT_UNDERSTOOD = 4010
    UNKNOWN_RULES = 4012
    FAULT = 4013
    IDLE = 4020
    RESTART = 1012
    OVER = 1000


ERRORS: Final = {
    "not_understood": "This message isn't part of the protocol.",
    "hello_first": "The first message must be hello.",
    "hello_again": "Send hello only once.",
    "version": "The site doesn't support this version of the protocol. Reload the page.",
    "no_match": "This match doesn’t exist.",
    "unknown_rules": "This server doesn't know these rules yet. Try again in a moment.",
    "not_a_player": "You're watching this match and can't play in it.",
    "rate_limited": "Too many messages at once. The site closed the connection.",
    "no_access": "Your session or token is no longer valid. Sign in again.",
    "archive_busy": "The archive is busy. Try again in a moment.",
    "withheld": "This board stays secret while others can still play it.",
    "match_gone": "This match no longer exists.",
    "server_fault": "Something went wrong on our side. Try again.",
}
