"""`/learn/` and `/learn/<mode>/`: the rules with pictures, and a lesson to play."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games import mode_cards
from games.engine.registry import REGISTRY


def index(request: HttpRequest) -> HttpResponse:
    return render(request, "games/learn/index.html", {"cards": mode_cards.cards()})


def rules(request: HttpRequest, mode: str) -> HttpResponse:
    if mode not in REGISTRY:
        raise Http404
    found = REGISTRY[mode]
    # The figures of rules and lesson are those that a match begins with.
    options = {option.name: option.default for option in found.options}
    context = {
        **mode_cards.card_of(found),
        "mode": mode,
        "options": options,
        "figures": found.figures,
        "titles": mode_cards.titles(),
        "page_data": {
            "mode": mode,
            "solo": found.solo,
            "parts": sorted(found.parts),
            "options": options,
            "figures": found.figures,
        },
    }
    own = f"modes/{mode}/rules.html"
    return render(request, own if found.has("rules") else "games/learn/page.html", context)
