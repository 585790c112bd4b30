"""Operations that read: who, what was played, who is best."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Router
from ninja.params.functions import Path, Query

from accounts.models import User
from accounts.requests import TokenRequest
from games import selectors
from games.api.auth import by_address, read
from games.api.problems import ApiError, Problem
from games.api.shapes import (
    MatchOut,
    MatchPage,
    ModeOut,
    PlaceOut,
    PlayerOut,
    RatingOut,
    player_out,
)
from games.engine.registry import REGISTRY, modes
from games.live.entry import public_line, unpack_log
from games.models import Match, Seat
from games.selectors import HistoryFilter

router = Router()
BAD = {400: Problem, 422: Problem, 429: Problem}
FORBIDDEN = {401: Problem, 403: Problem}
MISSING = {404: Problem}

Name = Path(..., pattern=r"^[A-Za-z0-9_-]{3,20}$")
MatchId = Path(..., pattern=r"^[a-z0-9]{12}$")
Mode = Path(..., pattern=r"^[a-z][a-z0-9-]{1,19}$")


@router.get("/modes", auth=by_address, response={200: list[ModeOut], **BAD}, tags=["modes"])
def list_modes(request: HttpRequest) -> list[ModeOut]:
    """The modes that are played here."""
    return [ModeOut.of(mode) for mode in modes()]


@router.get("/matches", auth=read, response={200: MatchPage, **FORBIDDEN, **BAD}, tags=["matches"])
def own_matches(
    request: TokenRequest,
    mode: str = Query("", max_length=20),
    result: str = Query("", pattern="^(win|loss|draw|none)?$"),
    opponent: str = Query("", max_length=40),
    before: int | None = Query(None, ge=1, lt=2**62),
) -> MatchPage:
    """The finished matches of this token's account, the newest first."""
    token = request.auth
    return _history(token.user_id, HistoryFilter(mode, result, opponent), before)


@router.get(
    "/matches/{match_id}", auth=by_address, response={200: MatchOut, **MISSING, **BAD},
    tags=["matches"],
)  # fmt: skip
def one_match(request: HttpRequest, match_id: str = MatchId) -> MatchOut:
    """One match. The seed is shown once it is over, that of a board of the day once its day is."""
    matches = Match.objects.defer("log", "deal").prefetch_related("seats")
    return MatchOut.of(get_object_or_404(matches, pk=match_id))


@router.get(
    "/matches/{match_id}/log", auth=by_address,
    response={200: None, **MISSING, 409: Problem, **BAD}, tags=["matches"],
    openapi_extra={"responses": {200: {"description": "One entry a line",
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}}}}},
)  # fmt: skip
def match_log(request: HttpRequest, match_id: str = MatchId) -> HttpResponse:
    """The log of a finished match as NDJSON, entry 0 (the set-up) first."""
    match = get_object_or_404(Match, pk=match_id)
    if match.status == Match.Status.LIVE or match.log is None:
        raise ApiError(409, "not_over")
    if match.is_withheld:
        raise ApiError(409, "day_not_over")
    lines = [public_line(entry) for entry in unpack_log(bytes(match.log))]
    response = HttpResponse(b"\n".join(lines) + b"\n", content_type="application/x-ndjson")
    response["Content-Disposition"] = f'attachment; filename="{match.pk}.ndjson"'
    return response


@router.get(
    "/players/{name}", auth=by_address, response={200: PlayerOut, **MISSING, **BAD},
    tags=["players"],
)  # fmt: skip
def one_player(request: HttpRequest, name: str = Name) -> PlayerOut:
    """A player's public page."""
    return player_out(_player(name))


@router.get(
    "/players/{name}/matches", auth=by_address, response={200: MatchPage, **MISSING, **BAD},
    tags=["players"],
)  # fmt: skip
def player_matches(
    request: HttpRequest, name: str = Name, before: int | None = Query(None, ge=1, lt=2**62)
) -> MatchPage:
    """The finished matches of a player, unless that player keeps them private."""
    user = _player(name)
    if user.preferences.get("private"):
        return MatchPage(matches=[], older=None)
    return _history(user.pk, HistoryFilter(), before)


@router.get(
    "/leaderboards/{mode}", auth=by_address, response={200: list[PlaceOut], **MISSING, **BAD},
    tags=["leaderboards"],
)  # fmt: skip
def leaderboard(request: HttpRequest, mode: str = Mode, bots: bool = False) -> list[PlaceOut]:
    """The best of a mode; bots have a board of their own."""
    if mode not in REGISTRY or not REGISTRY[mode].may_be_rated:
        raise Http404
    kind = User.Kind.BOT if bots else User.Kind.REGISTERED
    return [
        PlaceOut(place=place, name=row.user.username, rating=RatingOut.of(row))
        for place, row in enumerate(selectors.leaderboard(mode, kind), 1)
    ]


def _player(name: str) -> User:
    user = selectors.named(name)
    if user is None:
        raise Http404
    return user


def _history(user_id: int, wanted: HistoryFilter, before: int | None) -> MatchPage:
    page = selectors.history(user_id, wanted, before)
    seats: list[Seat] = page.seats
    return MatchPage(matches=[MatchOut.of(seat.match) for seat in seats], older=page.older)
