"""Operations of the HTTP API about statistics: one's own, and the leaderboards of results."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Router, Schema
from ninja.params.functions import Path, Query

from accounts.requests import TokenRequest
from games.api.auth import by_address, read
from games.api.problems import Problem
from games.engine.registry import REGISTRY
from games.statistics import selectors
from games.statistics.models import Best, ModeAccuracy, SoloGame, Tally
from games.statistics.selectors import Board

router = Router()

By = Literal["time", "speed", "ioe", "rqp"]
Period = Literal["day", "week", "month", "all"]


class GameOut(Schema):
    match: str
    ended_at: datetime
    time_ms: int
    bbbv: int
    bbbv_per_second: float
    ioe: float
    rqp: float

    @classmethod
    def of(cls, game: SoloGame) -> GameOut:
        return cls(
            match=game.match_id,
            ended_at=game.ended_at,
            time_ms=game.time_ms,
            bbbv=game.bbbv,
            bbbv_per_second=round(game.speed, 4),
            ioe=round(game.ioe, 4),
            rqp=round(game.rqp, 4),
        )


class RecordOut(Schema):
    place: int
    name: str
    game: GameOut


class BoardOut(Schema):
    mode: str
    board: str
    """The name of a preset; empty for all boards of other sizes together."""
    no_guess: bool
    played: int
    won: int
    streak: int
    best_streak: int
    bests: dict[str, float]
    """By measure: `time` (ms), `speed` (3BV/s), `ioe`, `rqp`."""
    mean_win_ms: int | None
    bbbv_done: int
    reveals: int
    flags: int
    chords: int

    @classmethod
    def of(cls, tally: Tally, bests: list[Best]) -> BoardOut:
        key = (tally.mode, tally.board, tally.no_guess)
        plain = set(cls.model_fields) - {"bests", "mean_win_ms"}
        return cls(
            **{name: getattr(tally, name) for name in plain},
            bests={b.by: b.value for b in bests if (b.mode, b.board, b.no_guess) == key},
            mean_win_ms=tally.won_ms // tally.won if tally.won else None,
        )


class AccuracyOut(Schema):
    mode: str
    matches: int
    accuracy: float | None
    """In percent."""
    luck: float
    """Mines to be expected less those struck."""
    luck_free_rating: float | None

    @classmethod
    def of(cls, row: ModeAccuracy) -> AccuracyOut:
        return cls(
            mode=row.mode,
            matches=row.matches,
            accuracy=None if row.percent is None else round(row.percent, 2),
            luck=round(row.luck, 3),
            luck_free_rating=None if row.rating is None else round(row.rating, 1),
        )


class StatisticsOut(Schema):
    boards: list[BoardOut]
    accuracies: list[AccuracyOut]


@router.get(
    "/statistics", tags=["statistics"], auth=read,
    response={200: StatisticsOut, 401: Problem, 403: Problem, 422: Problem, 429: Problem},
)  # fmt: skip
def own_statistics(request: TokenRequest) -> StatisticsOut:
    """The statistics of this token's account: its games for one by kind of board, and the accuracy
    of its moves by mode."""
    user_id = request.auth.user_id
    bests = selectors.all_bests(user_id)
    return StatisticsOut(
        boards=[BoardOut.of(tally, bests) for tally in selectors.tallies(user_id)],
        accuracies=[AccuracyOut.of(row) for row in selectors.mode_accuracies(user_id)],
    )


@router.get(
    "/leaderboards/{mode}/records", tags=["leaderboards"], auth=by_address,
    response={200: list[RecordOut], 404: Problem, 422: Problem, 429: Problem},
)  # fmt: skip
def records(
    request: HttpRequest,
    mode: str = Path(..., pattern=r"^[a-z][a-z0-9-]{1,19}$"),
    board: str = Query("", max_length=20),
    no_guess: bool = False,
    period: Period = "all",
    by: By = "time",
) -> list[RecordOut]:
    """The best result of each player on a standard board of a mode for one; without `board` the
    first one."""
    found = REGISTRY.get(mode)
    if found is None or found.solo_figures is None:
        raise Http404
    names = [preset.name for preset in found.presets]
    board = board or (names[0] if names else "")
    if board not in names:
        raise Http404
    rows = selectors.leaderboard(Board(mode, board, no_guess), by, period, timezone.now())
    return [
        RecordOut(place=place, name=row.user.username, game=GameOut.of(row.game))
        for place, row in enumerate(rows, 1)
    ]
