"""`/analyse/`: the page on which a position is set up; `?position=` is one that was shared."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts import places, preferences
from accounts.models import User
from games.analyser.position import MOST_CELLS, PositionError, read

EXAMPLE: Final = "12x9x18-Hd10gHd210fHe20fHe310eHf20b12bHf31b2HzHl"
"""The position that the page begins with: something is proven, and something isn't."""


@require_safe
def analyse(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("position", "")
    refused: PositionError | None = None
    try:
        position = read(asked or EXAMPLE).code
    except PositionError as error:
        position, refused = EXAMPLE, error
    user = request.user
    context = {
        "refused": refused,
        "page_data": {
            "position": position,
            "most_cells": MOST_CELLS,
            "preferences": preferences.of(user) if isinstance(user, User) else None,
            "urls": {"analyse": places.url("analyse"), "page": reverse("analyser:analyse")},
        },
    }
    return render(request, "games/analyser/analyse.html", context, status=400 if refused else 200)
