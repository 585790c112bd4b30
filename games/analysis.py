"""The moves of a finished match, each judged by its mode's judge (games/bots/judging.py).

An archived match in; labels of moves and a summary for each player out. It takes seconds, so a
process of the worker does it, once per match (games/analysing/).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from games.analysing.body import pack
from games.bots.judging import KNOWN_MINE, LABELS, Held, Judge, Played, SettlingJudge, Verdict
from games.engine.game import Addressed, Game
from games.engine.registry import mode
from games.live import entry as kinds
from games.live.entry import unpack_log
from games.live.match_state import MatchEvent, MatchState
from games.replay import Replay, replay_entries

BUDGET: Final = 4.0
"""Seconds of its thread's processor time, so that a busy machine judges as many moves as a quiet
one; moves after that are counted, not judged."""
MOST_BYTES: Final = 32 * 1024 * 1024


@dataclass(slots=True)
class Summary:
    """One player's moves. `analysed` of the `moves` were judged; the figures are about these."""

    seat: int
    score: int | None
    moves: int = 0
    analysed: int = 0
    mines: int = 0
    unlucky: int = 0
    """Of the mines, those that the player could not know."""
    expected_mines: float = 0.0
    given_up: float = 0.0
    """The chances to survive that better moves would have kept, summed up."""
    survival: float = 1.0
    """The chance to strike nothing with these moves."""
    labels: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LABELS, 0))

    def add(self, verdict: Verdict, struck: bool) -> None:
        self.analysed += 1
        self.labels[verdict.label] += 1
        self.mines += struck
        self.survival *= 1.0 - verdict.chance
        self.given_up += verdict.given_up
        if verdict.label != KNOWN_MINE:  # a known mine is neither good luck nor bad
            self.unlucky += struck
            self.expected_mines += verdict.chance

    @property
    def accuracy(self) -> float | None:
        """In percent, how much of the survival that the best moves offered these moves kept, on
        average."""
        return 100.0 * (1.0 - self.given_up / self.analysed) if self.analysed else None

    @property
    def adjusted_score(self) -> float | None:
        """The score as it would be with average luck: by the share of safe moves to be expected
        over the share there was."""
        safe = self.analysed - self.unlucky
        if self.score is None or safe <= 0:
            return None
        return self.score * (self.analysed - self.expected_mines) / safe

    def as_json(self) -> dict[str, Any]:
        adjusted, accuracy = self.adjusted_score, self.accuracy
        return {
            "seat": self.seat,
            "moves": self.moves,
            "analysed": self.analysed,
            **self.labels,
            "mines": self.mines,
            "expected_mines": round(self.expected_mines, 3),
            "luck": round(self.expected_mines - self.unlucky, 3),
            "given_up": round(self.given_up, 6),
            "accuracy": None if accuracy is None else round(accuracy, 2),
            "survival": round(self.survival, 4),
            "score": self.score,
            "adjusted_score": None if adjusted is None else round(adjusted, 1),
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    marks: list[dict[str, Any]]
    """Each judged move: `seat`, `t`, `cell`, `label`, `chance`, `exact`, `given_up`."""
    players: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        return {"marks": self.marks, "players": self.players}


def compute(given: bytes) -> bytes:
    """A match's log in, a Body of its Analysis out."""
    _part, log = msgspec.msgpack.decode(given)
    judged = analyse(replay_entries(unpack_log(log)))
    return msgspec.msgpack.encode(pack(judged.as_json(), MOST_BYTES))


def analyse(
    again: Replay,
    budget: float = BUDGET,
    clock: Callable[[], float] = time.thread_time,
    noticed: Callable[[int, Judge, Verdict], None] | None = None,
) -> Analysis:
    """Judge the moves of a match, in order, until the budget is used up. Its mode has a judge.
    `noticed` gets each verdict with its seat, while the judge still sees the board before it."""
    make = mode(again.state.setup.mode).judge
    assert make is not None, f"nobody judges moves of {again.state.setup.mode}"
    outcome = again.outcome
    table = _Table(again.state.game)
    for number in range(len(again.state.setup.seats)):
        score = outcome.scores[number] if outcome.scores and not outcome.aborted else None
        table.seats.append(_Seat(make(again.start_view(number)), Summary(number, score)))
    end = clock() + budget
    state = MatchState(again.entries[0], again.state.skipped)
    for entry in again.entries[1:]:
        moves = entry.kind == kinds.ACTION and entry.seq not in state.skipped
        if moves:  # the timers that are due have their turn before the move, and are seen by then
            due = table.game.advance(state.state, entry.t)
            table.hear(due, state.state.now)
        events = state.apply(entry)
        if moves and entry.seat is not None:
            action, seat = entry.body(), table.seats[entry.seat]
            played = seat.judge.played(action, _own_events(entry.seat, events))
            if played is not None:
                verdict = seat.judge.verdict(action) if clock() < end else None
                if verdict is not None and noticed is not None:
                    noticed(entry.seat, seat.judge, verdict)
                if isinstance(played, Held):
                    seat.held[played.order] = verdict
                else:
                    table.count(seat, played, verdict, events[0].t)
        table.hear(events, state.state.now)
    return Analysis(table.marks, [seat.summary.as_json() for seat in table.seats])


@dataclass(slots=True)
class _Seat:
    judge: Judge
    summary: Summary
    held: dict[int, Verdict | None] = field(default_factory=dict)
    """The verdicts of moves that have not taken effect yet."""


@dataclass(slots=True)
class _Table:
    game: Game[Any]
    seats: list[_Seat] = field(default_factory=list)
    marks: list[dict[str, Any]] = field(default_factory=list)

    def hear(self, events: Iterable[MatchEvent | Addressed], now: int) -> None:
        """Let every seat see its events, and settle the moves whose outcome they tell."""
        events = list(events)
        for number, seat in enumerate(self.seats):
            own = [one for one in events if number in one.to]
            for one in own:
                seat.judge.view = self.game.fold(seat.judge.view, one.event)
            if not seat.held or not isinstance(seat.judge, SettlingJudge):
                continue
            for order, played in seat.judge.settled(one.event for one in own).items():
                self.count(seat, played, seat.held.pop(order), now)

    def count(self, seat: _Seat, played: Played, verdict: Verdict | None, t: int) -> None:
        seat.summary.moves += 1
        if verdict is not None:
            seat.summary.add(verdict, played.struck)
            self.marks.append(_mark(seat.summary.seat, t, played.cell, verdict))


def _own_events(seat: int, events: list[MatchEvent]) -> list[dict[str, Any]]:
    """The events of its own move that this seat received."""
    return [one.event for one in events if seat in one.to and one.event.get("seat", seat) == seat]


def _mark(seat: int, t: int, cell: int, verdict: Verdict) -> dict[str, Any]:
    return {
        "seat": seat,
        "t": t,
        "cell": cell,
        "label": verdict.label,
        "chance": round(verdict.chance, 6),
        "exact": verdict.exact,
        "given_up": round(verdict.given_up, 6),
    }
