"""Pages that belong to the site as a whole."""

from __future__ import annotations

import hashlib
import json
import sys

from django.conf import settings
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.cache import cache_control


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500. A database that is locked, away or on a full disk is no mistake in the
    code, and the visitor gets a 503."""
    if not isinstance(sys.exc_info()[1], OperationalError):
        return defaults.server_error(request)
    answer = render(request, "503.html", status=503)
    answer["Retry-After"] = "60"
    return answer


def style(request: HttpRequest) -> HttpResponse:
    """Every component of the design system on one page, for those who build pages."""
    if not (settings.DEBUG or request.user.is_staff):
        raise Http404
    return render(request, "style.html")


@cache_control(max_age=3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """For those who ask at the old address without reading the page."""
    return redirect(static("site/icon-32.png"))


@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    icons = [
        {"src": static("site/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": static("site/icon-192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": static("site/icon-512.png"), "sizes": "512x512", "type": "image/png"},
        {
            "src": static("site/icon-maskable.png"),
            "sizes": "512x512",
            "type": "image/png",
            "purpose": "maskable",
        },
    ]
    return JsonResponse(
        {
            "name": "minesite",
            "short_name": "minesite",
            "description": _("Minesweeper with and against other people."),
            "id": "/",
            "lang": get_language() or "en",
            "start_url": "/",
            "scope": "/",
            "categories": ["games"],
            "display": "standalone",
            "background_color": "#f5f2ea",
            "theme_color": "#1c6a50",
            "icons": icons,
        },
        content_type="application/manifest+json",
    )


OFFLINE_PARTS = (
    "site/tokens.css",
    "site/base.css",
    "site/frame.css",
    "site/layout.css",
    "site/buttons.css",
    "site/components.css",
    "site/feedback.css",
    "site/utilities.css",
    "site/icons.svg",
    "site/icon.svg",
    "site/field.svg",
)


def offline(request: HttpRequest) -> HttpResponse:
    """The page that the browser shows when it can't reach the site; the service worker keeps it."""
    return render(request, "offline.html")


@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """At the root, for only there may it look after every page. A new set of files is a new
    version."""
    assets = json.dumps([static(name) for name in OFFLINE_PARTS])
    context = {
        "assets": assets,
        "offline": reverse("offline"),
        "static_url": settings.STATIC_URL,
        "icon": static("site/icon-192.png"),
        "version": hashlib.sha256(assets.encode()).hexdigest()[:12],
    }
    return render(request, "service-worker.js", context, content_type="text/javascript")
