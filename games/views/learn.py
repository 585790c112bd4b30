"""`/learn/` and `/learn/<mode>/`: the rules with pictures, and a lesson to play."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games import mode_texts as modes

LESSONS = ("classic", "race", "area-attack", "battleship")


def index(request: HttpRequest) -> HttpResponse:
    cards = [
        {"name": name, "title": title, "blurb": modes.BLURBS[name], "lesson": name in LESSONS}
        for name, title in modes.TITLES.items()
    ]
    return render(request, "games/learn/index.html", {"cards": cards})


def rules(request: HttpRequest, mode: str) -> HttpResponse:
    if mode not in modes.TITLES:
        raise Http404
    context = {
        "mode": mode,
        "title": modes.TITLES[mode],
        "blurb": modes.BLURBS[mode],
        "titles": modes.TITLES,
        "lesson": mode in LESSONS,
        "playable": mode in modes.IN_BROWSER,
        "page_data": {"mode": mode, "solo": mode in modes.playable() and modes.seats(mode)[1] == 1},
    }
    return render(request, f"modes/{mode}/rules.html", context)
