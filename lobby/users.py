"""Finding the account that a player names."""

from __future__ import annotations

import re

from accounts.models import User
from lobby.errors import LobbyError

NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")


async def user_named(name: str) -> User:
    """The user of this name, in any case; raises LobbyError."""
    # A name that nobody can have is not looked for: databases refuse some characters.
    if NAME.fullmatch(name):
        user = await User.objects.filter(username__iexact=name, is_active=True).afirst()
        if user is not None:
            return user
    raise LobbyError("no_such_player")
