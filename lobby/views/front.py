"""`/`, `/watch/`, and the numbers that both show."""

from __future__ import annotations

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control

from games import daily, mode_cards
from lobby import board

page = sync_to_async(render)

MOST_ON_FRONT = 6


async def front_page(request: HttpRequest) -> HttpResponse:
    now = await board.now()
    user = await request.auser()
    context = {
        "daily": await sync_to_async(daily.summary)(daily.today(), user.pk),
        "cards": mode_cards.cards(),
        "versus": mode_cards.first_versus(),
        "alone": mode_cards.first_solo(),
        "now": now,
        "live": _rows(now)[:MOST_ON_FRONT],
    }
    return await page(request, "lobby/front.html", context)


async def watch(request: HttpRequest) -> HttpResponse:
    now = await board.now()
    return await page(request, "lobby/watch.html", {"now": now, "live": _rows(now)})


@cache_control(max_age=2, public=True)
async def now(request: HttpRequest) -> HttpResponse:
    """The numbers of the lobby and the live matches, for pages whose visitor has no socket."""
    return JsonResponse(await board.now())


def _rows(now: dict) -> list[dict]:
    return [{**row, "title": mode_cards.title_of(row["mode"])} for row in now["live"]]
