"""`/leaderboard/` and `/leaderboard/<mode>/`."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.models import User
from accounts.ratings import is_provisional
from games import mode_texts as modes
from games import selectors


def first(request: HttpRequest) -> HttpResponse:
    return redirect("games:leaderboard", modes.rated()[0])


def leaderboard(request: HttpRequest, mode: str) -> HttpResponse:
    if mode == "classic":
        return redirect("lobby:daily")  # alone nobody is rated: its ranking is the daily board's
    if mode not in modes.rated():
        raise Http404
    kind = User.Kind.BOT if request.GET.get("who") == "bots" else User.Kind.REGISTERED
    rows = [
        {"rating": rating, "provisional": is_provisional(rating)}
        for rating in selectors.leaderboard(mode, kind)
    ]
    context = {
        "mode": mode,
        "title": modes.TITLES[mode],
        "modes": [(name, modes.TITLES[name]) for name in modes.rated()],
        "bots": kind == User.Kind.BOT,
        "rows": rows,
    }
    return render(request, "games/leaderboard.html", context)
