"""Race: clear one's own copy of the board."""

from __future__ import annotations

from random import Random
from typing import Any

from games.bots.roster import Character
from games.bots.solver import Solver, rectangle

from .decision import Decision, human_pause
from .sweeping import Sweeper

HIDDEN, STRUCK = -1, -3


class RaceMind:
    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random
        self._sweeper: Sweeper | None = None
        self._known: list[int] = []
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
        if self._sweeper is None:
            board = rectangle(game["width"], game["height"])
            solver = Solver(board, mines=game["mines"])
            self._sweeper = Sweeper(solver, self._character, self._random)
            self._known = [HIDDEN] * len(game["cells"])
        solver = self._sweeper.solver
        for cell, shown in enumerate(game["cells"]):
            if shown != self._known[cell]:
                self._known[cell] = shown
                if shown >= 0:
                    solver.reveal(cell, shown)
                elif shown == STRUCK:
                    solver.mark_mine(cell)
        return self._sweeper
