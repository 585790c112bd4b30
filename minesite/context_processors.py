from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from minesite import catalogue

THEMES = ("auto", "light", "dark")


def contact_link(contact: str) -> str:
    """The target of a link to the operator: a mail address becomes a mailto link."""
    return f"mailto:{contact}" if "@" in contact and "/" not in contact else contact


def site(request: HttpRequest) -> dict[str, Any]:
    """The theme that the browser asked for by cookie, so that the first paint is right, where the
    texts of the page's language are, and how to reach the operator."""
    theme = request.COOKIES.get("theme", "auto")
    return {
        "theme": theme if theme in THEMES else "auto",
        # Its files never change under their names, which is not so while one works on them.
        "service_worker": not settings.STATIC_FROM_SOURCE,
        "contact": contact_link(settings.CONTACT),
        "catalogue": catalogue.address(get_language() or ""),
    }
