"""`/puzzles/` and the pages below it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.puzzles import choosing, solving, storm
from games.puzzles.answers import answer, question
from games.puzzles.making import TAGS
from games.puzzles.models import Attempt, Puzzle
from games.puzzles.requests import found, registered

THEMES = dict(
    zip(
        TAGS,
        (
            _("1-2-1"),
            _("Subset"),
            _("Long proof"),
            _("Mine count"),
            _("Probability"),
            _("Endgame"),
        ),
        strict=True,
    )
)
LATEST = 15


@never_cache
@require_safe
def training(request: HttpRequest) -> HttpResponse:
    """Puzzle after puzzle; `theme` chooses one of the themes."""
    theme = request.GET.get("theme", "")
    theme = theme if theme in THEMES else ""
    return _page(request, "training", None, theme=theme, theme_name=THEMES.get(theme))


@never_cache
@require_safe
def daily(request: HttpRequest) -> HttpResponse:
    day = choosing.today()
    return _page(request, "daily", choosing.of_the_day(day), day=day)


@never_cache
@require_safe
def one(request: HttpRequest, puzzle_id: int) -> HttpResponse:
    """One puzzle, for a link to it."""
    return _page(request, "one", found(puzzle_id))


def _page(request: HttpRequest, kind: str, puzzle: Puzzle | None, **more: Any) -> HttpResponse:
    user = registered(request)
    done = solving.answered(user, puzzle) if user is not None and puzzle is not None else None
    data = {
        **_data(request),
        "kind": kind,
        "theme": more.get("theme", ""),
        "puzzle": None if puzzle is None else question(puzzle),
        # Of one's own attempt: the answer is no secret any more.
        "answer": answer(puzzle, done.cell) if puzzle is not None and done is not None else None,
        "vote": done.vote if done is not None else 0,
    }
    context = {
        "kind": kind,
        "title": _title(kind, puzzle),
        "puzzle": puzzle,
        "page_data": data,
        "themes": THEMES,
        "own": _own(request),
        **more,
    }
    return render(request, "puzzles/puzzle.html", context)


def _title(kind: str, puzzle: Puzzle | None) -> str:
    if kind == "daily":
        return gettext("Puzzle of the day")
    if puzzle is None:
        return gettext("Puzzles")
    return gettext("Puzzle %(number)s") % {"number": puzzle.pk}


def _data(request: HttpRequest) -> dict[str, Any]:
    user = request.user
    return {
        "csrf": get_token(request),
        "registered": registered(request) is not None,
        "preferences": getattr(user, "preferences", None) if user.is_authenticated else None,
        "themes": {name: str(text) for name, text in THEMES.items()},
        "urls": {
            "next": reverse("puzzles:next"),
            "one": reverse("puzzles:training"),
            "storm": reverse("puzzles:storm"),
            "start": reverse("puzzles:storm-start"),
        },
    }


def _own(request: HttpRequest) -> dict[str, Any] | None:
    """The visitor's own progress; None without an account."""
    user = registered(request)
    if user is None:
        return None
    figures = solving.progress(user)
    for row in figures["themes"]:
        row["name"] = THEMES[row["theme"]]
        row["percent"] = row["solved"] * 100 // row["tried"] if row["tried"] else None
    latest = Attempt.objects.filter(user=user).order_by("-at")[:LATEST]
    return {**figures, "latest": list(reversed(latest))}


@never_cache
@require_safe
def storm_page(request: HttpRequest) -> HttpResponse:
    user = registered(request)
    context = {
        "page_data": _data(request),
        "tables": storm.tables(),
        "best": storm.best_of(user) if user is not None else None,
    }
    return render(request, "puzzles/storm.html", context)
