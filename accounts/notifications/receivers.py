"""Receivers of other apps' signals."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.notifications.kinds import KINDS
from accounts.notifications.models import Notification
from accounts.signals import deleting, exporting


@receiver(exporting, dispatch_uid="notifications.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """What the user was told. Deleting the account deletes it."""
    rows = user.notifications.values("kind", "data", "url", "created_at", "read_at")
    return {"notifications_received": list(rows)}


@receiver(deleting, dispatch_uid="notifications.forget")
def forget(sender: Any, user: User, **kwargs: Any) -> None:
    """What others were told of this user goes, too."""
    of_others = [name for name, kind in KINDS.items() if not kind.names_player]
    told = Notification.objects.filter(data__name=user.username)
    told.exclude(kind__in=of_others).delete()
