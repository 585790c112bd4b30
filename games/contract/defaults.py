"""Random options and random play for modes whose contract.py leaves them out."""

from __future__ import annotations

from random import Random
from typing import Any

from games.bots.roster import ROSTER
from games.engine.boardgame import candidates
from games.engine.errors import BadAction, BadOptions
from games.engine.mode import Mode
from games.engine.options import Flag, Option, Whole, Word

TRIES = 30


def random_options(random: Random, mode: Mode) -> dict[str, Any]:
    """Values in the declared ranges that are valid together; small ones more often, because they
    make short matches. The defaults when chance finds none."""
    for _ in range(TRIES):
        raw = {o.name: _value(random, o) for o in mode.options if random.random() < 0.7}
        try:
            mode.rules.parse_options(raw)
        except BadOptions:
            continue
        return raw
    return {}


def _value(random: Random, option: Option) -> Any:
    if isinstance(option, Flag):
        return random.random() < 0.5
    if option.choices and (isinstance(option, Word) or random.random() < 0.3):
        return random.choice(option.choices)[0]
    if isinstance(option, Word):
        return option.default
    near = option.low + (option.high - option.low) * random.random() ** 3
    return int(near) if isinstance(option, Whole) else near


class Player:
    """Plays any mode: as its bot would, or at random with the fields that `parse_action` takes."""

    def __init__(self, mode: Mode) -> None:
        self.game = mode.game
        self.bot = mode.bot

    def act(self, random: Random, state: Any, seat: int) -> dict[str, Any] | None:
        view = self.game.view(state, seat)
        if self.bot is not None and random.random() < 0.6:
            decision = self.bot(random.choice(ROSTER), random).decide(view, state.now)
            if decision is not None:
                return dict(decision.action)
        return self._anything(random, view)

    def _anything(self, random: Random, view: dict[str, Any]) -> dict[str, Any] | None:
        """Mostly what the view offers, where it has the common format; else any action of the
        mode's form: with a cell, with a flag, or with nothing more."""
        shown = view["game"]
        if "board" in shown and "actions" in shown and random.random() < 0.9:
            offered = candidates(shown)
            return random.choice(offered) if offered else None
        size = cells_in(shown)
        cell = random.randrange(-1, size + 1) if random.random() < 0.1 else random.randrange(size)
        kind, on = random.choice(self.game.spec.actions), random.random() < 0.5
        for fields in ({"cell": cell}, {}, {"cell": cell, "on": on}):
            action = {"type": kind, **fields}
            try:
                self.game.parse_action(action)
            except BadAction:
                continue
            return action
        return None


def cells_in(shown: dict[str, Any]) -> int:
    """The number of cells in the mode's part of a view."""
    board = shown.get("board")
    cells = board.get("cells") if isinstance(board, dict) else shown.get("cells")
    return len(cells) if isinstance(cells, list) and cells else 64
