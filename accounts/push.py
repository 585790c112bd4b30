"""The browsers to which a player wants notifications (web push).

Every text here comes from a stranger. An endpoint has to be an https address with a name; where
that name leads is looked at each time something is sent there (games/push/posting.py).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

from accounts.models import PushSubscription, User
from accounts.signals import access_ended

MOST_DEVICES: Final = 8
"""Of one player; the oldest makes room for a new one."""
LONGEST_ENDPOINT: Final = 1000
HTTPS_PORT: Final = 443
_ENDPOINT: Final = re.compile(
    r"https://(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::(?P<port>[0-9]{1,5}))?(?P<path>/[!-~]*)"
)

# 65 and 16 bytes in base64url.
_POINT: Final = re.compile(r"[A-Za-z0-9_-]{87}=?")
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22}(==)?")


class BadSubscription(ValueError):
    """No browser would send this."""


class Endpoint(NamedTuple):
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        return f"https://{self.host}" + ("" if self.port == HTTPS_PORT else f":{self.port}")


class _Keys(msgspec.Struct):
    p256dh: str
    auth: str


class _Given(msgspec.Struct):
    """A browser's subscription, as `PushSubscription.toJSON` gives it."""

    endpoint: str
    keys: _Keys
    renew: bool = False
    """Ours: only if the browser's notifications are on."""


def parsed(endpoint: str) -> Endpoint:
    """Raises BadSubscription unless it is the https address of a named host, at the usual port."""
    found = _ENDPOINT.fullmatch(endpoint)
    if found is None or len(endpoint) > LONGEST_ENDPOINT:
        raise BadSubscription("not an https address")
    host, port = found["host"], int(found["port"] or HTTPS_PORT)
    is_name = "." in host and not host.rpartition(".")[2].isdigit()
    if not settings.PUSH_TO_PRIVATE_ADDRESSES and (not is_name or port != HTTPS_PORT):
        raise BadSubscription("not a public push service")
    return Endpoint(host, port, found["path"])


def public_key() -> str:
    """The key that a browser subscribes with: only messages that it signed reach the browser
    then."""
    return _public_key(settings.PUSH_KEY)


@cache
def _public_key(private: str) -> str:
    point = Vapid02.from_raw(private.encode()).public_key.public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    return str(b64urlencode(point))


def subscribe(user: User, raw: bytes, *, session_key: str, language: str, user_agent: str) -> None:
    """Send this player's notifications to this browser from now on. With `renew`, update only its
    session and language, if they are on. Raises BadSubscription."""
    try:
        given = msgspec.json.decode(raw, type=_Given)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadSubscription("not a subscription") from None
    parsed(given.endpoint)
    _check_keys(given.keys)
    now = {"session_key": session_key, "language": language}
    if given.renew:
        user.push_subscriptions.filter(endpoint=given.endpoint).update(**now)
        return
    keys = {"p256dh": given.keys.p256dh.rstrip("="), "auth": given.keys.auth.rstrip("=")}
    with transaction.atomic():
        # One at a time: two that don't see each other's device would both leave one too many.
        User.objects.select_for_update().get(pk=user.pk)
        PushSubscription.objects.update_or_create(
            endpoint=given.endpoint,
            defaults={
                **now,
                **keys,
                "user": user,
                "user_agent": user_agent[:200],
                "created_at": timezone.now(),
            },
        )
        oldest = user.push_subscriptions.values_list("pk", flat=True)[MOST_DEVICES:]
        PushSubscription.objects.filter(pk__in=list(oldest)).delete()


def _check_keys(keys: _Keys) -> None:
    if not (_POINT.fullmatch(keys.p256dh) and _SECRET.fullmatch(keys.auth)):
        raise BadSubscription("not keys")
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(keys.p256dh))
    except ValueError:
        raise BadSubscription("not a point of the curve") from None


def decoded(key: str) -> bytes:
    """The bytes of one of the keys."""
    return bytes(b64urldecode(key.rstrip("=").encode()))


@receiver(access_ended, dispatch_uid="accounts.end_notifications")
def end_notifications(
    sender: Any,
    user_id: int,
    session_key: str | None = None,
    token_id: int | None = None,
    **kwargs: Any,
) -> None:
    """A device that is signed out shows nothing of its former user."""
    if token_id is None:
        ended = PushSubscription.objects.filter(user_id=user_id)
        (ended if session_key is None else ended.filter(session_key=session_key)).delete()
