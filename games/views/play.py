"""`/play/<mode>/`: a queue's page, or a game for one."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games import mode_cards
from games.engine.mode import Mode
from games.engine.registry import REGISTRY


def play(request: HttpRequest, mode: str) -> HttpResponse:
    if mode not in REGISTRY:
        raise Http404
    found = REGISTRY[mode]
    if found.daily is not None and "daily" in request.GET:
        return redirect("lobby:daily")
    card = mode_cards.card_of(found)
    fewest, most = found.seats
    context = {
        "card": card,
        "mode": mode,
        "sizes": range(max(2, fewest), most + 1) if most > max(2, fewest) else (),
        "presets": _presets(found),
        "may_play_rated": request.user.is_authenticated and request.user.kind != "guest",
        "page_data": {
            "mode": mode,
            "now": "now" in request.GET,
            "presets": {preset.name: preset.options for preset in found.presets},
        },
    }
    if not card["in_browser"]:
        return render(request, "games/play_programs.html", context)
    return render(request, "games/solo.html" if card["solo"] else "games/play.html", context)


def _presets(mode: Mode) -> list[dict[str, Any]]:
    """The named option sets of a mode, with what they mean on a board."""
    return [
        {"name": preset.name, "title": _(preset.title), "note": preset.note and _(preset.note)}
        | preset.options
        for preset in mode.presets
    ]
