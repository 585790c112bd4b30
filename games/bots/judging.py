"""Was a move proven safe, or a guess, and was the guess needed? Judged from what its own seat saw
just before it.

A mode offers its judge as `MODE.judge`: `judge(view)` is one seat's judge, `Judge` below says what
it does. `BoardJudge` serves every mode in which a seat has a minefield of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from games.bots.reading import BoardReader, Reader
from games.bots.solver import Contradiction, Solver
from games.engine.board import FLAG, HIDDEN
from games.engine.game import Event
from games.engine.grid import square8

PROVEN: Final = "proven_safe"
AVOIDABLE: Final = "avoidable_guess"
FORCED: Final = "forced_guess"
KNOWN_MINE: Final = "known_mine"
EQUAL: Final = 1e-9
"""Chances that differ by less are the same."""
LABELS: Final = (PROVEN, AVOIDABLE, FORCED, KNOWN_MINE)


@dataclass(slots=True)
class Verdict:
    label: str
    chance: float
    """The probability that the move strikes a mine, given what this seat knew."""
    exact: bool = True
    best: float = 0.0
    """The same of the best move that this seat could have made instead; never above `chance`."""

    @property
    def given_up(self) -> float:
        """The chance to survive that a better move would have kept."""
        return self.chance - self.best


class Played(NamedTuple):
    """A move that opened something."""

    cell: int
    """The cell that the replay marks."""
    struck: bool
    """It struck a mine."""


class Held(NamedTuple):
    """A move whose outcome a later event tells."""

    order: int
    """Its number among the seat's moves."""


class Judge(Protocol):
    """Follows one seat's view; `view` is replaced as events are folded into it."""

    view: dict[str, Any]

    def played(self, action: dict[str, Any], events: Iterable[Event]) -> Played | Held | None:
        """The effect of this action, by the events that this seat received for it; None when it is
        not a move to judge, or was refused. A judge that answers with Held is a SettlingJudge."""

    def verdict(self, action: dict[str, Any]) -> Verdict | None:
        """The action judged against the view; None when nothing can be said."""


@runtime_checkable
class SettlingJudge(Judge, Protocol):
    """A judge of moves that take effect later."""

    def settled(self, events: Iterable[Event]) -> dict[int, Played]:
        """The held moves whose outcome these events of the seat tell, by their order. A move that
        came to nothing is never among them."""


def judge(solver: Solver, targets: Iterable[int], may_open: Callable[[int], bool]) -> Verdict:
    """Judge a move that opens these hidden cells. `may_open` tells which other cells could have
    been opened instead."""
    targets = list(targets)
    solver.analyse()
    if all(cell in solver.safe for cell in targets):
        return Verdict(PROVEN, 0.0)
    avoidable = any(may_open(cell) for cell in solver.safe)
    if any(cell in solver.mines for cell in targets):
        return Verdict(KNOWN_MINE, 1.0, best=0.0 if avoidable else _best(solver, may_open, 1.0))
    odds = solver.probabilities()
    survival, exact = 1.0 - odds[targets[0]], odds.exact
    if len(targets) > 1:
        survival, exact = _together(solver, targets)
    chance = 1.0 - survival
    if avoidable:
        return Verdict(AVOIDABLE, chance, exact)
    # Of sampled odds the smallest is too small as a rule: no choice between such is held against
    # the player.
    best = _best(solver, may_open, chance, targets) if exact else chance
    return Verdict(FORCED, chance, exact, best)


def _best(
    solver: Solver, may_open: Callable[[int], bool], chance: float, targets: Iterable[int] = ()
) -> float:
    """The chance of a mine under the best move where nothing is safe; at most `chance`. A cell that
    is a little riskier than others may be the best, for what its number would tell."""
    odds = solver.probabilities()
    open_to = [cell for cell in odds.undecided() if may_open(cell)]
    if not open_to:
        return chance
    if chance <= min(odds[cell] for cell in open_to) + EQUAL:
        return chance
    # Only where every cell may be opened is the endgame searched to its end.
    everywhere = len(open_to) == len(odds.undecided()) and not solver.safe
    guess = solver.best_guess(None if everywhere else open_to)
    if guess is None or [guess.cell] == list(targets):
        return chance
    return min(chance, guess.chance)


def _together(solver: Solver, targets: list[int]) -> tuple[float, bool]:
    """The chance that all these cells are safe."""
    case, survival, exact = solver.fork(), 1.0, True
    for cell in targets:
        odds = case.probabilities()
        survival *= 1.0 - odds[cell]
        exact = exact and odds.exact
        if odds[cell] >= 1.0:
            return 0.0, exact
        case.mark_safe(cell)
    return survival, exact


class FieldJudge:
    """A judge for fields of numbers and mines. A mode says how its cells are read."""

    moves: frozenset[str]
    """The types of actions that open cells."""
    opening: str
    """The type of the event that opens cells."""
    striking: str
    """The type of the event of a struck mine."""
    flag: int
    """The code of a flagged cell."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.view = view
        self.neighbours = square8(*self.size()).neighbours
        self.reader = self.new_reader()

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.view["game"]["width"], self.view["game"]["height"]

    def new_reader(self) -> Reader:
        raise NotImplementedError

    def is_hidden(self, code: int) -> bool:
        raise NotImplementedError

    def is_given(self, targets: list[int]) -> bool:
        """The rules make this move safe."""
        return False

    def may_open(self, cell: int) -> bool:
        """Whether this seat could have opened that cell instead."""
        return self.reader.is_hidden(cell)

    def played(self, action: dict[str, Any], events: Iterable[Event]) -> Played | None:
        if action.get("type") not in self.moves:
            return None
        opened: int | None = None
        struck = False
        for event in events:
            if event["type"] == self.opening and opened is None:
                opened = event["cells"][0]
            elif event["type"] == self.striking:
                opened, struck = event["cell"], True
        return None if opened is None else Played(opened, struck)

    def verdict(self, action: dict[str, Any]) -> Verdict | None:
        targets = self._targets(action)
        if self.is_given(targets):
            return Verdict(PROVEN, 0.0)
        try:
            return self._judge(targets)
        except Contradiction:
            # This seat saw only a part of what was laid anew.
            self.reader = self.new_reader()
        try:
            return self._judge(targets)
        except Contradiction:
            return None

    def _judge(self, targets: list[int]) -> Verdict:
        self.reader.look(self.view["game"])
        return judge(self.reader.solver, targets, self.may_open)

    def _targets(self, action: dict[str, Any]) -> list[int]:
        """The cells that this action would open, as this seat saw the board."""
        if action["type"] != "chord":
            return [action["cell"]]
        cells = self.view["game"]["cells"]
        around = self.neighbours[action["cell"]]
        return [c for c in around if self.is_hidden(cells[c]) and cells[c] != self.flag]


class BoardJudge(FieldJudge):
    """A board of one's own, opened by the moves of games/engine/moves.py."""

    moves = frozenset({"reveal", "chord"})
    opening = "opened"
    striking = "mine"
    flag = FLAG

    def new_reader(self) -> Reader:
        return BoardReader(self.view["game"])

    def is_hidden(self, code: int) -> bool:
        return code in (HIDDEN, FLAG)
