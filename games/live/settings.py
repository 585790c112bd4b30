"""Limits of live matches, from Django's settings. docs/configuration.md describes each."""

from __future__ import annotations

from typing import Final

from django.conf import settings

SEAT_RATE: Final = float(settings.LIVE_SEAT_RATE)
"""Commands per second of one seat, on average."""
SEAT_BURST: Final = float(settings.LIVE_SEAT_BURST)
SOCKET_RATE: Final = float(settings.LIVE_SOCKET_RATE)
"""Messages per second of one socket, on average."""
SOCKET_BURST: Final = float(settings.LIVE_SOCKET_BURST)
IDLE_SECONDS: Final = float(settings.LIVE_IDLE_SECONDS)
