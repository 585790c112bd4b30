"""Rooms: a kind and an id, written `kind:id`. The app that has a kind of room says with `provide`
who may read and speak in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from lobby.errors import LobbyError
from lobby.players import Player

REGISTERED: Final = frozenset({"registered", "bot"})


@dataclass(frozen=True, slots=True)
class Rights:
    """What a player may do in a room, besides reading it."""

    phrases: bool = False
    text: bool = False
    why: str = ""
    """The error code of whatever is not allowed."""
    delay_ms: int = 0
    """Lines of others are shown this much later."""


Rule = Callable[[Player, str], Awaitable[Rights]]
"""What this player may do in the room of this id. Raises LobbyError when they may not read it."""

RULES: Final[dict[str, Rule]] = {}
"""By the kind of room."""


def provide(kind: str, rule: Rule) -> None:
    """Name the rule of a kind of room: `rooms.provide("tournament", rule)` when the app starts."""
    RULES[kind] = rule


async def rights(player: Player, room: str) -> Rights:
    """Raises LobbyError when there is no such room, or not for this player."""
    kind, _, number = room.partition(":")
    rule = RULES.get(kind)
    if rule is None or not number:
        raise LobbyError("no_such_room")
    return await rule(player, number)


def open_to_all(player: Player) -> Rights:
    """Everybody may speak: guests in quick phrases, players with an account as they like."""
    is_registered = player.kind in REGISTERED
    return Rights(phrases=True, text=is_registered, why="" if is_registered else "chat_phrases")


def group_of(room: str) -> str:
    """The address of notices about this room."""
    return f"chat.{room}"
