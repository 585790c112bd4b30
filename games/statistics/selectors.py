"""Queries for the pages and the API: each is one walk along an index."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounts.models import User
from games.engine.mode import Mode
from games.engine.registry import modes
from games.statistics import periods
from games.statistics.bests import MEASURES
from games.statistics.models import ALWAYS, Best, ModeAccuracy, SeatAccuracy, SoloGame, Tally

SHOWN: Final = 50
LAST: Final = 300
"""Games that the plots of a page show."""


@dataclass(frozen=True, slots=True)
class Board:
    """A kind of board that has figures of its own."""

    mode: str
    name: str
    no_guess: bool

    @property
    def key(self) -> dict[str, str | bool]:
        return {"mode": self.mode, "board": self.name, "no_guess": self.no_guess}


def figure_modes() -> list[Mode]:
    """The modes whose games have figures, in the order of the pages."""
    return [mode for mode in modes() if mode.solo_figures is not None]


def tallies(user_id: int) -> list[Tally]:
    return list(Tally.objects.filter(user_id=user_id).order_by("-played"))


def bests(user_id: int, board: Board) -> dict[str, Best]:
    """The player's best results of all time on this kind of board, by measure."""
    rows = Best.objects.filter(
        user_id=user_id, **board.key, by__in=MEASURES, period="all", start=ALWAYS
    )
    return {best.by: best for best in rows}


def all_bests(user_id: int) -> list[Best]:
    """The same, on all boards."""
    return list(Best.objects.filter(user_id=user_id, period="all", start=ALWAYS))


def last_games(user_id: int, board: Board, number: int = LAST) -> list[SoloGame]:
    """The player's last games on this kind of board, the newest first."""
    games = SoloGame.objects.filter(user_id=user_id, **board.key)
    return list(games.order_by("-ended_at")[:number])


def leaderboard(board: Board, by: str, period: str, now: datetime) -> list[Best]:
    """The best of the period, one result for each registered player."""
    rows = Best.objects.filter(
        **board.key, by=by, period=period, start=periods.start(period, now),
        who=User.Kind.REGISTERED,
    )  # fmt: skip
    order = "value" if MEASURES[by].lower_is_better else "-value"
    return list(rows.select_related("user", "game").order_by(order, "pk")[:SHOWN])


def mode_accuracies(user_id: int) -> list[ModeAccuracy]:
    return list(ModeAccuracy.objects.filter(user_id=user_id).order_by("-matches"))


def accuracies_of_match(match_id: str) -> dict[int, float]:
    """By seat."""
    rows = SeatAccuracy.objects.filter(match_id=match_id)
    return {row.number: row.percent for row in rows if row.percent is not None}
