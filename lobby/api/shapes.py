"""What the operations of the lobby take and give out."""

from __future__ import annotations

from typing import Any

from ninja import Field, Schema

from games.api.shapes import RatingOut


class Me(Schema):
    name: str
    kind: str
    scopes: list[str]
    ratings: list[RatingOut]
    match: str | None
    """The match that is running, if there is one."""


class WishIn(Schema):
    mode: str = Field(max_length=20)
    size: int = Field(0, ge=0, le=6)
    """0: the largest that can be had."""
    rated: bool = False
    preset: str = ""


class QueueIn(Schema):
    wishes: list[WishIn] = Field(min_length=1, max_length=12)
    bot: bool = False
    """A house bot may take the other seat at once."""


class TicketOut(Schema):
    ticket: str
    queues: list[str]
    waiting_since: int
    match: str | None = None
    """Once matched: connect to /ws/match/<id>/."""
    seat: int | None = None


class ChallengeIn(Schema):
    opponent: str = Field(max_length=40)
    mode: str = Field(max_length=20)
    rated: bool = False
    options: dict[str, Any] = {}


class ChallengeOut(Schema):
    id: str
    status: str
    mode: str
    rated: bool
    by: str
    to: str
    match: str | None


class AnswerIn(Schema):
    accept: bool
