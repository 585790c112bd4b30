"""A player in the lobby: one value for web, text, API and bot players."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from lobby.errors import LobbyError

DEFAULT_RATING = 1000.0


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """`identity` is what may sit in a match only once: a user, or one text connection."""

    identity: str
    name: str
    kind: str
    user_id: int | None = None
    ratings: dict[str, float] = {}
    text: bool = False
    """Plays through a text protocol."""

    def rating(self, mode: str) -> float:
        return self.ratings.get(mode, DEFAULT_RATING)

    @property
    def may_play_rated(self) -> bool:
        return self.user_id is not None and self.kind in ("registered", "bot")


def user_identity(user_id: int) -> str:
    return f"u{user_id}"


def player_of(user: Any, *, ratings: dict[str, float] | None = None, text: bool = False) -> Player:
    """The player that a row of accounts.User is."""
    return Player(
        identity=user_identity(user.pk),
        name=user.username,
        kind=user.kind,
        user_id=user.pk,
        ratings=ratings or {},
        text=text,
    )


async def refuse_muted(player: Player) -> None:
    """Before a player speaks to others, by a challenge or an invitation; raises LobbyError."""
    from games.moderation.enforcement import is_muted

    if await is_muted(player.user_id):
        raise LobbyError("muted")


def text_guest(name: str) -> Player:
    """A guest of a text protocol: no account, and as many of one name as there are connections."""
    return Player(identity=f"t{secrets.token_hex(8)}", name=name, kind="guest", text=True)
