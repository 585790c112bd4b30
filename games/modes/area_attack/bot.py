"""Area Attack: clear outwards from the own area; from stage 2 on, strike mines beside others."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from games.bots.decision import Decision, human_pause
from games.bots.roster import Character
from games.bots.solver import Contradiction
from games.bots.sweeping import Sweeper
from games.engine.grid import square8

from .reader import AreaReader

EXPOSED: Final = 9
OWNER: Final = 10
HIDDEN: Final = 20
NEAREST_CELLS: Final = 400
"""A guess considers so many hidden cells around the own area at the most."""


class AreaAttackBot:
    def __init__(self, character: Character, random: Random) -> None:
        self._character = character
        self._random = random
        self._reader: AreaReader | None = None
        self._last: int | None = None

    def decide(self, view: dict[str, Any], now: int) -> Decision | None:
        seat, game = view["you"], view["game"]
        pause = human_pause(self._character, self._random)
        if view["phase"] == "setup":
            return self._pick(view, pause)
        if view["phase"] != "live" or game["frozen"][seat] is not None:
            return None
        size = view["options"]["size"]
        sweeper = self._look(game, size, view["options"]["density"])
        cell, effort = self._move(sweeper, game, view["options"], size)
        if cell is None:
            return None
        self._last = cell
        return Decision({"type": "claim", "cell": cell}, pause * effort)

    # -- start -----------------------------------------------------------------------------------

    def _pick(self, view: dict[str, Any], pause: float) -> Decision | None:
        seat, game, options = view["you"], view["game"], view["options"]
        if view["seats"][seat]["ready"]:
            return None
        size = options["size"]
        taken = [
            pick for other, pick in enumerate(game["picks"]) if other != seat and pick is not None
        ]
        mine = game["picks"][seat]
        if mine is not None and all(self._apart(mine, pick, options) for pick in taken):
            return Decision({"type": "confirm"}, pause)
        margin = range(2, size - 2)
        free = [
            y * size + x
            for y in margin
            for x in margin
            if all(self._apart(y * size + x, pick, options) for pick in taken)
        ]
        if not free:
            return None
        return Decision({"type": "pick", "cell": self._random.choice(free)}, pause)

    @staticmethod
    def _apart(one: int, other: int, options: dict[str, Any]) -> bool:
        size: int = options["size"]
        dx, dy = one % size - other % size, one // size - other // size
        far: float = options["min_start_distance"]
        return max(abs(dx), abs(dy)) >= 4 and dx * dx + dy * dy >= far * far

    # -- moves -----------------------------------------------------------------------------------

    def _move(
        self, sweeper: Sweeper, game: dict[str, Any], options: dict[str, Any], size: int
    ) -> tuple[int | None, float]:
        cells = game["cells"]
        neighbours = square8(size, size).neighbours
        edge = [
            cell
            for cell, code in enumerate(cells)
            if code >= HIDDEN and any(cells[n] < EXPOSED for n in neighbours[cell])
        ]
        bound = game["stage"] >= 2
        if bound and (target := self._attack(sweeper, game, options, edge, size)) is not None:
            return target, 1.5
        mines = sweeper.solver.mines
        candidates = [cell for cell in edge if cell not in mines]
        if not candidates:
            if edge and bound:
                return None, 1.0  # nothing but mines around: wait for others
            candidates = [c for c, code in enumerate(cells) if code >= HIDDEN and c not in mines]
            if not candidates:
                return None, 1.0
            self._random.shuffle(candidates)
        cell, effort = sweeper.choose(candidates[:NEAREST_CELLS], self._last, size)
        return cell, effort

    def _attack(
        self,
        sweeper: Sweeper,
        game: dict[str, Any],
        options: dict[str, Any],
        edge: list[int],
        size: int,
    ) -> int | None:
        """A mine in reach whose regeneration costs the others more than it costs us."""
        if not self._character.aggression:
            return None
        price = 4 if game["stage"] == 2 else 18  # a freeze costs about so many claims
        wanted = price / self._character.aggression
        best, target = wanted, None
        for mine in sweeper.solver.mines & set(edge):
            gain = self._harm(game["cells"], mine, options["attack_radius"], size)
            if gain > best:
                best, target = gain, mine
        return target

    @staticmethod
    def _harm(cells: list[int], centre: int, reach: int, size: int) -> int:
        """Cells that others lose, less what we lose, when the region around is regenerated."""
        x, y = centre % size, centre // size
        gain = 0
        for row in range(max(0, y - reach), min(size, y + reach + 1)):
            for code in cells[
                row * size + max(0, x - reach) : row * size + min(size, x + reach + 1)
            ]:
                gain += (OWNER <= code < HIDDEN) - (code < EXPOSED)
        return gain

    def _look(self, game: dict[str, Any], size: int, share: float) -> Sweeper:
        if self._reader is None:
            self._reader = AreaReader(size, share)
        try:
            self._reader.look(game)
            self._reader.solver.deduce(self._character.tier)
        except Contradiction:
            self._reader = AreaReader(size, share)
            self._reader.look(game)
        return Sweeper(self._reader.solver, self._character, self._random)
