"""Every error code that a page may have to explain, with its English text."""

from __future__ import annotations

from games.engine.errors import CODES as ENGINE_CODES
from games.engine.registry import MODES
from games.live.protocol import ERRORS as PROTOCOL_CODES
from games.live.row import CODES as LIVE_CODES
from games.puzzles.answers import CODES as PUZZLE_CODES
from lobby.errors import CODES as LOBBY_CODES
from lobby.tournaments.errors import CODES as TOURNAMENT_CODES


def common_texts() -> list[tuple[str, str]]:
    """Pairs of code and text, without those of single modes."""
    every = (
        LOBBY_CODES,
        TOURNAMENT_CODES,
        LIVE_CODES,
        PROTOCOL_CODES,
        ENGINE_CODES,
        PUZZLE_CODES,
    )
    return list(dict.fromkeys(pair for codes in every for pair in codes.items()))


def error_texts() -> list[tuple[str, str]]:
    """All pairs. Two modes may have one code, each with a text of its own."""
    own = [pair for game in MODES.values() for pair in game.spec.codes.items()]
    return list(dict.fromkeys([*common_texts(), *own]))
