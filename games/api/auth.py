"""Authenticates by API token alone. Cookies are ignored, so no page can act for its visitor."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja.security import HttpBearer

from accounts import tokens
from accounts.models import Token
from games.api.limits import count
from games.api.problems import ApiError


class Bearer(HttpBearer):
    """A token with this scope."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Token:
        found = tokens.authenticate(token)
        if found is None:
            by_address(request)  # nobody tries tokens without end
            raise ApiError(401, "bad_token")
        if not found.may(self.scope):
            raise ApiError(403, "missing_scope", scope=self.scope)
        count(f"token:{found.pk}")
        return found


class AsyncBearer(Bearer):
    """The same, for operations that wait."""

    async def __call__(self, request: HttpRequest) -> Any:
        return await sync_to_async(super().__call__)(request)


def by_address(request: HttpRequest) -> bool:
    """Open operations need no token, but are counted by address."""
    count(f"address:{request.META.get('REMOTE_ADDR', '?')}")
    return True


read = Bearer("read")
read_waiting = AsyncBearer("read")
play = AsyncBearer("play")
