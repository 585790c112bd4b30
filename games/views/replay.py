"""A finished match: the page that shows it again, its data, and its log to take away."""

from __future__ import annotations

import gzip
import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts import preferences
from accounts.models import User
from games import mode_cards, replay_data
from games.engine.registry import REGISTRY
from games.live.archive import unpack_log
from games.live.entry import SETUP, Entry
from games.live.setup import UnknownRules
from games.models import Match

FOR_EVER = "public, max-age=86400, immutable"


def replay_page(request: HttpRequest, match: Match) -> HttpResponse:
    """What `/match/<id>/` is after the end."""
    user = request.user
    seats = list(match.seats.all())
    mine = next((s.number for s in seats if s.user_id and s.user_id == user.pk), None)
    context = {
        "match": match,
        "seats": seats,
        "title": mode_cards.title_of(match.mode),
        "installed": match.mode in REGISTRY,
        "aborted": match.status == Match.Status.ABORTED,
        "page_data": {
            "match": match.pk,
            "mode": match.mode,
            "seat": mine,
            "reasons": mode_cards.reasons_of(match.mode),
            "preferences": preferences.of(user) if isinstance(user, User) else None,
            "urls": {
                "data": reverse("games:replay-data", args=[match.pk]),
                "log": reverse("games:replay-log", args=[match.pk]),
            },
        },
    }
    return render(request, "games/replay.html", context)


@require_safe
def replay_json(request: HttpRequest, match_id: str) -> HttpResponse:
    """`?view=public`, a seat's number, or `all` (default). docs/replay.md describes it."""
    match = _finished(match_id)
    view = request.GET.get("view", replay_data.ALL)
    try:
        packed = replay_data.packed(match.pk, view)
    except KeyError:
        raise Http404 from None
    except UnknownRules:
        return HttpResponse(status=410)
    zipped = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(
        packed if zipped else gzip.decompress(packed), content_type="application/json"
    )
    if zipped:
        answer["Content-Encoding"] = "gzip"
    answer["Vary"] = "Accept-Encoding"
    answer["Cache-Control"] = FOR_EVER
    return answer


@require_safe
def replay_log(request: HttpRequest, match_id: str) -> HttpResponse:
    """The log as it was played, a JSON object a line."""
    match = _finished(match_id)
    lines = [json.dumps(_line(entry)) for entry in unpack_log(bytes(match.log or b""))]
    answer = HttpResponse("\n".join(lines) + "\n", content_type="application/x-ndjson")
    answer["Content-Disposition"] = f'attachment; filename="minesite-{match.pk}.ndjson"'
    answer["Cache-Control"] = FOR_EVER
    return answer


def _finished(match_id: str) -> Match:
    match = get_object_or_404(Match.objects.prefetch_related("seats"), pk=match_id)
    if not replay_data.archived(match):
        raise Http404
    return match


def _line(entry: Entry) -> dict[str, Any]:
    body = entry.body()
    if entry.kind == SETUP:
        # Who is who on this site is nobody's business.
        body["seats"] = [{"name": s["name"], "kind": s["kind"]} for s in body["seats"]]
    elif isinstance(body, dict):
        body.pop("by", None)
    return {"seq": entry.seq, "t": entry.t, "kind": entry.kind, "seat": entry.seat, "data": body}
