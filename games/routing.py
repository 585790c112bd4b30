"""WebSocket addresses of this app."""

from __future__ import annotations

from typing import Any

from django.urls import re_path

from games.consumers import MatchConsumer

websocket_urlpatterns: list[Any] = [
    re_path(r"^ws/match/(?P<match_id>[a-z0-9]{12})/$", MatchConsumer.as_asgi()),
]
