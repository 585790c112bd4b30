"""Identifies the client of a socket, and closes the socket when its access ends.

Access ends while sockets are open: a user signs out or changes a password, revokes a token, is
banned. `games/receivers.py` then publishes `{"user", "session", "token"}` on the channel `access`,
and every process closes the sockets concerned. A process that may have missed a message asks the
database about all its clients; about one client, when the message came during its handshake.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, MutableMapping
from time import monotonic
from typing import Any, Final, Protocol

import msgspec
from channels.db import database_sync_to_async

from games.redis import key
from games.redis.subscriber import Subscriber

CHANNEL = "access"

logger = logging.getLogger(__name__)


class Identity(msgspec.Struct, frozen=True):
    """The client of a socket; without a user it is an anonymous visitor."""

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
        if name == b"authorization" and value[:6].lower() == b"bearer":
            return await _by_token(value[6:].decode("latin-1").strip())
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
"""Seconds that may pass between checking a session and adding its socket."""


class OpenSocket(Protocol):
    def end_access(self) -> None:
        """The session or token has ended, or the user was banned."""


class OpenSockets:
    """The sockets of this process with the identity of each client."""

    def __init__(self, on_doubt: Callable[[], None]) -> None:
        """`on_doubt` is called when messages may have been missed: time to `recheck`."""
        self._on_doubt = on_doubt
        self._sockets: dict[OpenSocket, Identity] = {}
        self._doubted: set[Identity] = set()
        self._ended_lately: deque[tuple[float, Ended]] = deque(maxlen=1000)
        """Access that ended while a handshake may have been under way."""

    async def open(self, subscriber: Subscriber) -> None:
        await subscriber.listen(key(CHANNEL), self._heard)

    def add(self, socket: OpenSocket, who: Identity) -> None:
        if who.user_id is None:
            return
        self._sockets[socket] = who
        since = monotonic() - HANDSHAKE
        if any(at > since and ended.concerns(who) for at, ended in self._ended_lately):
            self._doubted.add(who)
            self._on_doubt()

    def remove(self, socket: OpenSocket) -> None:
        self._sockets.pop(socket, None)

    def _heard(self, raw: bytes) -> None:
        try:
            ended = msgspec.json.decode(raw, type=Ended)
        except msgspec.DecodeError:
            logger.error("cannot decode a message on %s: %r", CHANNEL, raw[:200])
            return
        self._ended_lately.append((monotonic(), ended))
        for socket, who in list(self._sockets.items()):
            if ended.concerns(who):
                socket.end_access()

    def missed(self) -> None:
        """Messages may have been lost: doubt everybody."""
        self._doubted.update(self._sockets.values())
        self._on_doubt()

    async def recheck(self) -> None:
        """Close the sockets of doubtful clients whose access has ended."""
        doubted, self._doubted = self._doubted, set()
        if not doubted:
            return
        valid = await database_sync_to_async(still_valid)(doubted)
        for socket, who in list(self._sockets.items()):
            if who in doubted and who not in valid:
                socket.end_access()


def still_valid(everyone: set[Identity]) -> set[Identity]:
    """The clients whose user is active and whose session or token is still valid."""
    from django.conf import settings
    from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY, get_user_model
    from django.utils.crypto import constant_time_compare
    from django.utils.module_loading import import_string

    store = import_string(f"{settings.SESSION_ENGINE}.SessionStore")
    users = get_user_model().objects.in_bulk([who.user_id for who in everyone])
    valid = set()
    for who in everyone:
        user = users.get(who.user_id)
        if user is None or not user.is_active:
            continue
        if who.token_id is not None:
            if _token_holds(who.token_id):
                valid.add(who)
        elif who.session is not None:
            session = store(who.session)
            stored = session.get(HASH_SESSION_KEY, "")
            if session.get(SESSION_KEY) == str(who.user_id) and constant_time_compare(
                stored, user.get_session_auth_hash()
            ):
                valid.add(who)
    return valid


def _token_holds(token_id: int) -> bool:
    from accounts.tokens import holds

    return bool(holds(token_id))
