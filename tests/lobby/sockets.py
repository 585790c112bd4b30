"""A visitor of `/ws/lobby/` for the tests: the consumer behind the site's own routes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.test import Client

from accounts.models import User
from lobby.routing import websocket_urlpatterns
from tests.communicator import PATIENCE, PatientCommunicator


@sync_to_async
def session_of(user: User | None) -> SessionBase:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client.session


class Visitor:
    def __init__(self, socket: PatientCommunicator) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        """Everything that came and was not asked for yet."""

    async def say(self, **message: Any) -> None:
        await self.socket.send_json_to(message)

    async def hear(self, kind: str, seconds: float = PATIENCE, **fields: Any) -> dict[str, Any]:
        """The next message of this type and with these values; others wait for their turn."""

        def wanted(message: dict[str, Any]) -> bool:
            return message["type"] == kind and fields.items() <= message.items()

        for message in self.heard:
            if wanted(message):
                self.heard.remove(message)
                return message
        async with asyncio.timeout(seconds):
            while True:
                message = await self.socket.receive_json_from(timeout=seconds)
                if wanted(message):
                    return message
                self.heard.append(message)

    async def ask(self, kind: str, **message: Any) -> dict[str, Any]:
        """The refusal that this message gets."""
        await self.say(type=kind, **message)
        return await self.hear("error", **{"for": kind})


async def new_user(name: str, kind: str = "registered") -> User:
    return await User.objects.acreate(username=name, kind=kind)


@asynccontextmanager
async def visit(user: User | None, token: str = "", query: str = "") -> AsyncIterator[Visitor]:
    headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
    socket = PatientCommunicator(URLRouter(websocket_urlpatterns), f"/ws/lobby/?{query}", headers)
    socket.scope["user"] = user or AnonymousUser()
    socket.scope["session"] = await session_of(user)
    connected, _ = await socket.connect(timeout=10)
    assert connected
    try:
        yield Visitor(socket)
    finally:
        await socket.disconnect(timeout=10)
