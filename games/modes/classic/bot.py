"""Plays alone: opens what the numbers prove, and guesses when they prove nothing."""

from __future__ import annotations

from typing import Any

from games.bots.decision import Decision
from games.bots.sweeping import BoardBot


class ClassicBot(BoardBot):
    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        game = view["game"]
        if view["phase"] != "live":
            return None
        if game["started"] is None:
            start = game["start"]
            return self.open(len(game["cells"]) // 2 if start is None else start, 1.0)
        return self.sweep(game)
