"""WebSocket addresses of this app."""

from __future__ import annotations

from typing import Any

from django.urls import path

from lobby.consumers import lobby_consumer
from lobby.text.protocols import text_modes
from lobby.text.websocket import TextSocket

socket: Any = lobby_consumer  # an ASGI application, which Channels routes to like a view
websocket_urlpatterns: list[Any] = [path("ws/lobby/", socket)]

# Open to any origin: no cookie is read there.
text_urlpatterns: list[Any] = [
    path(f"ws/text/{mode.name}/", TextSocket.as_asgi(mode=mode)) for mode in text_modes()
]
