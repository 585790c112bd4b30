"""Identifies a text client: an account with its token, or a guest of a name that no account has.

The names of guests keep the rules of account names (accounts/validators.py): nobody looks like
another player, the site or its staff by connecting through a text protocol.
"""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from django.core.exceptions import ValidationError

from accounts import tokens
from accounts.models import Token, User
from accounts.validators import not_reserved, skeleton
from games.access import Identity
from lobby import ratings
from lobby.players import Player, player_of, text_guest


class NameRefused(Exception):
    """The name is an account's, or looks like one; `code` says which kind of refusal it is."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


async def owner_of(token: str) -> Identity | None:
    """The client that this API token proves, when the token may play."""
    found = await database_sync_to_async(_play_token)(token)
    return None if found is None else Identity(found.user_id, None, found.pk)


def _play_token(raw: str) -> Token | None:
    token = tokens.authenticate(raw)
    return token if token is not None and token.may("play") else None


async def player_for(name: str, proven: Identity | None) -> Player:
    """The account's player when the client proved to be that account, else a guest of this name;
    raises NameRefused."""
    account = await database_sync_to_async(_account_of)(name, proven)
    if account is None:
        return text_guest(name)
    return player_of(account, ratings=await ratings.of_user(account.pk), text=True)


def _account_of(name: str, proven: Identity | None) -> Any | None:
    if proven is not None and proven.user_id is not None:
        own = User.objects.filter(pk=proven.user_id, username__iexact=name, is_active=True).first()
        if own is not None:
            return own
    refuse(name)
    return None


def refuse(name: str) -> None:
    """Raises NameRefused when a client without proof may not have this name."""
    if User.objects.filter(username__iexact=name).exists():
        raise NameRefused("name_of_account")
    if User.objects.filter(skeleton=skeleton(name)).exists():
        raise NameRefused("name_like_account")
    try:
        not_reserved(name)
    except ValidationError:
        raise NameRefused("name_reserved") from None


refuse_later = database_sync_to_async(refuse)
