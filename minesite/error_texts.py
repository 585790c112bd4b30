"""Every error code that a page may have to explain, with its English text."""

from __future__ import annotations

from games.engine.errors import CODES as ENGINE_CODES
from games.engine.registry import MODES
from games.live.protocol import ERRORS as PROTOCOL_CODES
from games.live.sent import CODES as LIVE_CODES
from lobby.errors import CODES as LOBBY_CODES


def error_texts() -> list[tuple[str, str]]:
    """Pairs of code and text. Two modes may have one code, each with a text of its own."""
    modes = [game.spec.codes for game in MODES.values()]
    pairs = [
        pair
        for codes in (LOBBY_CODES, LIVE_CODES, PROTOCOL_CODES, ENGINE_CODES, *modes)
        for pair in codes.items()
    ]
    return list(dict.fromkeys(pairs))
