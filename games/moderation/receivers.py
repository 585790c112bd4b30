"""Receivers of other apps' signals."""

from __future__ import annotations

from typing import Any

from django.db.models import F
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import exporting


@receiver(exporting, dispatch_uid="moderation.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """The reports a user made, the sanctions they got (not by whom), and when they were seen in
    which browser."""
    return {
        "reports_made": list(
            user.reports_made.order_by("pk").values(
                "reason",
                "text",
                "match_id",
                "created_at",
                "status",
                player_name=F("player__username"),
            )
        ),
        "sanctions": list(
            user.sanctions.order_by("pk").values(
                "kind", "reason", "created_at", "until", "lifted_at"
            )
        ),
        "devices": list(user.devices.order_by("pk").values("first_seen", "last_seen")),
    }
