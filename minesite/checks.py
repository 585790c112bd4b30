"""What `manage.py check --deploy` finds beside Django's checks, which look for its middleware by
name and don't see ours (quick_middleware.py)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Tags, Warning, register


@register(Tags.security, deploy=True)
def encryption(app_configs: Any, **kwargs: Any) -> list[Warning]:
    """Everything else that Django would look at is the same in every deployment."""
    found = []
    if not settings.SECURE_SSL_REDIRECT:
        found.append(
            Warning(
                "Pages and cookies also travel without encryption.",
                hint="Set HTTPS=1 if a proxy serves the site over https.",
                id="minesite.W001",
            )
        )
    elif not settings.SECURE_HSTS_SECONDS:
        found.append(
            Warning(
                "Browsers don't remember that the site is served over https.",
                hint="Set HSTS_SECONDS, such as 31536000, once https works.",
                id="minesite.W002",
            )
        )
    return found
