"""Receivers of other apps' signals."""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import exporting
from lobby.models import Block


@receiver(exporting, dispatch_uid="lobby.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """The players this user has blocked, not the players who have blocked this user."""
    blocks = Block.objects.filter(blocker=user).order_by("created_at", "pk")
    return {"blocks": list(blocks.values("created_at", name=F("blocked__username")))}
