"""Clears its own copy of the board."""

from __future__ import annotations

from typing import Any

from games.bots.decision import Decision, human_pause
from games.bots.sweeping import BoardBot


class RaceBot(BoardBot):
    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        seat, game = view["you"], view["game"]
        if view["phase"] == "setup" and not view["seats"][seat]["ready"]:
            return Decision({"type": "ready"}, human_pause(self.character, self.random))
        me = game["players"][seat]
        if view["phase"] != "live" or me["finished"] is not None:
            return None
        locked = max(0, (me["locked_until"] or 0) - now) / 1000
        return self.sweep(game, wait=locked)
