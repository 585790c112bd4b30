"""Who a text client is: an account with its token, or a guest of any free name."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from django.contrib.auth import get_user_model

from lobby import ratings
from lobby.players import Player, player_of, text_guest


class NameRefused(Exception):
    """The name belongs to an account, and the client has not sent a token of that account."""


async def owner_of(token: str) -> Any | None:
    """The account of this API token, when the token may play."""
    return await database_sync_to_async(_owner_of)(token)


def _owner_of(raw: str) -> Any | None:
    from accounts.tokens import authenticate

    token = authenticate(raw)
    if token is None or not token.may("play"):
        return None
    return token.user


async def player_for(name: str, token: str | None) -> Player:
    """The account's player when the token is that account's, a guest for a name that no account
    has; raises NameRefused."""
    account = await database_sync_to_async(_account_of)(name, token)
    if account is None:
        return text_guest(name)
    return player_of(account, ratings=await ratings.of_user(account.pk), text=True)


def _account_of(name: str, token: str | None) -> Any | None:
    users = get_user_model()
    account = users.objects.filter(username__iexact=name).exclude(kind=users.Kind.GUEST).first()
    if account is None:
        return None
    if token is None or (owner := _owner_of(token)) is None or owner.pk != account.pk:
        raise NameRefused
    return account
