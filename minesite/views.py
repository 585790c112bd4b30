"""Pages that belong to the site as a whole."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control


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
            "description": _("Minesweeper, with and against others."),
            "start_url": "/",
            "display": "standalone",
            "background_color": "#f5f2ea",
            "theme_color": "#1c6a50",
            "icons": icons,
        },
        content_type="application/manifest+json",
    )
