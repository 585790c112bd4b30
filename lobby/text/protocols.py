"""The modes that are played by text."""

from __future__ import annotations

from collections.abc import Callable

from games.engine import registry
from games.engine.mode import Mode
from lobby.text.queued import QueuedClient
from lobby.text.roomed import RoomedClient

Client = QueuedClient | RoomedClient


def text_modes() -> list[Mode]:
    """Every mode with a text protocol."""
    return [mode for mode in registry.modes() if mode.text is not None]


def tcp_mode() -> Mode | None:
    """The mode that the TCP port serves; games/apps.py makes sure that there is at most one."""
    modes = text_modes()
    return next((mode for mode in modes if mode.text is not None and mode.text.tcp), None)


def client_of(mode: Mode, send: Callable[[str], None], close: Callable[[], None]) -> Client:
    """The driver of one client's session, by the flow of the mode's protocol."""
    if mode.text is not None and mode.text.rooms is not None:
        return RoomedClient(mode, send, close)
    return QueuedClient(mode, send, close)
