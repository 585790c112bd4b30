"""Receivers of other apps' signals: notifications reach open pages and programs, exports are
whole."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.dispatch import receiver

from accounts.models import User
from accounts.notifications.kinds import KINDS, texts
from accounts.notifications.signals import notified
from accounts.signals import deleting, exporting
from lobby import events, notices
from lobby.people.models import KeptChallenge

ANNOUNCED_OTHERWISE: Final = ("challenge", "rated_challenge")
"""Kinds of which the stream has an event of its own."""


@receiver(notified, dispatch_uid="people.notified")
def to_pages(
    sender: Any,
    user_id: int,
    kind: str,
    data: dict[str, str],
    url: str,
    message: dict[str, Any] | None,
    **kwargs: Any,
) -> None:
    """A program reads the event, a page the notice, which has the texts in each language: nobody
    here knows that of the page."""
    if message is None:
        return
    found = KINDS[kind]
    if kind == "turn":
        about = {"match": url.strip("/").rpartition("/")[2], "url": url, "mode": data.get("mode")}
        events.record_now(user_id, "turn", about)
    elif kind not in ANNOUNCED_OTHERWISE:
        title, body = texts(found, data, "en")
        events.record_now(user_id, "notification", {**message, "title": title, "body": body})
    shown = {code: list(texts(found, data, code)) for code, _name in settings.LANGUAGES}
    notice = {"type": "notification", **message, "texts": shown, "alerts": found.alerts}
    async_to_sync(notices.tell)(notices.user_group(user_id), notice)


@receiver(exporting, dispatch_uid="people.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """The challenges that wait for the user, or for others from them."""
    rows = KeptChallenge.objects.filter(Q(by=user) | Q(to=user)).order_by("created_at")
    named = {"challenger": F("by__username"), "challenged": F("to__username")}
    return {
        "kept_challenges": list(
            rows.values("mode", "options", "rated", "created_at", "until", **named)
        )
    }


@receiver(deleting, dispatch_uid="people.forget")
def forget(sender: Any, user: User, **kwargs: Any) -> None:
    """The rows go with the account; the log of its events is in Redis."""
    transaction.on_commit(partial(events.forget, user.pk))
