"""`/stats/`, `/stats/leaderboard/` and `/@name/stats/`."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games import selectors as games
from games.statistics import pages, selectors
from games.statistics.bests import MEASURES
from games.statistics.periods import PERIODS


@require_safe
@login_required
def own(request: HttpRequest) -> HttpResponse:
    player = request.user
    assert isinstance(player, User)  # signed in
    context = pages.player_figures(player, request.GET) | {"player": player, "own": True}
    return render(request, "statistics/own.html", context)


@require_safe
def of_player(request: HttpRequest, name: str) -> HttpResponse:
    """The tab of a profile. A player who keeps the list of matches private keeps this private."""
    player = games.named(name)
    if player is None:
        raise Http404
    visitor = request.user
    private = player.preferences.get("private")
    hidden = bool(private) and visitor != player and not visitor.is_staff
    context: dict[str, Any] = {"player": player, "hidden": hidden, "own": visitor == player}
    if not hidden:
        context |= pages.player_figures(player, request.GET)
    return render(request, "statistics/player.html", context)


@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    mode = pages.chosen_mode(request.GET)
    board = pages.chosen_board(request.GET, mode, (), custom=False)
    period = pages.one_of(request.GET.get("period", "week"), PERIODS)
    by = pages.one_of(request.GET.get("by", "time"), tuple(MEASURES))
    context = pages.choices(mode, board, custom=False) | {
        "rows": selectors.leaderboard(board, by, period, timezone.now()),
        "period": period,
        "periods": pages.period_titles().items(),
        "by": by,
        "measures": pages.measure_titles().items(),
    }
    return render(request, "statistics/leaderboard.html", context)
