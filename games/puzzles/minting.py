"""Makes puzzles of the mistakes in a finished match. Runs in a process that computes."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from games.analysis import analyse
from games.bots.judging import AVOIDABLE, FORCED, FieldJudge, Judge, Verdict
from games.bots.solver import Contradiction, Solver
from games.live.entry import unpack_log
from games.puzzles.making import Made, find_guess, find_safe
from games.puzzles.position import Position
from games.replay import replay_entries

PEOPLE: Final = ("registered", "guest")
MOST: Final = 3
"""Puzzles of one match at most."""
TRIED: Final = 20
"""Mistakes of one match that are looked at."""
BUDGET: Final = 8.0
"""Seconds of processor time."""
WORSE: Final = 0.01
"""A guess that is riskier by so much than the safest is a mistake."""


def compute(given: bytes) -> bytes:
    """A match's log in; a list of puzzles out, for `decode`."""
    return msgspec.msgpack.encode([_encode(made) for made in mint(given)])


def mint(log: bytes) -> list[Made]:
    """The puzzles of a match: of modes whose judge reads a field of numbers."""
    again = replay_entries(unpack_log(log))
    seats = again.state.setup.seats
    found: dict[str, Made] = {}
    tried = 0

    def noticed(seat: int, judge: Judge, verdict: Verdict) -> None:
        nonlocal tried
        mistake = verdict.label in (AVOIDABLE, FORCED) and seats[seat].kind in PEOPLE
        if mistake and isinstance(judge, FieldJudge) and tried < TRIED and len(found) < MOST:
            tried += 1
            made = _puzzle(judge, verdict)
            if made is not None:
                found[made.key] = made

    analyse(again, BUDGET, noticed=noticed)
    return list(found.values())


def _puzzle(judge: FieldJudge, verdict: Verdict) -> Made | None:
    solver: Solver = judge.reader.solver.fork()
    width, height = judge.size()
    try:
        if verdict.label == AVOIDABLE:
            return find_safe(solver, width, height)
        odds = solver.probabilities()
        best = min((odds[cell] for cell in odds.undecided()), default=1.0)
        if verdict.chance > best + WORSE:
            return find_guess(solver, width, height)
    except Contradiction:
        pass
    return None


def _encode(made: Made) -> dict[str, Any]:
    position = made.position
    return {
        "question": made.question,
        "position": [position.width, position.height, position.cells, position.mines],
        "answer": made.answer,
        "tags": list(made.tags),
        "mu": made.mu,
    }


def decode(raw: bytes) -> list[Made]:
    return [
        Made(
            one["question"], Position(*one["position"]), one["answer"], tuple(one["tags"]),
            one["mu"],
        )
        for one in msgspec.msgpack.decode(raw)
    ]  # fmt: skip
