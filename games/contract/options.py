"""Options come back from the log as they went in."""

from __future__ import annotations

import json
from dataclasses import asdict
from random import Random

from games.engine.errors import GameError

from .failure import Broken
from .replay import encode
from .subject import Subject

SURVIVE = "options survive the log"


def check_options(subject: Subject, count: int = 200) -> int:
    """Parsed options, written as JSON, parse to the same again."""
    game, random = subject.game, Random(subject.name)
    for _ in range(count):
        raw = subject.options(random)
        options = game.parse_options(raw)
        stored = json.loads(encode(asdict(options)))
        try:
            again = game.parse_options(stored)
        except GameError as error:
            text = f"parse_options() refuses its own result: {error.text}"
            raise Broken(SURVIVE, text, entry=stored) from error
        if again != options:
            text = "options that were stored and parsed again differ."
            raise Broken(SURVIVE, text, entry=raw, expected=asdict(options), got=asdict(again))
    return count
