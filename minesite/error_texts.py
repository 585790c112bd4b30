"""Every error code that a page may have to explain, with its English text."""

from __future__ import annotations

from games.engine.errors import CODES as ENGINE_CODES
from games.engine.registry import MODES
from games.live.protocol import ERRORS as PROTOCOL_CODES
from games.live.replica import CODES as LIVE_CODES
from lobby.errors import CODES as LOBBY_CODES


def error_texts() -> dict[str, str]:
    texts = {**ENGINE_CODES}
    for game in MODES.values():
        texts |= game.spec.codes
    return texts | PROTOCOL_CODES | LIVE_CODES | LOBBY_CODES
