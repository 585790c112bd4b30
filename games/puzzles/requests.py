"""What the pages' scripts ask for: JSON in and out, with the session's cookie."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from random import SystemRandom
from typing import Any, Final

from django.core.cache import cache
from django.http import Http404, HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from games.puzzles import solving, storm
from games.puzzles.answers import Refused, question
from games.puzzles.models import Puzzle

PER_MINUTE: Final = 120
"""Requests of one player, or of one address without an account."""
STORMS_PER_MINUTE: Final = 6
STATUS: Final = {
    "no_puzzles": 404, "no_storm": 404, "storm_over": 409, "not_attempted": 409,
    "needs_account": 403, "too_many_requests": 429,
}  # fmt: skip
STORM: Final = "storm"
"""The id of a guest's storm, in the session."""

random = SystemRandom()
Answer = Callable[..., dict[str, Any]]


def registered(request: HttpRequest) -> User | None:
    """The player whose answers are stored; None for guests and visitors."""
    user = request.user
    return user if isinstance(user, User) and user.kind == User.Kind.REGISTERED else None


def _count(request: HttpRequest, what: str, most: int) -> None:
    user = request.user.pk
    who = f"user:{user}" if user else f"address:{request.META.get('REMOTE_ADDR', '?')}"
    place = f"puzzles:{what}:{who}:{int(time.time() // 60)}"
    cache.add(place, 0, 120)
    if cache.incr(place) > most:
        raise Refused("too_many_requests")


def answering(view: Answer) -> Callable[..., JsonResponse]:
    """A POST whose result is sent as JSON, and whose refusals have a code and a text."""

    @functools.wraps(view)
    def answered(request: HttpRequest, **given: Any) -> JsonResponse:
        try:
            _count(request, "all", PER_MINUTE)
            return JsonResponse(view(request, **given))
        except Refused as error:
            status = STATUS.get(error.code, 400)
            return JsonResponse({"code": error.code, "text": error.text}, status=status)

    return never_cache(require_POST(answered))


def whole(request: HttpRequest, name: str, otherwise: int = -1) -> int:
    """A whole number of the form; `otherwise` when it is anything else."""
    text = request.POST.get(name, "")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else otherwise


def found(puzzle_id: int) -> Puzzle:
    """Retired ones can still be looked at."""
    puzzle = Puzzle.objects.filter(pk=puzzle_id).first() if puzzle_id < 2**31 else None
    if puzzle is None:
        raise Http404
    return puzzle


@answering
def next_puzzle(request: HttpRequest) -> dict[str, Any]:
    theme = request.POST.get("theme", "")
    user = registered(request)
    if user is None:
        return question(solving.next_for_guest(request.session, theme, random))
    return question(solving.next_for(user, theme, random))


@answering
def attempt(request: HttpRequest, puzzle_id: int) -> dict[str, Any]:
    puzzle, cell = found(puzzle_id), whole(request, "cell")
    user = registered(request)
    if user is None:
        told = solving.attempt_of_guest(request.session, puzzle, cell)
    else:
        told = solving.attempt(user, puzzle, cell)
    return told


@answering
def vote(request: HttpRequest, puzzle_id: int) -> dict[str, Any]:
    user = registered(request)
    if user is None:
        raise Refused("needs_account")
    given = whole(request, "vote", 9)
    solving.vote(user, found(puzzle_id), given)
    return {"vote": given}


@answering
def storm_start(request: HttpRequest) -> dict[str, Any]:
    _count(request, "storms", STORMS_PER_MINUTE)
    now = timezone.now()
    begun = storm.start(registered(request), now, random)
    if begun.current is None:
        raise Refused("no_puzzles")
    if begun.user_id is None:
        request.session[STORM] = begun.pk
    return storm.state(begun, now)


@answering
def storm_answer(request: HttpRequest, storm_id: str) -> dict[str, Any]:
    storm.theirs(storm_id, registered(request), request.session.get(STORM))
    puzzle_id, cell = whole(request, "puzzle"), whole(request, "cell")
    return storm.submit(storm_id, puzzle_id, cell, timezone.now(), random)
