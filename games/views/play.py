"""`/play/<mode>/`: a queue's page, or a game for one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games import mode_texts as modes
from games.engine.registry import MODES

PRESETS = {
    "beginner": lambda: _("Beginner"),
    "intermediate": lambda: _("Intermediate"),
    "expert": lambda: _("Expert"),
    "duel": lambda: _("Duel"),
    "classic": lambda: _("Classic"),
    "mayhem": lambda: _("Mayhem"),
    "duos": lambda: _("Duos"),
}


def play(request: HttpRequest, mode: str) -> HttpResponse:
    if mode not in modes.playable():
        raise Http404
    if mode == "classic" and "daily" in request.GET:
        return redirect("lobby:daily")
    card = modes.card(mode)
    fewest, most = modes.seats(mode)
    context = {
        "card": card,
        "mode": mode,
        "sizes": range(max(2, fewest), most + 1) if most > max(2, fewest) else (),
        "presets": _presets(mode),
        "may_play_rated": request.user.is_authenticated and request.user.kind != "guest",
        "page_data": {"mode": mode, "now": "now" in request.GET},
    }
    if not card["in_browser"]:
        return render(request, "games/play_programs.html", context)
    return render(request, "games/solo.html" if card["solo"] else "games/play.html", context)


def _presets(mode: str) -> list[dict]:
    """The named option sets of a mode, with what they mean on a board."""
    return [
        {"name": name, "title": PRESETS.get(name, lambda name=name: name.title())(), **options}
        for name, options in MODES[mode].spec.presets.items()
    ]
