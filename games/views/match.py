"""The page of a match while it is played or watched."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts import places, preferences
from accounts.models import Rating, User
from games import mode_cards
from games.engine.registry import REGISTRY
from games.models import Match, Seat
from games.statistics.results import result_of
from games.views.replay import archived, replay_page


@never_cache
@gzip_page  # with its texts and the names of all modules it is 40 kB, a fifth of a first visit
@require_safe
@ensure_csrf_cookie
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """Everybody may open it: players play, all others watch. The match itself comes over its
    socket. After the end it is the replay."""
    matches = Match.objects.prefetch_related("seats__user").defer("log")
    match = matches.filter(pk=match_id).first()
    if match is None:
        about = {
            "title": _("Match not found"),
            "text": _("Check the address. Matches that never started aren’t kept."),
        }
        return render(request, "404.html", about, status=404)
    own = any(seat.user_id and seat.user_id == request.user.pk for seat in match.seats.all())
    if archived(match) or (match.is_withheld and not own):
        return replay_page(request, match)
    data = page_data(match, request.user) | {"csrf": get_token(request)}
    return render(
        request,
        "games/match.html",
        {"match": match, "title": title_of(match), "page_data": data},
    )


@never_cache
@require_safe
def match_result(request: HttpRequest, match_id: str) -> JsonResponse:
    """The result of the match once it is archived; until then `status` is "live". With the figures
    of a solo game, and the accuracy of each seat once the match is analysed."""
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
    told: dict[str, Any] = {"status": match.status, "reason": match.reason, "seats": seats}
    return JsonResponse(told | result_of(match))


def title_of(match: Match) -> str:
    """The title of a match, for a heading."""
    if match.source == Match.Source.DAILY:
        return _("Board of the day")
    return mode_cards.title_of(match.mode)


def page_data(match: Match, user: User | AnonymousUser) -> dict[str, Any]:
    seats = list(match.seats.all())
    shown = dict(
        Rating.objects.filter(
            mode=match.mode, user__in=[seat.user_id for seat in seats if seat.user_id]
        ).values_list("user_id", "shown")
    )
    address = match.get_absolute_url()
    followed = _followed(user, seats)
    return {
        "match": {
            "id": match.id,
            "mode": match.mode,
            "options": match.options,
            "rated": match.rated,
            "source": match.source,
            "status": match.status,
            "title": title_of(match),
            "ready_check": _has_ready_check(match.mode),
        },
        "players": [
            {
                "name": seat.name,
                "kind": seat.kind,
                "rating": shown.get(seat.user_id) if seat.user_id else None,
                # Text players without an account can't be reported: there is nobody to find.
                "account": seat.user.username if seat.user else None,
                "following": seat.user_id in followed,
            }
            for seat in seats
        ],
        "user": _user_data(user),
        "wish": _wish_of(match, len(seats)),
        "reasons": mode_cards.reasons_of(match.mode),
        "urls": {
            "result": reverse("games:match-result", args=[match.id]),
            "replay": address,
            "hint": reverse("games:hint", args=[match.id]),
            "play": reverse("games:play", args=[match.mode]),
            "report": reverse("games:report"),
            "choices": reverse("accounts:choices"),
            "settings": reverse("accounts:settings"),
            "daily": places.url("daily") if match.source == Match.Source.DAILY else None,
            "tournament": _tournament_of(match),
            "signup": reverse("account_signup"),
        },
    }


def _tournament_of(match: Match) -> str | None:
    """The way back from a match of a tournament."""
    if match.source not in (Match.Source.TOURNAMENT, Match.Source.SEALED):
        return None
    return places.url("tournament_of_match", match.pk)


def _followed(user: User | AnonymousUser, seats: list[Seat]) -> set[int]:
    """The ids of the players whom the visitor follows."""
    if not isinstance(user, User):
        return set()
    others = [seat.user_id for seat in seats if seat.user_id]
    return set(user.follows.filter(followed__in=others).values_list("followed_id", flat=True))


def _wish_of(match: Match, size: int) -> dict[str, Any] | None:
    """The wish to play the same with somebody else."""
    if size == 1 or match.mode not in REGISTRY:
        return None
    options = match.options.items()
    same = (p.name for p in REGISTRY[match.mode].presets if p.options.items() <= options)
    return {"mode": match.mode, "size": size, "rated": match.rated, "preset": next(same, "")}


def _has_ready_check(mode: str) -> bool:
    return mode in REGISTRY and REGISTRY[mode].rules.spec.ready_check


def _user_data(user: User | AnonymousUser) -> dict[str, Any] | None:
    if not isinstance(user, User):
        return None
    return {"name": user.username, "kind": user.kind, "preferences": preferences.of(user)}
