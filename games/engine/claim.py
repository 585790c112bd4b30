"""The smallest game: claim cells of a 30x30 board. For tests and benchmarks of the runtime."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import IllegalAction
from .fields import action, options
from .game import ALL, Addressed, Event, Setup, Spec, View, Viewer

SIZE = 30


@dataclass(frozen=True, slots=True)
class Options:
    seconds: int = 3600


@dataclass(frozen=True, slots=True)
class Claim:
    cell: int


@dataclass(slots=True)
class State:
    owners: array[int]
    counts: list[int]
    ends: int
    ended: bool = False


class ClaimRules:
    """Whoever claims more cells until all are claimed, or time is up, wins."""

    spec = Spec(
        name="claim",
        version=1,
        min_seats=2,
        max_seats=4,
        realtime=True,
        hidden=False,
        actions=("claim",),
        events=("claimed",),
        codes={"taken": "That cell is taken."},
        ready_check=True,
    )

    def parse_options(self, raw: object) -> Options:
        return Options(options(raw, "seconds").whole("seconds", 1, 86_400, 3600))

    def parse_action(self, raw: object) -> Claim:
        return Claim(action(raw, {"claim": ("cell",)})[1].cell())

    def start(self, setup: Setup) -> State:
        return State(
            array("b", [-1]) * SIZE * SIZE, [0] * setup.seats, setup.options.seconds * 1000
        )

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
        return None if state.ended else state.ends

    def advance(self, state: State, t: int) -> list[Addressed]:
        state.ended = t >= state.ends
        return []

    def check_action(self, state: State, seat: int, action: Claim, t: int, live: bool) -> None:
        if not live:
            raise IllegalAction("not_started", "The match hasn't started yet.")
        if not 0 <= action.cell < SIZE * SIZE:
            raise IllegalAction("out_of_range", "That cell isn't on the board.")
        if state.owners[action.cell] >= 0:
            raise IllegalAction("taken", "That cell is taken.")

    def apply_action(self, state: State, seat: int, action: Claim, t: int) -> list[Addressed]:
        state.owners[action.cell] = seat
        state.counts[seat] += 1
        return [Addressed(ALL, {"type": "claimed", "cell": action.cell, "seat": seat})]

    def retire(self, state: State, seat: int, t: int) -> list[Addressed]:
        return []

    def finish(self, state: State, t: int) -> list[Addressed]:
        return []

    def finished(self, state: State) -> str | None:
        if sum(state.counts) == SIZE * SIZE:
            return "full"
        return "time" if state.ended else None

    def standing(self, state: State) -> Sequence[tuple[int, ...]]:
        return [(count,) for count in state.counts]

    def scores(self, state: State) -> Sequence[int]:
        return state.counts

    def teams(self, state: State) -> Sequence[int]:
        return range(len(state.counts))

    def view(self, state: State, viewer: Viewer) -> View:
        return {"owners": list(state.owners)}

    def truth(self, state: State) -> View:
        return {"owners": list(state.owners)}

    def fold(self, view: View, event: Event) -> None:
        view["owners"][event["cell"]] = event["seat"]

    def dump(self, state: State) -> Any:
        return [list(state.owners), state.counts, state.ends, state.ended]

    def load(self, raw: Any, setup: Setup) -> State:
        owners, counts, ends, ended = raw
        return State(array("b", owners), counts, ends, ended)
