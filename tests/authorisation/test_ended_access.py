"""A ban or a revoked token ends every kind of connection at once, and nothing sent after it counts.

A new kind of connection that lasts belongs in `KINDS`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser
from django.test import AsyncClient

from accounts import tokens
from accounts.models import Token, User
from games.live.host import host
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.moderation import enforcement
from lobby import queue
from lobby.text.protocols import tcp_mode
from lobby.text.tcp import Gateway
from minesite import routing
from tests.communicator import PATIENCE, PatientCommunicator
from tests.lobby.sockets import session_of

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


class Connection:
    """`closed()` returns when the server has closed it; `use()` does something with it."""

    def __init__(
        self, closed: Callable[[], Awaitable[Any]], use: Callable[[], Awaitable[Any]]
    ) -> None:
        self.closed, self.use = closed, use


def _socket(path: str, secret: str) -> PatientCommunicator:
    patterns = [*routing.text_urlpatterns, *routing.websocket_urlpatterns]
    headers = [(b"authorization", f"Bearer {secret}".encode())]
    return PatientCommunicator(URLRouter(patterns), path, headers)


@asynccontextmanager
async def _web_socket(path: str, secret: str, use: dict[str, Any] | str) -> AsyncIterator[Any]:
    socket = _socket(path, secret)
    socket.scope["user"] = AnonymousUser()
    socket.scope["session"] = await session_of(None)
    accepted, _ = await socket.connect()
    assert accepted

    async def closed() -> None:
        while (await socket.receive_output())["type"] != "websocket.close":
            pass

    async def say() -> None:
        if isinstance(use, str):
            await socket.send_to(text_data=use)
        else:
            await socket.send_json_to(use)

    try:
        yield socket, Connection(closed, say)
    finally:
        await socket.disconnect()


@asynccontextmanager
async def match_socket(user: User, secret: str) -> AsyncIterator[Connection]:
    seats = [SeatInfo(user.pk, user.username, user.kind), SeatInfo(None, "x", "guest")]
    match = await create_match("battleship", seats, {}, rated=False, source="challenge")
    act = {"type": "act", "id": "a1", "action": {"type": "surrender"}}
    async with _web_socket(f"/ws/match/{match}/", secret, act) as (socket, connection):
        await socket.send_json_to({"type": "hello", "version": 1})
        assert (await socket.receive_json_from())[0]["type"] == "welcome"
        yield connection


@asynccontextmanager
async def lobby_socket(user: User, secret: str) -> AsyncIterator[Connection]:
    wish = {"mode": "battleship", "size": 2}
    use = {"type": "queue", "wishes": [wish]}
    async with _web_socket("/ws/lobby/", secret, use) as (socket, connection):
        assert (await socket.receive_json_from())["type"] == "hello"
        yield connection


@asynccontextmanager
async def text_socket(user: User, secret: str) -> AsyncIterator[Connection]:
    use = f"PLAY {user.username}"
    async with _web_socket("/ws/text/battleship/", secret, use) as (socket, connection):
        await socket.send_to(text_data=f"AUTH {secret}")
        await socket.send_to(text_data="SURR")
        assert (await socket.receive_from()).startswith("ERRO")  # AUTH has been taken by now
        yield connection


@asynccontextmanager
async def tcp_connection(user: User, secret: str) -> AsyncIterator[Connection]:
    mode = tcp_mode()
    assert mode is not None
    gateway = Gateway(mode, 10, 10)
    server = await asyncio.start_server(gateway.connected, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"AUTH {secret}\nSURR\n".encode())
    assert (await reader.readline()).startswith(b"ERRO")

    async def closed() -> None:
        async with asyncio.timeout(PATIENCE):
            while await reader.readline():
                pass

    async def use() -> None:
        writer.write(f"PLAY {user.username}\n".encode())
        await writer.drain()

    try:
        yield Connection(closed, use)
    finally:
        writer.close()
        await gateway.close()
        server.close()


@asynccontextmanager
async def event_stream(user: User, secret: str) -> AsyncIterator[Connection]:
    headers = {"authorization": f"Bearer {secret}"}
    answer = await AsyncClient().get("/api/v1/events", headers=headers)
    frames = aiter(answer)
    while b"event: hello" not in await anext(frames):
        pass

    async def closed() -> None:
        async with asyncio.timeout(PATIENCE):
            async for _frame in frames:
                pass

    async def use() -> None:
        """Its client says nothing."""

    try:
        yield Connection(closed, use)
    finally:
        await frames.aclose()


KINDS = [match_socket, lobby_socket, text_socket, tcp_connection, event_stream]


def ban(user: User, token: Token) -> None:
    enforcement.impose(user, "ban", "cheating", None, None)


def revoke(user: User, token: Token) -> None:
    tokens.revoke(token)


@pytest.mark.parametrize("end", [ban, revoke])
@pytest.mark.parametrize("kind", KINDS)
async def test_access_that_ends_closes_the_connection(kind: Any, end: Any):
    user = await User.objects.acreate(username="someone", kind="registered")
    token, secret = await sync_to_async(tokens.issue)(user, "t", ["play", "read"])
    await host().opened()
    async with kind(user, secret) as connection:
        await sync_to_async(end)(user, token)
        await connection.closed()
        with suppress(OSError):
            await connection.use()
    assert await queue.waiting() == []
