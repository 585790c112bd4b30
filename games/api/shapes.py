"""Response schemas of the API, built up from public knowledge."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema

from accounts.models import Rating, User
from accounts.ratings import is_provisional
from games.engine.mode import Mode
from games.models import Match, Seat


class RatingOut(Schema):
    mode: str
    rating: float
    games: int
    provisional: bool

    @classmethod
    def of(cls, row: Rating) -> RatingOut:
        return cls(
            mode=row.mode, rating=round(row.shown, 1), games=row.games,
            provisional=is_provisional(row),
        )  # fmt: skip


class PlayerOut(Schema):
    name: str
    kind: str
    joined: datetime
    ratings: list[RatingOut]


class PlaceOut(Schema):
    place: int
    name: str
    rating: RatingOut


class SeatOut(Schema):
    number: int
    name: str
    kind: str
    rank: int | None
    score: int | None
    result: str
    rating_before: float | None
    rating_after: float | None

    @classmethod
    def of(cls, seat: Seat) -> SeatOut:
        return cls(**{name: getattr(seat, name) for name in cls.model_fields})


class MatchOut(Schema):
    id: str
    mode: str
    rules_version: int
    rated: bool
    source: str
    status: str
    reason: str
    created_at: datetime
    ended_at: datetime | None
    duration_ms: int | None
    commitment: str
    seed: str
    """Empty until the match is over; of a board of the day, until the day is."""
    options: dict[str, Any]
    previous: str | None
    seats: list[SeatOut]

    @classmethod
    def of(cls, match: Match) -> MatchOut:
        plain = set(cls.model_fields) - {"seats", "previous", "seed"}
        over = match.status != Match.Status.LIVE and not match.is_withheld
        return cls(
            **{name: getattr(match, name) for name in plain},
            seed=match.seed if over else "",
            previous=match.previous_id,
            seats=[SeatOut.of(seat) for seat in match.seats.all()],
        )


class MatchPage(Schema):
    matches: list[MatchOut]
    older: int | None
    """Give it as `before` to get the next page; null on the last one."""


class ModeOut(Schema):
    name: str
    title: str
    version: int
    min_seats: int
    max_seats: int
    realtime: bool
    hidden: bool
    rated: bool
    """Whether matches can be rated."""
    actions: list[str]
    options: list[dict[str, Any]]
    """JSON schemas, each with `name`, `title`, `default` and its limits."""
    presets: dict[str, dict[str, Any]]

    @classmethod
    def of(cls, mode: Mode) -> ModeOut:
        spec = mode.rules.spec
        return cls(
            name=mode.name,
            title=mode.title,
            version=spec.version,
            min_seats=spec.min_seats,
            max_seats=spec.max_seats,
            realtime=spec.realtime,
            hidden=spec.hidden,
            rated=mode.may_be_rated,
            actions=list(spec.actions),
            options=[{"name": option.name, **option.schema()} for option in mode.options],
            presets={preset.name: dict(preset.options) for preset in mode.presets},
        )


def player_out(user: User) -> PlayerOut:
    rows = user.ratings.order_by("mode")
    return PlayerOut(
        name=user.username, kind=user.kind, joined=user.date_joined,
        ratings=[RatingOut.of(row) for row in rows],
    )  # fmt: skip
