"""Request and response schemas of the lobby's operations."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Field, Schema
from pydantic import BeforeValidator, ConfigDict

from games.api.shapes import RatingOut


def _whole(value: Any) -> Any:
    """JSON Schema has no floats: there, 2.0 is an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Integer = Annotated[int, BeforeValidator(_whole)]


class Body(Schema):
    """The body of a request. A 0 is no `false`, as in the published schema."""

    model_config = ConfigDict(strict=True)


class Me(Schema):
    name: str
    kind: str
    scopes: list[str]
    ratings: list[RatingOut]
    match: str | None
    """The match that is running, if there is one."""


class WishIn(Body):
    mode: str = Field(max_length=20)
    size: Integer = Field(0, ge=0, le=6)
    """0: the largest that can be had."""
    rated: bool = False
    preset: str = ""


class QueueIn(Body):
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


class ChallengeIn(Body):
    opponent: str = Field(max_length=40)
    mode: str = Field(max_length=20)
    rated: bool = False
    options: dict[str, Any] = {}
    keep: bool = False
    """If the player is away, keep it for a day."""


class ChallengeOut(Schema):
    id: str
    status: str
    mode: str
    rated: bool
    by: str
    to: str
    match: str | None
    kept: bool
    """It waits in the database for a player who was away."""


class AnswerIn(Body):
    accept: bool


class FoundOut(Schema):
    name: str
    kind: str


class PersonOut(Schema):
    name: str
    kind: str
    online: bool
    playing: bool
    mode: str | None
    url: str | None
    """Of the match, if anybody may watch it."""


class NamesOut(Schema):
    names: list[str]


class NotificationOut(Schema):
    id: int
    kind: str
    title: str
    body: str
    data: dict[str, str]
    url: str
    tag: str
    at: int
    """Milliseconds of the server's clock."""
    read: bool


class NotificationsOut(Schema):
    unread: int
    notifications: list[NotificationOut]


class ReadIn(Body):
    up_to: Integer | None = Field(ge=0, lt=2**62)
    """All, if it is null."""


class UnreadOut(Schema):
    unread: int
