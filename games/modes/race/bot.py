"""Race: clear one's own copy of the board."""

from __future__ import annotations

from random import Random
from typing import Any

from games.bots.decision import Decision, human_pause
from games.bots.reading import BoardReader
from games.bots.roster import Character
from games.bots.sweeping import Sweeper
from games.engine.board import HIDDEN


class RaceBot:
    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random
        self._reader: BoardReader | None = None
        self._last: int | None = None

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        seat = view["you"]
        if view["phase"] == "setup":
            if view["seats"][seat]["ready"]:
                return None
            return Decision({"type": "ready"}, human_pause(self._character, self._random))
        if view["phase"] != "live":
            return None
        game = view["game"]
        me = game["players"][seat]
        if me["finished"] is not None:
            return None
        sweeper = self._look(game)
        hidden = [cell for cell, shown in enumerate(game["cells"]) if shown == HIDDEN]
        if not hidden:
            return None
        cell, effort = sweeper.choose(hidden, self._last, game["width"])
        pause = human_pause(self._character, self._random, effort)
        self._last = cell
        return Decision({"type": "reveal", "cell": cell}, pause + self._locked(me, now))

    @staticmethod
    def _locked(me: dict[str, Any], now: int) -> float:
        return max(0, (me["locked_until"] or 0) - now) / 1000

    def _look(self, game: dict[str, Any]) -> Sweeper:
        if self._reader is None:
            self._reader = BoardReader(game)
        self._reader.look(game)
        return Sweeper(self._reader.solver, self._character, self._random)
