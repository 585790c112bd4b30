"""The messages of `/ws/lobby/`: a closed set, decoded with their types. See docs/lobby.md."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from lobby.errors import LobbyError
from lobby.tickets import ANY, Wish

VERSION: Final = 1
LONGEST: Final = 8192
"""Bytes of one message from a client."""

SERVER_TYPES: Final = (
    "again",
    "announce",
    "blocks",
    "bot_offer",
    "called",
    "challenge",
    "chat_line",
    "chat_muted",
    "chat_reported",
    "chat_room",
    "error",
    "following",
    "hello",
    "invitation",
    "matched",
    "matches",
    "notification",
    "people",
    "pong",
    "presence",
    "queued",
    "queues",
    "reconnect",
    "requeued",
    "return",
    "tournament",
    "tournament_starts",
    "unqueued",
)
"""Everything the server says."""


class Message(msgspec.Struct, tag_field="type", forbid_unknown_fields=True, frozen=True):
    pass


class WishIn(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    mode: str
    size: int | Literal["any"] = "any"
    rated: bool = False
    preset: str = ""

    def wish(self) -> Wish:
        size = ANY if self.size == "any" else self.size
        if size == ANY and self.size != "any":
            raise LobbyError("bad_size", mode=self.mode)
        return Wish(mode=self.mode, size=size, rated=self.rated, preset=self.preset)


class Queue(Message, tag="queue", frozen=True):
    wishes: list[WishIn]
    bot: bool = False


class Unqueue(Message, tag="unqueue", frozen=True):
    pass


class Bot(Message, tag="bot", frozen=True):
    pass


class Again(Message, tag="again", frozen=True):
    match: str
    yes: bool


class Challenge(Message, tag="challenge", frozen=True):
    to: str
    mode: str
    options: dict[str, Any] = {}
    rated: bool = False
    keep: bool = False


class ChallengeAnswer(Message, tag="challenge_answer", frozen=True):
    id: str
    yes: bool


class ChallengeCancel(Message, tag="challenge_cancel", frozen=True):
    id: str


class Invite(Message, tag="invite", frozen=True):
    mode: str
    options: dict[str, Any] = {}
    size: int | None = None


class InviteTake(Message, tag="invite_take", frozen=True):
    token: str


class InviteLeave(Message, tag="invite_leave", frozen=True):
    token: str


class Solo(Message, tag="solo", frozen=True):
    mode: str = ""
    """Empty: the first mode for one."""
    options: dict[str, Any] = {}


class Watch(Message, tag="watch", frozen=True):
    on: bool


class FollowTournament(Message, tag="tournament", frozen=True):
    id: str
    on: bool = True


class Block(Message, tag="block", frozen=True):
    name: str


class Unblock(Message, tag="unblock", frozen=True):
    name: str


class InviteCall(Message, tag="invite_call", frozen=True):
    token: str
    name: str


class Follow(Message, tag="follow", frozen=True):
    name: str


class Unfollow(Message, tag="unfollow", frozen=True):
    name: str


class People(Message, tag="people", frozen=True):
    on: bool


Room = Annotated[
    str,
    msgspec.Meta(
        max_length=40,
        pattern=r"^[a-z]{1,16}:[A-Za-z0-9_-]{1,23}\Z",
        examples=["match:k2f9x0a7q3bz"],
    ),
]


class ChatOpen(Message, tag="chat_open", frozen=True):
    room: Room


class ChatClose(Message, tag="chat_close", frozen=True):
    room: Room


class Chat(Message, tag="chat", frozen=True):
    """Either a phrase or a text."""

    room: Room
    key: Annotated[str, msgspec.Meta(max_length=16, pattern=r"^[A-Za-z0-9_-]+\Z")]
    phrase: Annotated[str, msgspec.Meta(max_length=16)] = ""
    text: Annotated[str, msgspec.Meta(max_length=1000)] = ""


class ChatMute(Message, tag="chat_mute", frozen=True):
    name: str
    on: bool


class ChatReport(Message, tag="chat_report", frozen=True):
    line: Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]


class Ping(Message, tag="ping", frozen=True):
    at: int | float | None = None


Client = (
    Queue
    | Unqueue
    | Bot
    | Again
    | Challenge
    | ChallengeAnswer
    | ChallengeCancel
    | Invite
    | InviteTake
    | InviteLeave
    | Solo
    | Watch
    | FollowTournament
    | Block
    | Unblock
    | InviteCall
    | Follow
    | Unfollow
    | People
    | ChatOpen
    | ChatClose
    | Chat
    | ChatMute
    | ChatReport
    | Ping
)

CLIENT_TYPES: Final = tuple(str(kind.__struct_config__.tag) for kind in Client.__args__)

_decoder: msgspec.json.Decoder[Client] = msgspec.json.Decoder(Client)
_peek = msgspec.json.Decoder(dict[str, Any])


def decode(raw: str | bytes) -> Client:
    """The client's message; raises LobbyError for anything that is not one."""
    if len(raw) > LONGEST:
        raise LobbyError("bad_message", f"A message has at most {LONGEST} bytes.")
    try:
        return _decoder.decode(raw)
    except msgspec.ValidationError as error:
        raise LobbyError(_code(raw), str(error)) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise LobbyError("bad_message", "That is not JSON.") from None


def _code(raw: str | bytes) -> str:
    try:
        kind = _peek.decode(raw).get("type")
    except msgspec.MsgspecError:
        return "bad_message"
    return "bad_message" if kind in CLIENT_TYPES else "unknown_type"


def encode(message: dict[str, Any]) -> bytes:
    return msgspec.json.encode(message)
