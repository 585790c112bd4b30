"""Notify a player: the one way to the bell, open pages, devices and the event stream.

    notify(user.pk, "follower", {"name": "Ann"}, url="/@Ann/", tag="17")

Nothing is sent before the transaction is committed. Doing it twice is harmless when `tag` says what
it is about: the newer notification replaces the older one.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from channels.db import database_sync_to_async
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.notifications.kinds import KINDS, texts
from accounts.notifications.models import Notification
from accounts.notifications.signals import notified

MOST: Final = 100
"""Of one player; the oldest make room."""
LONGEST_VALUE: Final = 100
CACHED_SECONDS: Final = 60
"""Two that count at once may leave the older number behind; it lasts no longer than this."""
HAVE_BELLS: Final = (User.Kind.REGISTERED, User.Kind.GUEST, User.Kind.BOT)

logger = logging.getLogger(__name__)


def notify(
    user_id: int, kind: str, data: Mapping[str, str] | None = None, url: str = "", tag: str = ""
) -> None:
    """Tell this player; KeyError for a kind that nobody registered. A player whose account is gone
    or who has no bell (a house bot) is not told."""
    found = KINDS[kind]
    fields = {name: value[:LONGEST_VALUE] for name, value in (data or {}).items()}
    about = tag or secrets.token_hex(8)
    with transaction.atomic():
        row = _store(user_id, kind, fields, url, about) if found.is_kept else None
        if found.is_kept and row is None:
            return
        send = partial(_send, user_id, kind, fields, url, about, row)
        transaction.on_commit(send)


anotify = database_sync_to_async(notify)


def take_back(user_id: int, kind: str, tag: str) -> None:
    """What this was about is over: the bell need not tell of it any more."""
    with transaction.atomic():
        Notification.objects.filter(user_id=user_id, kind=kind, tag=tag).delete()
        transaction.on_commit(partial(unread, user_id))


atake_back = database_sync_to_async(take_back)


def _store(
    user_id: int, kind: str, data: dict[str, str], url: str, tag: str
) -> Notification | None:
    if not User.objects.filter(pk=user_id, kind__in=HAVE_BELLS, is_active=True).exists():
        return None
    try:
        with transaction.atomic():
            row, is_new = Notification.objects.update_or_create(
                user_id=user_id,
                kind=kind,
                tag=tag,
                defaults={
                    "data": data,
                    "url": url,
                    "created_at": timezone.now(),
                    "read_at": None,
                },
            )
    except IntegrityError:  # the account was deleted meanwhile
        return None
    if is_new:
        oldest = Notification.objects.filter(user_id=user_id).values_list("pk", flat=True)[MOST:]
        Notification.objects.filter(pk__in=list(oldest)).delete()
    return row


def _send(
    user_id: int, kind: str, data: dict[str, str], url: str, tag: str, row: Notification | None
) -> None:
    message = None if row is None else {**as_message(row), "unread": unread(user_id)}
    told = notified.send_robust(
        Notification, user_id=user_id, kind=kind, data=data, url=url, tag=tag, message=message
    )
    for _receiver, error in told:
        if isinstance(error, Exception):  # it is stored: whoever looks at the bell finds it
            logger.warning("a notification was not sent", exc_info=error)


# -- reading -------------------------------------------------------------------------------------


def as_message(row: Notification) -> dict[str, Any]:
    """A notification for pages and programs, without its texts."""
    return {
        "id": row.pk,
        "kind": row.kind,
        "data": row.data,
        "url": row.url,
        "tag": row.tag,
        "at": int(row.created_at.timestamp() * 1000),
        "read": row.read_at is not None,
    }


def shown(row: Notification) -> dict[str, Any]:
    """The same with its texts, in the present language."""
    kind = KINDS[row.kind]
    title, body = texts(kind, row.data)
    return {**as_message(row), "title": title, "body": body, "icon": kind.icon}


def newest(user_id: int, most: int = MOST) -> list[Notification]:
    """The newest first; without those of kinds that no app has any more."""
    rows = Notification.objects.filter(user_id=user_id, kind__in=list(KINDS))
    return list(rows[:most])


def unread(user_id: int) -> int:
    rows = Notification.objects.filter(user_id=user_id, read_at=None, kind__in=list(KINDS))
    count = rows.count()
    cache.set(_cached_as(user_id), count, CACHED_SECONDS)
    return count


def unread_for_bell(user_id: int) -> int:
    """The same for the header of every page, which should cost no query: what `unread` last found.
    Everything that changes the number counts anew."""
    count = cache.get(_cached_as(user_id))
    return unread(user_id) if count is None else count


def _cached_as(user_id: int) -> str:
    return f"unread:{user_id}"


def mark_read(user_id: int, up_to: int | None = None, ids: Iterable[int] | None = None) -> int:
    """Mark these as read, or those up to an id, or all; returns how many are unread now."""
    rows = Notification.objects.filter(user_id=user_id, read_at=None)
    if ids is not None:
        rows = rows.filter(pk__in=list(ids))
    if up_to is not None:
        rows = rows.filter(pk__lte=up_to)
    rows.update(read_at=timezone.now())
    return unread(user_id)
