"""Who is at the other end of a socket, and for how long they may be.

Access ends while sockets are open: a session is closed, a password changed, a token revoked, a user
banned. Whoever ends it publishes `{"user", "session", "token"}` on the channel `access`; every
process closes the sockets that this concerns. A process that may have missed a message asks the
database about everyone it has; about one, when the message came during that one's handshake.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, MutableMapping
from time import monotonic
from typing import Any, Final

import msgspec
from channels.db import database_sync_to_async

from games.live.ear import Ear
from games.live.resp import Address

CHANNEL = "access"

logger = logging.getLogger(__name__)


class Identity(msgspec.Struct, frozen=True):
    """A visitor; without a user it is anybody."""

    user_id: int | None = None
    session: str | None = None
    token_id: int | None = None
    may_play: bool = True
    """False: a token that is for reading only."""


class Ended(msgspec.Struct, frozen=True):
    """Access that ended: of one session, one token, or (neither given) all of a user."""

    user: int
    session: str | None = None
    token: int | None = None

    def concerns(self, who: Identity) -> bool:
        if who.user_id != self.user:
            return False
        if self.session is not None:
            return who.session == self.session
        if self.token is not None:
            return who.token_id == self.token
        return True


class BadToken(Exception):
    """A bearer token was sent, and it is not valid."""


async def identify(scope: MutableMapping[str, Any]) -> Identity:
    """From the bearer token when one is sent, else from the session. Raises BadToken."""
    token = scope.get("token")
    if token is not None:  # a middleware has looked at it already
        return _of_token(token)
    for name, value in scope["headers"]:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            return await _by_token(value[7:].decode("latin-1").strip())
    user = scope.get("user")
    if user is None or not user.is_authenticated:
        return Identity()
    return Identity(user.pk, scope["session"].session_key)


async def _by_token(raw: str) -> Identity:
    from accounts.tokens import authenticate

    token = await database_sync_to_async(authenticate)(raw)
    if token is None:
        raise BadToken
    return _of_token(token)


def _of_token(token: Any) -> Identity:
    return Identity(token.user_id, None, token.pk, token.may("play"))


HANDSHAKE: Final = 30.0
"""Seconds that may pass between looking at somebody's session and letting them in."""


class Door:
    """The sockets of this process, by who they belong to."""

    def __init__(self, url: str, prefix: str, on_doubt: Callable[[], None]) -> None:
        """`on_doubt` is called when messages may have been missed: time to `recheck`."""
        self._channel = f"{prefix}{CHANNEL}"
        self._on_doubt = on_doubt
        self._ear = Ear(Address.from_url(url), self._missed, sharded=False)
        self._inside: dict[object, tuple[Identity, Callable[[], None]]] = {}
        self._doubted: set[Identity] = set()
        self._lately: deque[tuple[float, Ended]] = deque(maxlen=1000)
        """Access that ended while somebody's handshake may have been under way."""

    async def open(self) -> None:
        await self._ear.listen(self._channel, self._heard)

    def check(self) -> None:
        self._ear.check()

    async def close(self) -> None:
        await self._ear.close()

    def enter(self, visitor: object, who: Identity, put_out: Callable[[], None]) -> None:
        if who.user_id is None:
            return
        self._inside[visitor] = who, put_out
        since = monotonic() - HANDSHAKE
        if any(at > since and ended.concerns(who) for at, ended in self._lately):
            self._doubted.add(who)
            self._on_doubt()

    def left(self, visitor: object) -> None:
        self._inside.pop(visitor, None)

    def _heard(self, raw: bytes) -> None:
        try:
            ended = msgspec.json.decode(raw, type=Ended)
        except msgspec.DecodeError:
            logger.error("not understood on %s: %r", CHANNEL, raw[:200])
            return
        self._lately.append((monotonic(), ended))
        for who, put_out in list(self._inside.values()):
            if ended.concerns(who):
                put_out()

    def _missed(self) -> None:
        self._doubted.update(who for who, _ in self._inside.values())
        self._on_doubt()

    async def recheck(self) -> None:
        """Put out those in doubt who have no access any more."""
        doubted, self._doubted = self._doubted, set()
        if not doubted:
            return
        welcome = await database_sync_to_async(still_welcome)(doubted)
        for who, put_out in list(self._inside.values()):
            if who in doubted and who not in welcome:
                put_out()


def still_welcome(everyone: set[Identity]) -> set[Identity]:
    """Those whose user is active, and whose session or token still holds."""
    from django.conf import settings
    from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
    from django.utils.crypto import constant_time_compare
    from django.utils.module_loading import import_string

    store = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    users = get_user_model().objects.in_bulk([who.user_id for who in everyone])
    welcome = set()
    for who in everyone:
        user = users.get(who.user_id)
        if user is None or not user.is_active:
            continue
        if who.token_id is not None:
            if _token_holds(who.token_id):
                welcome.add(who)
        elif who.session is not None:
            session = store(who.session)
            told = session.get(HASH_SESSION_KEY, "")
            if session.get(SESSION_KEY) == str(who.user_id) and constant_time_compare(
                told, user.get_session_auth_hash()
            ):
                welcome.add(who)
    return welcome


def _token_holds(token_id: int) -> bool:
    from accounts.tokens import holds

    return bool(holds(token_id))
