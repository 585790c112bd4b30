"""All WebSocket addresses, collected from the apps."""

from __future__ import annotations

from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import re_path

from games.routing import websocket_urlpatterns as games
from lobby.routing import text_urlpatterns
from lobby.routing import websocket_urlpatterns as lobby


class NoSuchAddress(AsyncWebsocketConsumer):
    """Refuses the handshake. Without it, an unknown address would be an error in our log."""

    async def connect(self) -> None:
        await self.close()


__all__ = ["text_urlpatterns", "websocket_urlpatterns"]

websocket_urlpatterns: list[Any] = [*games, *lobby, re_path(r"", NoSuchAddress.as_asgi())]
