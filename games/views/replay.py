"""A finished match: the page that shows it again, its data, and its log to take away."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts import preferences
from accounts.models import User
from games import mode_cards
from games.analysing import body as bodies
from games.analysing.asking import NotReady, result
from games.analysing.body import Body
from games.analysing.parts import ALL, ANALYSIS, LANES
from games.engine.registry import REGISTRY
from games.live.entry import public_line, unpack_log
from games.models import Match

PATIENCE: Final = 8.0
"""Seconds that an answer waits for a replay that has to be computed first."""
PUBLIC: Final = "public"


def archived(match: Match) -> bool:
    return match.status != Match.Status.LIVE and match.log_entries > 0


def is_judged(match: Match) -> bool:
    """Whether there is an analysis of this match, now or once somebody asks."""
    judged = match.mode in REGISTRY and REGISTRY[match.mode].judge is not None
    return judged and match.status == Match.Status.OVER and _has_rules(match)


def replay_page(request: HttpRequest, match: Match) -> HttpResponse:
    """`/match/<id>/` after the end."""
    user = request.user
    seats = list(match.seats.all())
    if match.is_withheld:
        return render(request, "games/withheld.html", {"match": match})
    mine = next((s.number for s in seats if s.user_id and s.user_id == user.pk), None)
    context = {
        "match": match,
        "seats": seats,
        "title": mode_cards.title_of(match.mode),
        "installed": match.mode in REGISTRY,
        "judged": is_judged(match),
        "aborted": match.status == Match.Status.ABORTED,
        "page_data": {
            "match": match.pk,
            "mode": match.mode,
            "seat": mine,
            "reasons": mode_cards.reasons_of(match.mode),
            "preferences": preferences.of(user) if isinstance(user, User) else None,
            "urls": {
                "data": reverse("games:replay-data", args=[match.pk]),
                "analysis": reverse("games:analysis", args=[match.pk]),
                "log": reverse("games:replay-log", args=[match.pk]),
                "analyser": reverse("analyser:analyse"),
            },
        },
    }
    return render(request, "games/replay.html", context)


@require_safe
async def replay_json(request: HttpRequest, match_id: str) -> HttpResponse:
    """`?view=public`, a seat's number, or `all` (default). docs/replay.md describes it."""
    match = await _find(match_id)
    view = request.GET.get("view", ALL)
    if view not in (ALL, PUBLIC, *(str(seat.number) for seat in match.seats.all())):
        raise Http404
    if not _has_rules(match):
        return _refused("unknown_rules", "The rules of this match are not known any more.", 410)
    about = _about(match)
    mark = _mark([LANES["replay"].version, view, about])
    if request.headers.get("If-None-Match") == mark:
        return _revalidated(HttpResponse(status=304), mark)
    try:
        found = await result(match.pk, view, request.META.get("REMOTE_ADDR", ""), PATIENCE)
    except NotReady as error:
        return _not_ready(error)
    return _answer(request, found, about, mark)


@require_safe
async def analysis_json(request: HttpRequest, match_id: str) -> HttpResponse:
    """The moves, judged: `ready` with them, or `waiting` (202), or `none`. docs/replay.md."""
    match = await _find(match_id)
    if not is_judged(match):
        return JsonResponse({"status": "none"})
    mark = _mark([LANES[ANALYSIS].version, match.pk])
    if request.headers.get("If-None-Match") == mark:
        return _revalidated(HttpResponse(status=304), mark)
    try:
        found = await result(match.pk, ANALYSIS, request.META.get("REMOTE_ADDR", ""), 0)
    except NotReady as error:
        if error.code != "waiting":
            return _not_ready(error)
        answer = JsonResponse({"status": "waiting"}, status=202)
        answer["Cache-Control"] = "no-store"
        answer["Retry-After"] = str(error.retry_after)
        return answer
    return _answer(request, found, {"status": "ready"}, mark)


@require_safe
def replay_log(request: HttpRequest, match_id: str) -> HttpResponse:
    """The log as it was played, a JSON object a line."""
    match = _finished(match_id, log=True)
    lines = [public_line(entry) for entry in unpack_log(bytes(match.log or b""))]
    answer = HttpResponse(b"\n".join([*lines, b""]), content_type="application/x-ndjson")
    answer["Content-Disposition"] = f'attachment; filename="minesite-{match.pk}.ndjson"'
    answer["Cache-Control"] = "no-cache"
    return answer


def _finished(match_id: str, log: bool = False) -> Match:
    matches = Match.objects.prefetch_related("seats").filter(pk=match_id)
    match = (matches if log else matches.defer("log")).first()
    if match is None or not archived(match):
        raise Http404
    if match.is_withheld:
        raise PermissionDenied
    return match


_find = sync_to_async(_finished)


def _has_rules(match: Match) -> bool:
    if match.mode not in REGISTRY:
        return False
    spec = REGISTRY[match.mode].rules.spec
    return match.rules_version in (spec.version, *spec.replays)


def _about(match: Match) -> dict[str, Any]:
    """The match as the database has it now: names change when an account is deleted."""
    return {
        "match": match.pk,
        "mode": match.mode,
        "rated": match.rated,
        "commitment": match.commitment,
        "seed": match.seed,
        "deal": match.deal,
        "players": [
            {"name": seat.name, "kind": seat.kind, "rank": seat.rank, "score": seat.score}
            for seat in match.seats.all()
        ],
    }


def _mark(parts: Any) -> str:
    """An ETag: it changes when any of these does. Weak, as both encodings have the same."""
    return f'W/"{sha256(json.dumps(parts).encode()).hexdigest()[:32]}"'


def _answer(request: HttpRequest, found: Body, more: dict[str, Any], mark: str) -> HttpResponse:
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    content = (bodies.gzipped if zipped else bodies.plain)(found, more)
    answer = HttpResponse(content, content_type="application/json")
    if zipped:
        answer["Content-Encoding"] = "gzip"
    answer["Vary"] = "Accept-Encoding"
    return _revalidated(answer, mark)


def _revalidated(answer: HttpResponse, mark: str) -> HttpResponse:
    """A copy is used only after asking whether it still holds."""
    answer["Cache-Control"] = "public, no-cache"
    answer["ETag"] = mark
    return answer


def _not_ready(error: NotReady) -> HttpResponse:
    answer = _refused(error.code, error.text, error.status)
    if error.retry_after is not None:
        answer["Retry-After"] = str(error.retry_after)
    return answer


def _refused(code: str, text: str, status: int) -> HttpResponse:
    answer = JsonResponse({"code": code, "text": text}, status=status)
    answer["Cache-Control"] = "no-store"
    return answer
