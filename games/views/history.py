"""`/history/` and `/@name/`: what somebody has played."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games import mode_cards, selectors
from games.engine.registry import REGISTRY
from games.models import Seat
from games.plot import line
from games.selectors import HistoryFilter


@login_required
def own(request: HttpRequest) -> HttpResponse:
    return render(request, "games/history.html", _history(request, request.user))


def profile(request: HttpRequest, name: str) -> HttpResponse:
    user = selectors.named(name)
    if user is None:
        raise Http404
    visitor = request.user
    hidden = user.preferences.get("private") and visitor != user and not visitor.is_staff
    context = {
        "player": user,
        "hidden": hidden,
        "record": selectors.record(user.pk),
        "ratings": [_rating(rating) for rating in selectors.ratings_of(user.pk)],
    }
    if not hidden:
        context |= _history(request, user)
    if visitor.is_authenticated and visitor != user:
        context["meetings"] = selectors.head_to_head(visitor.pk, user.pk)
    return render(request, "games/profile.html", context)


def _history(request: HttpRequest, user: Any) -> dict[str, Any]:
    wanted = HistoryFilter(
        mode=_one_of(request.GET.get("mode", ""), REGISTRY),
        result=_one_of(request.GET.get("result", ""), Seat.Result.values),
        opponent=request.GET.get("opponent", "").strip()[:40],
    )
    before = request.GET.get("before", "")
    page = selectors.history(user.pk, wanted, int(before) if _is_cursor(before) else None)
    query = request.GET.copy()
    query.pop("before", None)
    return {
        "rows": selectors.as_rows(page.seats),
        "older": page.older,
        "query": query.urlencode(),
        "filter": wanted,
        "modes": mode_cards.titles(),
        "results": Seat.Result.choices[:3],
    }


def _rating(rating: Any) -> dict[str, Any]:
    changes = selectors.rating_history(rating.user_id, rating.mode)
    return {
        "rating": rating,
        "title": mode_cards.title_of(rating.mode),
        "installed": rating.mode in REGISTRY,
        "place": selectors.place_of(rating),
        "plot": line(changes) if len(changes) > 1 else None,
    }


def _one_of(value: str, allowed: Any) -> str:
    if value and value not in allowed:
        raise Http404
    return value


def _is_cursor(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 18
