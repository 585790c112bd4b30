from __future__ import annotations

from typing import Any

from django.http import HttpRequest

THEMES = ("auto", "light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    """The theme that the browser asked for by cookie, so that the first paint is right."""
    theme = request.COOKIES.get("theme", "auto")
    return {"theme": theme if theme in THEMES else "auto"}
