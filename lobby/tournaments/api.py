"""Operations on tournaments: list, look, create, join, pause, leave, cancel."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja import Field, Router, Schema, Status
from ninja.params.functions import Path, Query

from accounts.requests import TokenRequest
from games.api.auth import by_address, play
from games.api.problems import Problem
from lobby import presence
from lobby.api.shapes import Body, Integer
from lobby.players import player_of, refuse_muted
from lobby.tournaments import entry, feed, making, reading, solo
from lobby.tournaments.models import Entrant, Tournament

router = Router(auth=play, tags=["tournaments"])
OPEN_REFUSALS = dict.fromkeys((400, 404, 422, 429), Problem)
REFUSALS = dict.fromkeys((400, 401, 403, 404, 409, 422, 429), Problem)
TournamentId = Path(..., pattern=r"^[a-z0-9]{12}$")


class TournamentOut(Schema):
    id: str
    name: str
    kind: str
    """arena, swiss or solo."""
    mode: str
    options: dict[str, Any]
    rated: bool
    status: str
    """planned, running, over or cancelled."""
    starts_at: datetime
    minutes: int
    """The length of the window; 0 for Swiss tournaments."""
    rounds: int
    round_minutes: int
    boards: int
    metric: str
    bots: bool
    min_rating: int | None
    max_rating: int | None
    min_days: int
    url: str

    @classmethod
    def of(cls, row: Tournament) -> TournamentOut:
        names = set(cls.model_fields) - {"name", "url", "metric"}
        return cls(
            **{name: getattr(row, name) for name in names},
            name=reading.title(row),
            metric=row.metric if row.kind == Tournament.Kind.SOLO else "",
            url=row.get_absolute_url(),
        )


class StandingOut(Schema):
    rank: int
    name: str
    kind: str
    state: str
    games: int
    score: float
    """Points; of a solo arena the time in milliseconds, or 3BV/s."""
    tie_breaks: list[float]
    """Arena: wins, average rating of opponents. Swiss: Buchholz, Sonneborn-Berger."""
    match: str | None


class RunningMatch(Schema):
    match: str
    players: list[str]


class WholeTournamentOut(TournamentOut):
    round: int | None
    version: int
    """Grows with every change."""
    standings: list[StandingOut]
    leaders: list[RunningMatch]
    """The running matches of the leaders."""


class TournamentIn(Body):
    name: str = Field(max_length=40)
    kind: str = Field(max_length=8)
    mode: str = Field(max_length=20)
    options: dict[str, Any] = {}
    starts_at: datetime = Field(strict=False)
    rated: bool = False
    minutes: Integer | None = None
    rounds: Integer | None = None
    round_minutes: Integer | None = None
    boards: Integer | None = None
    metric: str | None = Field(None, max_length=8)
    is_private: bool = False
    bots: bool = True
    min_rating: Integer | None = None
    max_rating: Integer | None = None
    min_days: Integer | None = None


class EntryOut(Schema):
    tournament: str
    state: str
    """active, paused or withdrawn."""
    match: str | None
    """The match to play now; connect to /ws/match/<id>/."""


class BoardOut(Schema):
    match: str


@router.get("", auth=by_address, response={200: list[TournamentOut], **OPEN_REFUSALS})
def list_tournaments(
    request: HttpRequest, status: str = Query("open", pattern="^(open|over)$")
) -> list[TournamentOut]:
    """The public tournaments that are running or planned, or the latest that are over."""
    states = (
        (Tournament.Status.OVER,)
        if status == "over"
        else (Tournament.Status.RUNNING, Tournament.Status.PLANNED)
    )
    return [TournamentOut.of(row) for row in reading.listed(None, *states)]


@router.get(
    "/{tournament_id}", auth=by_address,
    response={200: WholeTournamentOut, **OPEN_REFUSALS},
)  # fmt: skip
def one_tournament(request: HttpRequest, tournament_id: str = TournamentId) -> WholeTournamentOut:
    """A tournament with its standings. A private one is found by its id."""
    return _whole(entry.find(tournament_id))


@router.post("", response={200: TournamentOut, **REFUSALS})
async def create_tournament(request: TokenRequest, wanted: TournamentIn) -> TournamentOut:
    """Plan a tournament; its organiser need not play."""
    user = request.auth.user
    await refuse_muted(player_of(user))
    made = await making.create_when_dealt(user, wanted.dict())
    return TournamentOut.of(made)


@router.delete("/{tournament_id}", response={204: None, **REFUSALS})
async def cancel_tournament(
    request: TokenRequest, tournament_id: str = TournamentId
) -> Status[None]:
    """Call off one of your own that hasn't begun."""
    await sync_to_async(making.cancel)(tournament_id, request.auth.user)
    return Status(204, None)


@router.post("/{tournament_id}/join", response={200: EntryOut, **REFUSALS})
async def join_tournament(request: TokenRequest, tournament_id: str = TournamentId) -> EntryOut:
    """Enter, or go on after a pause. Only players who are online are paired: ask for the entry
    (GET) at least every 20 seconds, or keep a lobby socket open."""
    await presence.seen(player_of(request.auth.user))
    return _entry(await sync_to_async(entry.join)(tournament_id, request.auth.user))


@router.get("/{tournament_id}/entry", response={200: EntryOut, **REFUSALS})
async def own_entry(request: TokenRequest, tournament_id: str = TournamentId) -> EntryOut:
    """Your own entry, with the match to play once you are paired."""
    await presence.seen(player_of(request.auth.user))
    return _entry(await sync_to_async(entry.of)(tournament_id, request.auth.user))


@router.post("/{tournament_id}/pause", response={200: EntryOut, **REFUSALS})
async def pause_tournament(request: TokenRequest, tournament_id: str = TournamentId) -> EntryOut:
    """No more pairings until you join again."""
    return _entry(await sync_to_async(entry.pause)(tournament_id, request.auth.user))


@router.post("/{tournament_id}/leave", response={204: None, **REFUSALS})
async def leave_tournament(
    request: TokenRequest, tournament_id: str = TournamentId
) -> Status[None]:
    """Withdraw. Your results stay."""
    await sync_to_async(entry.leave)(tournament_id, request.auth.user)
    return Status(204, None)


@router.post("/{tournament_id}/boards/{number}", response={200: BoardOut, **REFUSALS})
async def play_board(
    request: TokenRequest,
    tournament_id: str = TournamentId,
    number: int = Path(..., ge=1, le=making.BOARDS[1]),
) -> BoardOut:
    """Begin a board of a solo arena, or go on with it."""
    found = await sync_to_async(entry.find)(tournament_id)
    address = request.META.get("REMOTE_ADDR", "")
    match = await solo.play(found, player_of(request.auth.user), number, address)
    return BoardOut(match=match)


def _entry(found: Entrant | None) -> EntryOut:
    assert found is not None
    return EntryOut(tournament=found.tournament_id, state=found.state, match=found.match or None)


def _whole(row: Tournament) -> WholeTournamentOut:
    picture = feed.shown(row.pk)
    assert picture is not None
    return WholeTournamentOut(
        **TournamentOut.of(row).dict(),
        round=picture["round"],
        version=picture["version"],
        standings=[_standing(row, one) for one in picture["rows"]],
        leaders=[
            RunningMatch(match=one["match"], players=[side["name"] for side in one["players"]])
            for one in picture["matches"]
        ],
    )


def _standing(row: Tournament, line: dict[str, Any]) -> StandingOut:
    score, ties = line.get("score", 0), line.get("ties", [])
    if row.kind == Tournament.Kind.SWISS:
        score, ties = score / 2, [ties[0] / 2, ties[1] / 4]
    elif row.kind == Tournament.Kind.SOLO:
        value = line["value"] or 0
        score = value / 1000 if row.metric == Tournament.Metric.SPEED else value
    same = {name: line[name] for name in ("rank", "name", "kind", "state", "games", "match")}
    return StandingOut(**same, score=score, tie_breaks=ties)
