"""WebSocket addresses of this app."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from lobby.consumers import LobbyConsumer
from lobby.text.websocket import AreaAttackText, BattleshipText

websocket_urlpatterns: list[Any] = [path("ws/lobby/", LobbyConsumer.as_asgi())]

# Open to any origin: no cookie is read there.
text_urlpatterns: list[Any] = [
    re_path(r"^ws/text/battleship/$", BattleshipText.as_asgi()),
    re_path(r"^ws/text/area-attack/$", AreaAttackText.as_asgi()),
]
