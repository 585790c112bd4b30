"""Receivers of other apps' signals. What a deleted account has said goes with it, by the
database's own cascade."""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import exporting
from lobby.chat.models import Line, Mute


@receiver(exporting, dispatch_uid="chat.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """What the user has said, and whom they have muted; not what others have said."""
    lines = Line.objects.filter(author=user).order_by("pk")
    mutes = Mute.objects.filter(reader=user).order_by("pk")
    return {
        "chat": list(lines.values("room", "at", "phrase", "text")),
        "chat_mutes": list(mutes.values("created_at", name=F("muted__username"))),
    }
