"""Calls: each player calls a number once, and the highest wins. There is no board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from games.engine.errors import IllegalAction
from games.engine.fields import action, options
from games.engine.game import ALL, Addressed, Event, Setup, Spec, View, Viewer
from games.engine.mode import Mode
from games.engine.options import gettext_noop


@dataclass(frozen=True, slots=True)
class Options:
    """None."""


@dataclass(frozen=True, slots=True)
class Call:
    number: int


@dataclass
class State:
    called: list[int | None]


class CallsRules:
    spec = Spec(
        name="calls",
        version=1,
        min_seats=2,
        max_seats=2,
        realtime=False,
        hidden=False,
        actions=("call",),
        events=("called",),
        codes={"called": "You have called already."},
        ready_check=True,
    )

    def parse_options(self, raw: object) -> Options:
        options(raw)
        return Options()

    def parse_action(self, raw: object) -> Call:
        _, given = action(raw, {"call": ("cell",)})
        return Call(given.cell())

    def start(self, setup: Setup) -> State:
        return State([None] * setup.seats)

    def setup_seconds(self, state: State) -> int | None:
        return 30

    def is_ready(self, state: State, seat: int) -> bool:
        return True

    def setup_timeout(self, state: State, t: int) -> list[Addressed] | None:
        return None

    def begin(self, state: State, t: int) -> list[Addressed]:
        return []

    def due(self, state: State) -> int | None:
        return None

    def advance(self, state: State, t: int) -> list[Addressed]:
        return []

    def check_action(self, state: State, seat: int, action: Call, t: int, live: bool) -> None:
        if not live:
            raise IllegalAction("not_started", "The match hasn't started yet.")
        if state.called[seat] is not None:
            raise IllegalAction("called", "You have called already.")

    def apply_action(self, state: State, seat: int, action: Call, t: int) -> list[Addressed]:
        state.called[seat] = action.number
        return [Addressed(ALL, {"type": "called", "seat": seat, "number": action.number})]

    def retire(self, state: State, seat: int, t: int) -> list[Addressed]:
        return []

    def finish(self, state: State, t: int) -> list[Addressed]:
        return []

    def finished(self, state: State) -> str | None:
        return None if None in state.called else "called"

    def standing(self, state: State) -> Sequence[tuple[int, ...]]:
        return [(score,) for score in self.scores(state)]

    def scores(self, state: State) -> Sequence[int]:
        return [number or 0 for number in state.called]

    def teams(self, state: State) -> Sequence[int]:
        return range(len(state.called))

    def view(self, state: State, viewer: Viewer) -> View:
        return {"called": list(state.called)}

    def truth(self, state: State) -> View:
        return {}

    def fold(self, view: View, event: Event) -> None:
        view["called"][event["seat"]] = event["number"]

    def dump(self, state: State) -> Any:
        return asdict(state)

    def load(self, raw: Any, setup: Setup) -> State:
        return State(**raw)


MODE = Mode(
    name="calls",
    title=gettext_noop("Calls"),
    blurb=gettext_noop("Call the highest number."),
    rules=CallsRules(),
    reasons={"called": gettext_noop("everybody has called")},
)
