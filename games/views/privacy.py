"""`/privacy/`: what is stored of people, for how long, and why."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.moderation.devices import COOKIE, MAX_AGE

DAY = 24 * 3600


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """The figures are those that the site works with."""
    context = {
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "session_days": settings.SESSION_COOKIE_AGE // DAY,
        "device_cookie": COOKIE,
        "device_years": MAX_AGE // (365 * DAY),
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "language_cookie": settings.LANGUAGE_COOKIE_NAME,
    }
    return render(request, "games/privacy.html", context)
