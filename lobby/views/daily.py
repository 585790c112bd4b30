"""`/daily/`: today's board, its leaderboard, and yesterday's."""

from __future__ import annotations

from datetime import timedelta

from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import TooManyGuests, sign_in_guest
from games import daily
from lobby import solo
from lobby.daily import board_of
from lobby.dealing.dealer import NoBoard
from lobby.errors import LobbyError
from lobby.players import player_of

ONE_START_SECONDS = 10

shown = sync_to_async(render)


@never_cache
@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest) -> HttpResponse:
    return _page(request)


def _page(request: HttpRequest, error: str = "", status: int = 200) -> HttpResponse:
    day = daily.today()
    user_id = request.user.pk
    mine = daily.result_of(user_id, day)
    context = {
        "day": day,
        "spec": daily.board().size,
        "results": daily.best(day)[: daily.SHOWN] if mine else (),
        "mine": mine,
        "world": mine and daily.world(day, mine),
        "running": user_id and daily.running(user_id, day),
        "yesterday": day - timedelta(days=1),
        "before": daily.best(day - timedelta(days=1))[: daily.SHOWN],
        "error": error,
    }
    return render(request, "lobby/daily.html", context, status=status)


@require_POST
async def start(request: HttpRequest) -> HttpResponse:
    """Begin today's board, or go on with it. After the first finished attempt it is practice."""
    try:
        user = await sign_in_guest(request)
    except TooManyGuests:
        return await shown(request, "429.html", status=429)
    day = daily.today()
    going_on = await sync_to_async(daily.running)(user.pk, day)
    if going_on is not None:
        return redirect(going_on.get_absolute_url())
    # Two clicks at once must not make two boards to look at.
    turn = f"daily:{day}:{user.pk}"
    if not await cache.aadd(turn, 1, ONE_START_SECONDS):
        return redirect("lobby:daily")
    try:
        board = await board_of(day)
        match_id = await solo.start(
            player_of(user),
            daily.board().options,
            daily.mode().name,
            deal=bytes.fromhex(board.deal),
            source="daily",
            address=request.META.get("REMOTE_ADDR", ""),
        )
    except LobbyError as error:
        return await sync_to_async(_page)(request, error.text, 409)
    except NoBoard:
        return await sync_to_async(_page)(request, LobbyError("no_guess_failed").text, 503)
    finally:
        await cache.adelete(turn)
    return redirect("games:match", match_id)


@never_cache
@require_safe
def now(request: HttpRequest) -> JsonResponse:
    """Today's board in a few numbers, for a card."""
    return JsonResponse(daily.summary(daily.today(), request.user.pk))
