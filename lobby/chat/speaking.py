"""Say something in a room, and read what was said lately."""

from __future__ import annotations

from typing import Any, Final

from asgiref.sync import sync_to_async
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.moderation.enforcement import is_muted
from games.redis import redis
from lobby import notices
from lobby.chat import filtering, rooms
from lobby.chat.models import Line, Mute
from lobby.chat.phrases import PHRASES
from lobby.errors import LobbyError
from lobby.models import Block
from lobby.players import Player
from lobby.store import named
from lobby.users import user_named

HISTORY: Final = 50
"""Lines that somebody who enters a room reads."""
LIMITS: Final = ((6, 10), (120, 3600))
"""A player says at most so many lines in so many seconds."""
MOST_MUTES: Final = 500


async def say(player: Player, room: str, key: str, phrase: str, text: str) -> dict[str, Any]:
    """The line as everybody in the room reads it. It is stored once this returns; a line of the
    same key is said only once. Raises LobbyError."""
    if player.user_id is None:
        raise LobbyError("no_such_room")
    rights = await rooms.rights(player, room)
    if not (rights.text if text else rights.phrases):
        raise LobbyError(rights.why or "chat_closed")
    if await is_muted(player.user_id):
        raise LobbyError("muted")
    if bool(phrase) == bool(text) or (phrase and phrase not in PHRASES):
        raise LobbyError("no_such_phrase")
    await _refuse_flood(player.user_id)
    now = timezone.now()
    if text:
        text = filtering.cleaned(text)
        author = await User.objects.aget(pk=player.user_id)
        filtering.refuse_bad(text, author.date_joined, now)
    line = Line(room=room, author_id=player.user_id, key=key, phrase=phrase, text=text, at=now)
    stored, is_new = await _stored(line)
    message = as_message(stored, player.name, player.kind)
    if is_new:
        await notices.tell(rooms.group_of(room), message)
    return message


@sync_to_async
def _stored(line: Line) -> tuple[Line, bool]:
    """The line, or the earlier one of the same key."""
    try:
        with transaction.atomic():
            line.save(force_insert=True)
    except IntegrityError:
        same = {"author_id": line.author_id, "room": line.room, "key": line.key}
        return Line.objects.get(**same), False
    return line, True


async def _refuse_flood(user_id: int) -> None:
    async with redis().pipeline(transaction=True) as pipe:
        for _most, seconds in LIMITS:
            name = named(f"said:{seconds}:{user_id}")
            pipe.set(name, 0, ex=seconds, nx=True)
            pipe.incr(name)
        counts = (await pipe.execute())[1::2]
    for count, (most, seconds) in zip(counts, LIMITS, strict=True):
        if count > most:
            raise LobbyError("chat_too_fast", seconds=seconds)


def as_message(line: Line, name: str, kind: str) -> dict[str, Any]:
    said = {"phrase": line.phrase} if line.phrase else {"text": line.text}
    at = int(line.at.timestamp() * 1000)
    return {
        "type": "chat_line", "room": line.room, "id": line.pk, "key": line.key, "at": at,
        "by": name, "kind": kind, **said,
    }  # fmt: skip


async def history(room: str) -> list[dict[str, Any]]:
    """The last lines, the oldest first."""
    rows = Line.objects.filter(room=room).select_related("author").order_by("-pk")[:HISTORY]
    found = [as_message(row, row.author.username, row.author.kind) async for row in rows]
    return found[::-1]


# -- whom a reader does not want to read ---------------------------------------------------------


async def hidden_from(user_id: int) -> frozenset[str]:
    """The names of those whom this reader has muted, or is kept apart from by a block."""
    blocks = Block.objects.filter(Q(blocker_id=user_id) | Q(blocked_id=user_id))
    rows = blocks.values_list("blocker__username", "blocked__username", "blocker_id")
    apart = {there if by == user_id else here async for here, there, by in rows}
    return frozenset(apart | set(await muted_by(user_id)))


async def muted_by(user_id: int) -> list[str]:
    rows = Mute.objects.filter(reader_id=user_id).order_by("muted__username")
    return [name async for name in rows.values_list("muted__username", flat=True)]


async def mute(user_id: int, name: str, on: bool) -> list[str]:
    """Stop or start reading a player; returns the names of all who are muted."""
    other = await user_named(name)
    if other.pk == user_id:
        raise LobbyError("not_yourself", "You can't mute yourself.")
    if not on:
        await Mute.objects.filter(reader_id=user_id, muted_id=other.pk).adelete()
    elif await Mute.objects.filter(reader_id=user_id).acount() >= MOST_MUTES:
        raise LobbyError("too_many_mutes")
    else:
        await Mute.objects.aget_or_create(reader_id=user_id, muted_id=other.pk)
    return await muted_by(user_id)
