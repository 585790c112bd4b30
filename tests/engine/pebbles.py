"""A tiny mode that keeps the contract. The tests of the suite break it, one property at a time.

Each player digs in a yard of 3x3 for the pebble hidden there. Marks are private.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from games.engine.errors import IllegalAction
from games.engine.fields import action, options
from games.engine.game import ALL, ONLY, Addressed, Event, Setup, Spec, View, Viewer
from games.engine.mode import Mode
from games.engine.options import Whole
from games.engine.rng import derive

YARD = 9
SECONDS = Whole("seconds", 1, 600, 60, label="Time limit", unit="s")


@dataclass(frozen=True, slots=True)
class Options:
    seconds: int


@dataclass(frozen=True, slots=True)
class Move:
    type: str
    cell: int


@dataclass(slots=True)
class State:
    pebbles: list[int]
    ends: int
    dug: list[list[int]] = field(default_factory=lambda: [[], []])
    marks: list[list[int]] = field(default_factory=lambda: [[], []])
    time_up: bool = False


class PebbleRules:
    spec = Spec(
        name="pebbles",
        version=1,
        min_seats=2,
        max_seats=2,
        realtime=True,
        hidden=True,
        actions=("dig", "mark"),
        events=("dug", "marked"),
        codes={"again": "You were there before."},
        ready_check=True,
    )

    def parse_options(self, raw: object) -> Options:
        return Options(SECONDS.read(options(raw, "seconds")))

    def parse_action(self, raw: object) -> Move:
        kind, given = action(raw, {"dig": ("cell",), "mark": ("cell",)})
        return Move(kind, given.cell())

    def start(self, setup: Setup) -> State:
        pebbles = [derive(setup.seed, f"pebble:{seat}").below(YARD) for seat in (0, 1)]
        return State(pebbles, setup.options.seconds * 1000)

    def setup_seconds(self, state: State) -> int | None:
        return 30

    def is_ready(self, state: State, seat: int) -> bool:
        return True

    def setup_timeout(self, state: State, t: int) -> list[Addressed] | None:
        return None

    def begin(self, state: State, t: int) -> list[Addressed]:
        state.ends += t
        return []

    def due(self, state: State) -> int | None:
        return None if state.time_up else state.ends

    def advance(self, state: State, t: int) -> list[Addressed]:
        state.time_up = t >= state.ends
        return []

    def check_action(self, state: State, seat: int, action: Move, t: int, live: bool) -> None:
        if not live:
            raise IllegalAction("not_started", "The match hasn't started yet.")
        if not 0 <= action.cell < YARD:
            raise IllegalAction("out_of_range", "That cell isn't on the board.")
        if action.cell in self.places(state, action.type)[seat]:
            raise IllegalAction("again", self.spec.codes["again"])

    def places(self, state: State, kind: str) -> list[list[int]]:
        return state.dug if kind == "dig" else state.marks

    def apply_action(self, state: State, seat: int, action: Move, t: int) -> list[Addressed]:
        self.places(state, action.type)[seat].append(action.cell)
        if action.type == "dig":
            return [Addressed(ALL, {"type": "dug", "seat": seat, "cell": action.cell})]
        return [Addressed(ONLY[seat], {"type": "marked", "cell": action.cell})]

    def retire(self, state: State, seat: int, t: int) -> list[Addressed]:
        return []

    def finish(self, state: State, t: int) -> list[Addressed]:
        return []

    def found(self, state: State, seat: int) -> bool:
        return state.pebbles[seat] in state.dug[seat]

    def finished(self, state: State) -> str | None:
        if any(self.found(state, seat) for seat in (0, 1)):
            return "found"
        return "time" if state.time_up else None

    def standing(self, state: State) -> Sequence[tuple[int, ...]]:
        return [(int(self.found(state, seat)),) for seat in (0, 1)]

    def scores(self, state: State) -> Sequence[int]:
        return [len(cells) for cells in state.dug]

    def teams(self, state: State) -> Sequence[int]:
        return (0, 1)

    def view(self, state: State, viewer: Viewer) -> View:
        return {
            "dug": [list(cells) for cells in state.dug],
            "marks": None if viewer is None else list(state.marks[viewer]),
        }

    def truth(self, state: State) -> View:
        return {"pebbles": list(state.pebbles)}

    def fold(self, view: View, event: Event) -> None:
        if event["type"] == "dug":
            view["dug"][event["seat"]].append(event["cell"])
        else:
            view["marks"].append(event["cell"])

    def dump(self, state: State) -> Any:
        return [state.pebbles, state.ends, state.dug, state.marks, state.time_up]

    def load(self, raw: Any, setup: Setup) -> State:
        return State(*raw)


def pebbles(rules: Any, **changes: Any) -> Mode:
    """The mode with these rules, otherwise as it should be but for `changes`."""
    texts = {"title": "Pebbles", "blurb": "Dig for the pebble.", "options": (SECONDS,)}
    return Mode(**{"name": "pebbles", "rules": rules, **texts, **changes})
