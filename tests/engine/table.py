"""A match at a table: every viewer keeps a view by folding, and it is compared at every step."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from games.engine.errors import IllegalAction
from games.engine.game import Event, Game, Input, Kind, Setup, View, Viewer
from games.engine.registry import game

SEED = bytes(range(32))


class Table:
    """Plays a match in match time, which starts at absolute time 1,000,000."""

    ORIGIN = 1_000_000

    def __init__(
        self,
        mode: str | Game[Any],
        seats: int,
        *,
        seed: bytes = SEED,
        deal: bytes = b"",
        countdown: int = 0,
        **options: Any,
    ) -> None:
        self.game = game(mode) if isinstance(mode, str) else mode
        parsed = self.game.parse_options(options)
        spec = self.game.spec
        setup = Setup(spec.name, spec.version, seed, seats, parsed, self.ORIGIN, deal, countdown)
        self.state = self.game.start(setup)
        self.viewers: list[Viewer] = [None, *range(seats)]
        self.views: dict[Viewer, View] = {v: self.look(v) for v in self.viewers}
        self.events: dict[Viewer, list[Event]] = {v: [] for v in self.viewers}
        self.t = 0

    @property
    def inner(self) -> Any:
        """The mode's own state."""
        return self.state.game

    def look(self, viewer: Viewer) -> View:
        return self.game.view(self.state, viewer)

    def give(self, given: Input) -> dict[Viewer, list[Event]]:
        """Apply one entry of the log; what each viewer received because of it."""
        got: dict[Viewer, list[Event]] = {viewer: [] for viewer in self.viewers}
        for addressed in self.game.apply(self.state, given):
            json.dumps(addressed.event, allow_nan=False)
            for viewer in self.viewers:
                if viewer in addressed.to:
                    event = copy.deepcopy(addressed.event)
                    got[viewer].append(event)
                    self.views[viewer] = self.game.fold(self.views[viewer], event)
        for viewer in self.viewers:
            self.events[viewer] += got[viewer]
            assert self.views[viewer] == self.look(viewer), f"folded view of {viewer} differs"
        return got

    def act(self, seat: int, kind: str, **fields: Any) -> dict[Viewer, list[Event]]:
        action = self.game.parse_action({"type": kind, **fields})
        return self.give(Input(self.ORIGIN + self.t, Kind.ACTION, seat, action))

    def seat(self, kind: str, seat: int) -> dict[Viewer, list[Event]]:
        """A drop, return or leave of this seat."""
        return self.give(Input(self.ORIGIN + self.t, Kind(kind), seat))

    def wait_until(self, t: int) -> dict[Viewer, list[Event]]:
        """Let match time pass until t."""
        self.t = t
        return self.give(Input(self.ORIGIN + t, Kind.TICK))

    def refused(self, seat: int, kind: str, **fields: Any) -> str:
        """The code this action is refused with; checks that nothing changes and that nobody
        else hears of it."""
        before = self.game.dump(self.state)
        action = self.game.parse_action({"type": kind, **fields})
        with pytest.raises(IllegalAction) as caught:
            self.game.check(self.state, seat, action)
        got = self.give(Input(self.ORIGIN + self.t, Kind.ACTION, seat, action))
        assert self.game.dump(self.state) == before
        for viewer, events in got.items():
            assert [event["type"] for event in events] == (["refused"] if viewer == seat else [])
        assert got[seat][0]["code"] == caught.value.code
        return caught.value.code

    def reload(self) -> None:
        """Replace the state by its own snapshot."""
        self.state = self.game.load(self.game.dump(self.state))
