"""A finished match looked at by the solver: was a move proven safe, or a guess, and was it needed?

Every move is judged from what its own seat saw just before it. Pure: an archived match in, labels
and a summary for each player out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from games.bots.reading import AreaReader, BoardReader, Reader
from games.bots.solver import Contradiction, Solver
from games.engine.game import Addressed, Game
from games.engine.grid import square8
from games.live import entry as kinds
from games.live.course import Course, Said
from games.live.replay import Replay
from games.modes.area_attack.rules import seeing

MODES: Final = frozenset({"classic", "race", "area-attack"})
BUDGET: Final = 4.0
"""Seconds of its thread's processor time, so that a busy machine judges as many moves as a quiet
one; moves after that are counted, not judged."""

PROVEN: Final = "proven_safe"
AVOIDABLE: Final = "avoidable_guess"
FORCED: Final = "forced_guess"
KNOWN_MINE: Final = "known_mine"
LABELS: Final = (PROVEN, AVOIDABLE, FORCED, KNOWN_MINE)


@dataclass(slots=True)
class Verdict:
    label: str
    chance: float
    """That the move strikes a mine, for who knows what this seat knew."""
    exact: bool = True


@dataclass(slots=True)
class Summary:
    """One player's moves. `analysed` of the `moves` were judged; the figures are about these."""

    seat: int
    score: int | None
    moves: int = 0
    analysed: int = 0
    mines: int = 0
    expected_mines: float = 0.0
    survival: float = 1.0
    """The chance to strike nothing with these moves."""
    labels: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LABELS, 0))

    def add(self, verdict: Verdict, struck: bool) -> None:
        self.analysed += 1
        self.labels[verdict.label] += 1
        if verdict.label != KNOWN_MINE:  # on purpose: neither good luck nor bad
            self.mines += struck
            self.expected_mines += verdict.chance
            self.survival *= 1.0 - verdict.chance

    @property
    def adjusted_score(self) -> float | None:
        """The score as it would be with average luck: by the share of safe moves to be expected
        over the share there was."""
        safe = self.analysed - self.mines
        if self.score is None or safe <= 0:
            return None
        return self.score * (self.analysed - self.expected_mines) / safe

    def as_json(self) -> dict[str, Any]:
        adjusted = self.adjusted_score
        return {
            "seat": self.seat,
            "moves": self.moves,
            "analysed": self.analysed,
            **self.labels,
            "mines": self.mines,
            "expected_mines": round(self.expected_mines, 3),
            "luck": round(self.expected_mines - self.mines, 3),
            "survival": round(self.survival, 4),
            "score": self.score,
            "adjusted_score": None if adjusted is None else round(adjusted, 1),
        }


def judge(solver: Solver, targets: Iterable[int], may_open: Callable[[int], bool]) -> Verdict:
    """One move that opens these hidden cells; `may_open` tells which other cells could have been
    opened instead."""
    targets = list(targets)
    solver.analyse()
    if all(cell in solver.safe for cell in targets):
        return Verdict(PROVEN, 0.0)
    if any(cell in solver.mines for cell in targets):
        return Verdict(KNOWN_MINE, 1.0)
    odds = solver.probabilities()
    survival, exact = 1.0 - odds[targets[0]], odds.exact
    if len(targets) > 1:
        survival, exact = _together(solver, targets)
    avoidable = any(may_open(cell) for cell in solver.safe)
    return Verdict(AVOIDABLE if avoidable else FORCED, 1.0 - survival, exact)


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


class _Seat:
    """What one seat saw so far."""

    def __init__(self, mode: str, view: dict[str, Any]) -> None:
        self.mode = mode
        self.view = view
        options, game = view["options"], view["game"]
        self.width = options["size"] if mode == "area-attack" else game["width"]
        self.height = self.width if mode == "area-attack" else game["height"]
        self.neighbours = square8(self.width, self.height).neighbours
        self.reader: Reader = self._new_reader()

    def _new_reader(self) -> Reader:
        options = self.view["options"]
        if self.mode == "area-attack":
            return AreaReader(options["size"], options["density"])
        return BoardReader(self.view["game"])

    def targets(self, action: dict[str, Any]) -> list[int]:
        """The cells that this action would open, as this seat saw the board."""
        cells = self.view["game"]["cells"]
        flag = seeing.FLAGGED if self.mode == "area-attack" else -2
        if action["type"] != "chord":
            return [action["cell"]]
        around = self.neighbours[action["cell"]]
        return [c for c in around if self._hidden(cells[c]) and cells[c] != flag]

    def _hidden(self, code: int) -> bool:
        if self.mode == "area-attack":
            return code >= seeing.HIDDEN
        return code in (-1, -2)

    def verdict(self, targets: list[int]) -> Verdict | None:
        if self._is_given(targets):
            return Verdict(PROVEN, 0.0)
        try:
            self.reader.look(self.view["game"])
            return judge(self.reader.solver, targets, self._may_open)
        except Contradiction:
            # Happens after a regeneration that this seat has seen in part only.
            self.reader = self._new_reader()
        try:
            self.reader.look(self.view["game"])
            return judge(self.reader.solver, targets, self._may_open)
        except Contradiction:
            return None

    def _is_given(self, targets: list[int]) -> bool:
        """The first reveal of `classic` that the rules make safe."""
        if self.mode != "classic" or self.view["game"]["started"] is not None:
            return False
        start = self.view["game"]["start"]
        return targets == [start] if start is not None else self.view["options"]["safe_first"]

    def _may_open(self, cell: int) -> bool:
        cells = self.view["game"]["cells"]
        if not self.reader.is_hidden(cell):
            return False
        if self.mode != "area-attack" or self.view["game"]["stage"] < 2:
            return True
        return any(cells[n] < seeing.EXPOSED_MINE for n in self.neighbours[cell])


@dataclass(frozen=True, slots=True)
class Analysis:
    marks: list[dict[str, Any]]
    """Each judged move: `seat`, `t`, `cell`, `label`, `chance`, `exact`."""
    players: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        return {"marks": self.marks, "players": self.players}


def analyse(
    again: Replay, budget: float = BUDGET, clock: Callable[[], float] = time.thread_time
) -> Analysis:
    """Judge the moves of a match of one of MODES, in order, until the budget is used up."""
    mode = again.course.setup.mode
    game, seats = again.course.game, []
    outcome = again.outcome
    summaries = []
    for number in range(len(again.course.setup.seats)):
        seats.append(_Seat(mode, again.start_view(number)))
        score = outcome.scores[number] if outcome.scores and not outcome.aborted else None
        summaries.append(Summary(number, score))
    marks: list[dict[str, Any]] = []
    end = clock() + budget
    course = Course(again.entries[0], again.course.skipped)
    for entry in again.entries[1:]:
        moves = entry.kind == kinds.ACTION and entry.seq not in course.skipped
        if moves:  # the timers that are due have their turn before the move, and are seen by then
            _hear(seats, game, game.advance(course.state, entry.t))
        said = course.apply(entry)
        if moves and entry.seat is not None:
            move = _played(entry.body(), entry.seat, said)
            if move is not None:
                seat, summary = seats[entry.seat], summaries[entry.seat]
                action, cell, struck = move
                summary.moves += 1
                in_time = clock() < end
                verdict = seat.verdict(seat.targets(action)) if in_time else None
                if verdict is not None:
                    summary.add(verdict, struck)
                    marks.append(_mark(entry.seat, said[0].t, cell, verdict))
        _hear(seats, game, said)
    return Analysis(marks, [summary.as_json() for summary in summaries])


def _hear(seats: list[_Seat], game: Game[Any], said: Iterable[Said | Addressed]) -> None:
    for one in said:
        for number, seat in enumerate(seats):
            if number in one.to:
                seat.view = game.fold(seat.view, one.event)


def _played(action: Any, seat: int, said: list[Said]) -> tuple[dict[str, Any], int, bool] | None:
    """The action, a cell by which the replay finds it, and whether it struck a mine; None when it
    opened nothing: refused, or of another kind."""
    if not isinstance(action, dict) or action.get("type") not in ("reveal", "claim", "chord"):
        return None
    opened: int | None = None
    struck = False
    for one in said:
        event = one.event
        if seat not in one.to or event.get("seat", seat) != seat:
            continue
        if event["type"] in ("opened", "claimed") and opened is None:
            opened = event["cells"][0]
        elif event["type"] in ("mine", "struck"):
            opened, struck = event["cell"], True
    return None if opened is None else (action, opened, struck)


def _mark(seat: int, t: int, cell: int, verdict: Verdict) -> dict[str, Any]:
    return {
        "seat": seat,
        "t": t,
        "cell": cell,
        "label": verdict.label,
        "chance": round(verdict.chance, 6),
        "exact": verdict.exact,
    }
