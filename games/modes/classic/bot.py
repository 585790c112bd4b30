"""Plays alone: opens what the numbers prove, and guesses when they prove nothing."""

from __future__ import annotations

from random import Random
from typing import Any

from games.bots.decision import Decision, human_pause
from games.bots.reading import BoardReader
from games.bots.roster import Character
from games.bots.sweeping import Sweeper
from games.engine.board import HIDDEN


class ClassicBot:
    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random
        self._reader: BoardReader | None = None
        self._last: int | None = None

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        if view["phase"] != "live":
            return None
        game = view["game"]
        cells = game["cells"]
        hidden = [cell for cell, shown in enumerate(cells) if shown == HIDDEN]
        if not hidden:
            return None
        if self._last is None:
            start = game["start"]
            cell, effort = len(cells) // 2 if start is None else start, 1.0
        else:
            cell, effort = self._look(game).choose(hidden, self._last, game["width"])
        self._last = cell
        pause = human_pause(self._character, self._random, effort)
        return Decision({"type": "reveal", "cell": cell}, pause)

    def _look(self, game: dict[str, Any]) -> Sweeper:
        if self._reader is None:
            self._reader = BoardReader(game)
        self._reader.look(game)
        return Sweeper(self._reader.solver, self._character, self._random)
