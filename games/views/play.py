"""`/play/<mode>/`: a queue's page, or a game for one."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts import places
from games import mode_cards, selectors
from games.bots.roster import ROSTER
from games.engine.registry import REGISTRY
from games.option_form import OptionForm, usual_preset


def play(request: HttpRequest, mode: str) -> HttpResponse:
    if mode not in REGISTRY:
        raise Http404
    found = REGISTRY[mode]
    if found.daily is not None and "daily" in request.GET:
        return redirect(places.url("daily"))
    card = mode_cards.card_of(found)
    fewest, most = found.seats
    context: dict[str, Any] = {
        "card": card,
        "mode": mode,
        "sizes": range(max(2, fewest), most + 1) if most > max(2, fewest) else (),
        "options": OptionForm(found, for_id="solo" if found.solo else "invite"),
        "usual": usual_preset(found),
        "bots": ROSTER if found.bot is not None and fewest <= 2 <= most else (),
        "may_play_rated": request.user.is_authenticated and request.user.kind != "guest",
        "versus": mode_cards.first_versus(),
        "page_data": {"mode": mode, "now": "now" in request.GET},
    }
    if found.solo and request.user.is_authenticated:
        context["under_way"] = selectors.games_under_way(request.user.pk, mode)
    if not card["in_browser"]:
        return render(request, "games/play_programs.html", context)
    return render(request, "games/solo.html" if card["solo"] else "games/play.html", context)
