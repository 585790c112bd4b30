"""WebSocket addresses of this app."""

from __future__ import annotations

from typing import Any

from django.urls import re_path

from games.consumers import match_consumer
from games.protocols.websocket import AreaAttackText, BattleshipText

websocket_urlpatterns: list[Any] = [
    re_path(r"^ws/match/(?P<match_id>[a-z0-9]{12})/$", match_consumer),
]

# Open to any origin: no cookie is read there.
text_urlpatterns: list[Any] = [
    re_path(r"^ws/text/battleship/$", BattleshipText.as_asgi()),
    re_path(r"^ws/text/area-attack/$", AreaAttackText.as_asgi()),
]
