"""The page of a match while it is played or watched."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from accounts import preferences
from accounts.models import Rating, User
from games import mode_cards
from games.models import Match
from games.replay_data import archived
from games.views.replay import replay_page


@never_cache
@require_safe
@ensure_csrf_cookie
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """Everybody may open it: players play, all others watch. What is shown of the match itself
    comes over its socket. After the end it is the replay."""
    match = get_object_or_404(
        Match.objects.prefetch_related("seats__user").defer("log"), pk=match_id
    )
    if archived(match):
        return replay_page(request, match)
    data = page_data(match, request.user) | {"csrf": get_token(request)}
    return render(
        request,
        "games/match.html",
        {"match": match, "title": mode_cards.title_of(match.mode), "page_data": data},
    )


@never_cache
@require_safe
def match_result(request: HttpRequest, match_id: str) -> JsonResponse:
    """How the match ended, once it is archived; until then `status` is "live"."""
    match = get_object_or_404(Match.objects.prefetch_related("seats"), pk=match_id)
    seats = [
        {
            "number": seat.number,
            "name": seat.name,
            "rank": seat.rank,
            "score": seat.score,
            "result": seat.result,
            "before": seat.rating_before,
            "after": seat.rating_after,
        }
        for seat in match.seats.all()
    ]
    return JsonResponse({"status": match.status, "reason": match.reason, "seats": seats})


def page_data(match: Match, user: User | AnonymousUser) -> dict[str, Any]:
    seats = list(match.seats.all())
    shown = dict(
        Rating.objects.filter(
            mode=match.mode, user__in=[seat.user_id for seat in seats if seat.user_id]
        ).values_list("user_id", "shown")
    )
    address = match.get_absolute_url()
    return {
        "match": {
            "id": match.id,
            "mode": match.mode,
            "options": match.options,
            "rated": match.rated,
            "source": match.source,
            "status": match.status,
        },
        "players": [
            {
                "name": seat.name,
                "kind": seat.kind,
                "rating": shown.get(seat.user_id),
                # Text players without an account can't be reported: there is nobody to find.
                "account": seat.user.username if seat.user else None,
            }
            for seat in seats
        ],
        "user": _user_data(user),
        "reasons": mode_cards.reasons_of(match.mode),
        "urls": {
            "result": reverse("games:match-result", args=[match.id]),
            "replay": address,
            "hint": reverse("games:hint", args=[match.id]),
            "play": reverse("games:play", args=[match.mode]),
            "report": reverse("games:report"),
            "choices": reverse("accounts:choices"),
            "settings": reverse("accounts:settings"),
        },
    }


def _user_data(user: User | AnonymousUser) -> dict[str, Any] | None:
    if not isinstance(user, User):
        return None
    return {"name": user.username, "kind": user.kind, "preferences": preferences.of(user)}
