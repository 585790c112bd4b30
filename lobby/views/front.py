"""`/`, `/watch/`, and the numbers that both show."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page

from games import daily, mode_cards
from lobby import board
from lobby.first_steps import preset_for

# With the names of all modules a page is 50 kB, half of a first visit; compressed in the view's
# thread, it takes nothing of the event loop.
page = sync_to_async(gzip_page(render))

MOST_ON_FRONT = 6


async def front_page(request: HttpRequest) -> HttpResponse:
    now = await board.now()
    user = await request.auser()
    versus = mode_cards.first_versus()
    cards = [
        {**card, "preset": await preset_for(user.pk, card["name"])} for card in mode_cards.cards()
    ]
    context = {
        "daily": await sync_to_async(daily.summary)(daily.today(), user.pk),
        "cards": cards,
        "versus": versus,
        "preset": next(
            (card["preset"] for card in cards if versus and card["name"] == versus["name"]), ""
        ),
        "alone": mode_cards.first_solo(),
        "now": now,
        "live": _rows(now)[:MOST_ON_FRONT],
    }
    return await page(request, "lobby/front.html", context)


async def watch(request: HttpRequest) -> HttpResponse:
    now = await board.now()
    return await page(request, "lobby/watch.html", {"now": now, "live": _rows(now)})


@cache_control(max_age=1, public=True)
async def now(request: HttpRequest) -> HttpResponse:
    """The numbers of the lobby and the live matches, for programs without a socket."""
    return JsonResponse(await board.now())


def _rows(now: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**row, "title": mode_cards.title_of(row["mode"])} for row in now["live"]]
