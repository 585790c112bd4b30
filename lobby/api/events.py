"""`GET /api/v1/events`: what happens to an account, as server-sent events.

A stream is one asynchronous task. It reads the account's log (lobby/events.py) when a notice wakes
it, and every few seconds in case a notice was lost, so nothing is missed while it is connected.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final
from weakref import WeakSet

import msgspec
from asgiref.sync import sync_to_async
from django.http import HttpResponseBase, StreamingHttpResponse
from ninja import Router
from redis.exceptions import RedisError

from accounts.models import Token
from accounts.notifications.notify import unread
from accounts.requests import TokenRequest
from games.access import Identity
from games.api.auth import read_waiting
from games.api.problems import ApiError
from games.live.host import host
from lobby import events, notices, playing, presence
from lobby.api.playing import READ_REFUSALS
from lobby.hub import Notice, hub
from lobby.people import away
from lobby.players import Player, player_of

router = Router(auth=read_waiting)
HEARTBEAT_SECONDS: Final = 15.0
RETRY_MS: Final = 2_000
MOST_OF_ACCOUNT: Final = 4
"""Streams of one account in one process."""
_ID: Final = re.compile(r"[0-9]{1,15}-[0-9]{1,10}")
open_streams: dict[int, WeakSet[StreamResponse]] = {}
"""By account, in this process."""

TEXT: dict[str, Any] = {"content": {"text/event-stream": {}}}


@router.get(
    "/events", response={200: None, **READ_REFUSALS}, tags=["events"],
    openapi_extra={
        "parameters": [{"in": "header", "name": "Last-Event-ID", "required": False,
                        "schema": {"type": "string", "title": "Last-Event-ID"}}],
        "responses": {200: {"description": "Server-sent events, without end", **TEXT}},
    },
)  # fmt: skip
async def event_stream(request: TokenRequest) -> HttpResponseBase:
    """What happens to this account, as server-sent events: `match`, `turn`, `challenge`,
    `notification`. With `Last-Event-ID` the stream goes on behind that event."""
    token = request.auth
    if len(open_streams.get(token.user_id, ())) >= MOST_OF_ACCOUNT:
        limit = f"{MOST_OF_ACCOUNT} event streams per account"
        raise ApiError(429, "too_many_requests", retry_after=30, limit=limit)
    last = request.headers.get("Last-Event-ID", "")
    frames = EventStream(token).frames(last if _ID.fullmatch(last) else "")
    response = StreamResponse(token.user_id, frames)
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # nginx passes each event on at once
    return response


class StreamResponse(StreamingHttpResponse):
    """Closes the stream as soon as nobody reads it any more, wherever it was; Django leaves that to
    the garbage collector. It counts as open from its creation to its end."""

    def __init__(self, user_id: int, frames: AsyncGenerator[bytes, None]) -> None:
        super().__init__(frames, content_type="text/event-stream")
        self._frames = frames
        self._user_id = user_id
        open_streams.setdefault(user_id, WeakSet()).add(self)

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        try:
            async with aclosing(self._frames) as frames:
                async for frame in frames:
                    yield frame
        finally:
            self._release()

    def close(self) -> None:
        """Whether or not anybody has begun to read it."""
        self._release()
        super().close()

    def _release(self) -> None:
        """Again: changes nothing."""
        mine = open_streams.get(self._user_id)
        if mine is not None:
            mine.discard(self)
            if not mine:
                open_streams.pop(self._user_id, None)


class EventStream:
    """One connection. It ends with its token, when its process stops, and when Redis is away."""

    def __init__(self, token: Token) -> None:
        self._user_id: int = token.user_id
        self._who = Identity(token.user_id, None, token.pk, token.may("play"))
        self._player: Player = player_of(token.user)
        self._wake = asyncio.Event()
        self._has_ended = False

    async def frames(self, last: str) -> AsyncGenerator[bytes, None]:
        """The bytes of the stream, for as long as the client reads them."""
        address = notices.user_group(self._user_id)
        hub().add(address, self._hear)
        host().sockets.add(self, self._who)
        host().drain.add(self)
        try:
            await hub().opened()
            yield b"retry: %d\n\n" % RETRY_MS
            await events.keep(self._user_id)
            if not last or not await events.is_known(self._user_id, last):
                last = await events.last_id(self._user_id)
                for frame in await self._greeting(last):
                    yield frame
            while not self._has_ended:
                self._wake.clear()
                for event in await events.after(self._user_id, last):
                    last = event.id
                    yield _frame(event.type, event.data, event.id)
                if not await self._wakes():
                    await events.keep(self._user_id)
                    await self._say_here()
                    yield b": still here\n\n"
        except (RedisError, OSError):
            return  # the client connects again, and goes on where it was
        finally:
            hub().remove(address, self._hear)
            host().sockets.remove(self)
            host().drain.remove(self)

    async def _wakes(self) -> bool:
        """Wait until something may have happened; False when it is time for a heartbeat."""
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                await self._wake.wait()
        except TimeoutError:
            return False
        return True

    async def _greeting(self, last: str) -> list[bytes]:
        """How things stand: from here on every event is told."""
        await self._say_here()
        about = {
            "name": self._player.name,
            "match": await playing.match_of(self._player.identity),
            "unread": await sync_to_async(unread)(self._user_id),
        }
        open_ones: list[dict[str, Any]] = await away.open_for(self._player)
        return [
            _frame("hello", msgspec.json.encode(about), last),
            *(_frame("challenge", msgspec.json.encode(one), last) for one in open_ones),
        ]

    async def _say_here(self) -> None:
        """A program that may play and listens can be challenged."""
        if self._who.may_play:
            await presence.seen(self._player)

    def _hear(self, notice: Notice) -> None:
        self._wake.set()

    # -- what may end it -------------------------------------------------------------------------

    def end_access(self) -> None:
        self._end()

    def ask_to_reconnect(self, after_ms: int) -> None:
        asyncio.get_running_loop().call_later(after_ms / 1000, self._end)

    def stop_listening(self) -> None:
        """Its client says nothing."""

    def send_away(self) -> None:
        self._end()

    def _end(self) -> None:
        self._has_ended = True
        self._wake.set()


def _frame(kind: str, data: bytes, event_id: str) -> bytes:
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (event_id.encode(), kind.encode(), data)
