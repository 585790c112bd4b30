"""WebSocket addresses of this app."""

from __future__ import annotations

from typing import Any

from django.urls import path

from lobby.consumers import LobbyConsumer
from lobby.text.protocols import text_modes
from lobby.text.websocket import TextSocket

websocket_urlpatterns: list[Any] = [path("ws/lobby/", LobbyConsumer.as_asgi())]

# Open to any origin: no cookie is read there.
text_urlpatterns: list[Any] = [
    path(f"ws/text/{mode.name}/", TextSocket.as_asgi(mode=mode)) for mode in text_modes()
]
