"""`/leaderboard/` and `/leaderboard/<mode>/`."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts import places
from accounts.models import User
from accounts.ratings import is_provisional
from games import mode_cards, selectors
from games.engine.registry import REGISTRY


def first(request: HttpRequest) -> HttpResponse:
    return redirect("games:leaderboard", next(iter(mode_cards.rated_titles())))


def leaderboard(request: HttpRequest, mode: str) -> HttpResponse:
    if mode in REGISTRY and REGISTRY[mode].daily is not None:
        return redirect(places.url("daily"))  # its ranking is that of the board of the day
    titles = mode_cards.rated_titles()
    if mode not in titles:
        raise Http404
    kind = User.Kind.BOT if request.GET.get("who") == "bots" else User.Kind.REGISTERED
    rows = [
        {"rating": rating, "provisional": is_provisional(rating)}
        for rating in selectors.leaderboard(mode, kind)
    ]
    context = {
        "mode": mode,
        "title": titles[mode],
        "modes": titles.items(),
        "bots": kind == User.Kind.BOT,
        "rows": rows,
    }
    return render(request, "games/leaderboard.html", context)
