"""`{% bell %}`: the bell of the header, with the number of unread notifications."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.notifications import notify

register = template.Library()


@register.inclusion_tag("notifications/bell.html", takes_context=True)
def bell(context: dict[str, Any]) -> dict[str, Any]:
    """Nothing for a visitor without an account."""
    user = getattr(context.get("request"), "user", None)
    if user is None or not user.is_authenticated:
        return {"is_shown": False}
    return {"is_shown": True, "unread": notify.unread_for_bell(user.pk)}
