"""`/history/` and `/@name/`: a player's matches."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.ratings import Skill
from games import mode_cards, selectors
from games.engine.registry import REGISTRY
from games.models import Seat
from games.plot import line
from games.selectors import HistoryFilter


@login_required
def own(request: HttpRequest) -> HttpResponse:
    assert request.user.pk is not None  # signed in
    under_way = selectors.games_under_way(request.user.pk)
    context = _history(request, request.user) | {"under_way": under_way}
    return render(request, "games/history.html", context)


def profile(request: HttpRequest, name: str) -> HttpResponse:
    user = selectors.named(name)
    if user is None:
        raise Http404
    visitor = request.user
    hidden = user.preferences.get("private") and visitor != user and not visitor.is_staff
    record, met = selectors.records(user.pk, visitor.pk)
    context = {
        "player": user,
        "hidden": hidden,
        "record": record,
        "meetings": met,
        "ratings": _ratings(user.pk),
        "is_visitor": visitor.is_authenticated and visitor != user,
    }
    if not hidden:
        context |= _history(request, user)
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


def _ratings(user_id: int) -> list[dict[str, Any]]:
    ratings = selectors.placed_ratings_of(user_id)
    changes = selectors.rating_histories(user_id, [rating.mode for rating in ratings])
    return [
        {
            "rating": rating,
            "title": mode_cards.title_of(rating.mode),
            "installed": rating.mode in REGISTRY,
            "place": rating.place,  # type: ignore[attr-defined]  # annotated by the selector
            "luck_free": _luck_free(rating),
            "accuracy": selectors.accuracy_of(rating),
            "plot": line(changes[rating.mode]) if len(changes[rating.mode]) > 1 else None,
        }
        for rating in ratings
    ]


def _luck_free(rating: Any) -> float | None:
    """The luck-free rating beside this one; None before a rated match was analysed."""
    if not rating.luck_free_matches:
        return None
    return Skill(rating.luck_free_mu, rating.luck_free_sigma).shown


def _one_of(value: str, allowed: Any) -> str:
    if value and value not in allowed:
        raise Http404
    return value


def _is_cursor(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 18
