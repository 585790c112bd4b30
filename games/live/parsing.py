"""What an action's JSON means to the rules. The same few moves come again and again, in all matches
of a mode, and what the rules make of them can't be changed: so it is kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from games.engine.game import Game

SHORT: Final = 64
"""Bytes: longer ones are parsed each time, so that nobody fills the memory with them."""
KEPT: Final = 16_384

AID: Final = "hinted"
"""The action that records a hint."""

_decode = msgspec.json.Decoder().decode

Parse = Callable[[bytes], tuple[Any, bool]]


@cache
def parser(game: Game[Any]) -> tuple[Parse, Parse]:
    """For short and for long actions: what `parse_action` makes of it, and whether it records a
    hint. Raises msgspec.DecodeError and BadAction."""

    def parse(raw: bytes) -> tuple[Any, bool]:
        body = _decode(raw)
        return game.parse_action(body), body["type"] == AID

    return lru_cache(KEPT)(parse), parse
