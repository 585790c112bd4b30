"""Receivers of other apps' signals."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import exporting


@receiver(exporting, dispatch_uid="notifications.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """What the user was told. Deleting the account deletes it."""
    rows = user.notifications.values("kind", "data", "url", "created_at", "read_at")
    return {"notifications_received": list(rows)}
