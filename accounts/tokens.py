"""API tokens: made, checked, revoked."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import Token, User
from accounts.signals import access_ended

PREFIX: Final = "ms_"
SCOPES: Final = ("play", "read")
USED_EVERY: Final = timedelta(minutes=1)


class TooManyTokens(Exception):
    """The user has as many tokens as one can have."""


def issue(
    user: User, name: str, scopes: Iterable[str], most: int | None = None
) -> tuple[Token, str]:
    """A new token and its secret, which nobody can read again; raises ValueError, and TooManyTokens
    when the user has `most` already."""
    wanted = sorted(set(scopes))
    if not wanted or not set(wanted) <= set(SCOPES):
        raise ValueError("the only scopes are play and read")
    # 256 random bits: a plain hash is enough, there is nothing to guess.
    secret = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # one at a time
        if most is not None and user.tokens.count() >= most:
            raise TooManyTokens
        token = Token.objects.create(user=user, name=name, digest=_digest(secret), scopes=wanted)
    return token, secret


def authenticate(secret: str) -> Token | None:
    """The token of this secret, while it and its user are valid."""
    if not secret.startswith(PREFIX) or len(secret) > 100:
        return None
    token = Token.objects.select_related("user").filter(digest=_digest(secret)).first()
    if token is None or not token.user.is_active:
        return None
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > USED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def holds(token_id: int) -> bool:
    """Is this token still valid?"""
    return Token.objects.filter(pk=token_id, user__is_active=True).exists()


def revoke(token: Token) -> None:
    """End the token at once, and the sockets opened with it."""
    user_id, token_id = token.user_id, token.pk
    token.delete()
    transaction.on_commit(
        lambda: access_ended.send(Token, user_id=user_id, session_key=None, token_id=token_id)
    )


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
