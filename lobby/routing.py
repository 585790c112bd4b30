"""WebSocket addresses of this app."""

from __future__ import annotations

from typing import Any

from django.urls import path

from lobby.consumers import LobbyConsumer

websocket_urlpatterns: list[Any] = [path("ws/lobby/", LobbyConsumer.as_asgi())]
