"""Operations about people: search, follows, blocks, notifications."""

from __future__ import annotations

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja import Router, Status
from ninja.params.functions import Path, Query

from accounts import following
from accounts.notifications import notify
from accounts.requests import TokenRequest
from games.api.auth import by_address, play, read, read_waiting
from games.api.problems import Problem
from lobby import blocks
from lobby.api.playing import READ_REFUSALS, REFUSALS
from lobby.api.shapes import (
    FoundOut,
    NamesOut,
    NotificationOut,
    NotificationsOut,
    PersonOut,
    ReadIn,
    UnreadOut,
)
from lobby.people import follows, search
from lobby.people.presence_of import AWAY, whereabouts
from lobby.people.watching import visible
from lobby.store import now_ms

router = Router(auth=play)
Name = Path(..., pattern=r"^[A-Za-z0-9_-]{3,20}$")
Beginning = Query(..., pattern=r"^[A-Za-z0-9_-]{2,20}$")


@router.get(
    "/players", auth=by_address, tags=["players"],
    response={200: list[FoundOut], 400: Problem, 422: Problem, 429: Problem},
)  # fmt: skip
def find_players(request: HttpRequest, q: str = Beginning) -> list[FoundOut]:
    """Up to 20 players whose names begin with `q`; guests are not among them."""
    return [FoundOut(name=user.username, kind=user.kind) for user in search.beginning_with(q)]


@router.get(
    "/following", auth=read_waiting, response={200: list[PersonOut], **READ_REFUSALS},
    tags=["people"],
)  # fmt: skip
async def list_followed(request: TokenRequest) -> list[PersonOut]:
    """The players you follow, and who of them is online and where they play. Those whose settings
    hide it seem to be away."""
    user_id = request.auth.user_id
    followed = await sync_to_async(following.followed_by)(user_id)
    seen = await sync_to_async(visible)(user_id)
    where = await whereabouts(list(seen), await now_ms())
    return [
        PersonOut(name=other.username, kind=other.kind, **where.get(other.pk, AWAY).as_json())
        for other in followed
    ]


@router.put("/following/{name}", response={204: None, **REFUSALS}, tags=["people"])
async def follow_player(request: TokenRequest, name: str = Name) -> Status[None]:
    """Follow a player. Harmless if you do already."""
    await follows.follow(request.auth.user_id, name)
    return Status(204, None)


@router.delete("/following/{name}", response={204: None, **REFUSALS}, tags=["people"])
async def unfollow_player(request: TokenRequest, name: str = Name) -> Status[None]:
    """Follow a player no longer. Harmless if you don't."""
    await follows.unfollow(request.auth.user_id, name)
    return Status(204, None)


@router.get("/blocks", auth=read_waiting, response={200: NamesOut, **READ_REFUSALS},
            tags=["people"])  # fmt: skip
async def list_blocked(request: TokenRequest) -> NamesOut:
    """The players you have blocked."""
    return NamesOut(names=await blocks.names(request.auth.user_id))


@router.put("/blocks/{name}", response={204: None, **REFUSALS}, tags=["people"])
async def block_player(request: TokenRequest, name: str = Name) -> Status[None]:
    """Never meet this player again. Neither follows the other from then on."""
    await blocks.block(request.auth.user_id, name)
    return Status(204, None)


@router.delete("/blocks/{name}", response={204: None, **REFUSALS}, tags=["people"])
async def unblock_player(request: TokenRequest, name: str = Name) -> Status[None]:
    """Allow meeting this player again."""
    await blocks.unblock(request.auth.user_id, name)
    return Status(204, None)


@router.get("/notifications", auth=read, response={200: NotificationsOut, **READ_REFUSALS},
            tags=["notifications"])  # fmt: skip
def list_notifications(request: TokenRequest) -> NotificationsOut:
    """What you were told, the newest first, at most 100; texts in the language of
    `Accept-Language`."""
    user_id = request.auth.user_id
    rows = [NotificationOut(**notify.shown(row)) for row in notify.newest(user_id)]
    return NotificationsOut(unread=notify.unread(user_id), notifications=rows)


@router.post("/notifications/read", response={200: UnreadOut, **REFUSALS}, tags=["notifications"])
async def mark_notifications_read(request: TokenRequest, wanted: ReadIn) -> UnreadOut:
    """Mark notifications as read: those up to this id, or all."""
    unread = await sync_to_async(notify.mark_read)(request.auth.user_id, wanted.up_to)
    return UnreadOut(unread=unread)
