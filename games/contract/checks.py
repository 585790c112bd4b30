"""Invariants that hold after every entry of a match."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from games.engine.boardgame import EVENTS as BOARD_EVENTS
from games.engine.errors import CODES as ERRORS
from games.engine.errors import IllegalAction
from games.engine.folding import EVENTS as LIFECYCLE_EVENTS
from games.engine.folding import SETUP
from games.engine.game import Game, View, Viewer

from .board_format import board_problems
from .failure import Broken
from .replay import Replay, encode, plain
from .subject import Entry

FOLDS = "folds equal views"
REFUSALS = "refusals change nothing"
READING = "looking changes nothing"
VOCABULARY = "events and codes are declared"
PLAIN = "views are plain JSON"
FORMAT = "boards have the common format"


@dataclass
class Tally:
    """Counts the suite's comparisons, and keeps what came up in random play."""

    matches: int = 0
    ended: int = 0
    entries: int = 0
    folds: int = 0
    refusals: int = 0
    looks: int = 0
    boards: int = 0
    accepted: Counter[str] = field(default_factory=Counter)
    """Actions that were legal, by type."""
    events: Counter[str] = field(default_factory=Counter)


class Checks:
    """Applies entries to a match and checks after each what must hold at any time."""

    def __init__(self, table: Replay, random: Random, tally: Tally) -> None:
        self.table, self.random, self.tally = table, random, tally
        self.game = table.game
        self.known = {*self.game.spec.events, *LIFECYCLE_EVENTS}
        self.actions = 0
        self.folded: dict[Viewer, View] = {}
        for viewer in table.streams:
            view = self.game.view(table.state, viewer)
            self.folded[viewer] = plain(view)
            if self.folded[viewer] != view:
                text = (
                    f"the view of {who(viewer)} changes on its way through JSON. "
                    "Use lists instead of tuples, and strings as keys."
                )
                raise Broken(PLAIN, text, expected=view, got=self.folded[viewer])
            self._check_board(viewer, view)

    def apply(self, entry: Entry) -> None:
        batch = self._checked(entry)
        for viewer, events in batch.items():
            for data in events:
                event = json.loads(data)
                self._declared(event, entry)
                self.folded[viewer] = self.game.fold(self.folded[viewer], event)
        for viewer, view in self.folded.items():
            shown = self.game.view(self.table.state, viewer)
            if view != shown:
                told = [json.loads(event)["type"] for event in batch.get(viewer, ())]
                text = (
                    f"what {who(viewer)} makes of the events is not what view() shows. "
                    f"Events of this entry: {', '.join(told) or 'none'}."
                )
                raise Broken(FOLDS, text, entry=entry, expected=shown, got=view)
            self.tally.folds += 1
            self._check_board(viewer, shown, entry)

    def _check_board(self, viewer: Viewer, view: View, entry: Entry | None = None) -> None:
        """A view for the site's generic board must be one that it can draw."""
        if not has_board(self.game):
            return
        self.tally.boards += 1
        for problem in board_problems(view, self.game.spec.actions):
            text = f"in the view of {who(viewer)}, {problem}"
            raise Broken(FORMAT, text, entry=entry)

    def _declared(self, event: dict[str, Any], entry: Entry) -> None:
        kind = event["type"]
        self.tally.events[kind] += 1
        if kind not in self.known:
            text = f"the event {kind} is not in spec.events."
            raise Broken(VOCABULARY, text, entry=entry)

    def _checked(self, entry: Entry) -> dict[Viewer, list[bytes]]:
        table, game = self.table, self.game
        if entry["k"] != "action":
            return table.apply(entry)
        # First the time, alone: what is left to the action is then only its own.
        batch = table.apply({"t": entry["t"], "k": "tick"})
        state, seat = table.state, entry["s"]
        self.actions += state.phase != SETUP
        closely = self.actions <= 3 or self.random.random() < 0.3
        before = game.dump(state) if closely else None
        refusal: IllegalAction | None = None
        try:
            game.check(state, seat, game.parse_action(entry["d"]))
        except IllegalAction as error:
            refusal = error
        if before is not None and game.dump(state) != before:
            raise Broken(
                READING,
                "check_action() changed the state. It may only raise IllegalAction.",
                entry=entry,
                expected=json.loads(before),
                got=json.loads(game.dump(state)),
            )
        acted = table.apply(entry)
        if refusal is None:
            self._accepted(entry, acted)
        else:
            self._refused(entry, acted, refusal, before)
        for viewer, events in acted.items():
            batch.setdefault(viewer, []).extend(events)
        return batch

    def _accepted(self, entry: Entry, acted: dict[Viewer, list[bytes]]) -> None:
        self.tally.accepted[entry["d"]["type"]] += 1
        for events in acted.values():
            if any(b'"refused"' in event for event in events):
                text = "check() allows this action, and apply() refuses it."
                raise Broken(REFUSALS, text, entry=entry)

    def _refused(
        self,
        entry: Entry,
        acted: dict[Viewer, list[bytes]],
        error: IllegalAction,
        before: bytes | None,
    ) -> None:
        game, state = self.game, self.table.state
        self.tally.refusals += 1
        if error.code not in game.spec.codes and error.code not in ERRORS:
            text = f"the code {error.code} is not in spec.codes."
            raise Broken(VOCABULARY, text, entry=entry)
        refusal = {"type": "refused", "code": error.code, "text": error.text}
        if acted != {entry["s"]: [encode(refusal)]}:
            raise Broken(
                REFUSALS,
                "a refused action sends one `refused` to its seat and nothing else.",
                entry=entry,
                expected={entry["s"]: [refusal]},
                got={viewer: [json.loads(e) for e in events] for viewer, events in acted.items()},
            )
        if before is not None and game.dump(state) != before:
            raise Broken(
                REFUSALS,
                f"an action that was refused ({error.code}) changed the state.",
                entry=entry,
                expected=json.loads(before),
                got=json.loads(game.dump(state)),
            )

    def look_closely(self) -> None:
        """Changing a view must not change the match."""
        game, state = self.game, self.table.state
        before = game.dump(state)
        for viewer in self.table.streams:
            _wipe(game.view(state, viewer)["game"])
            self.tally.looks += 1
            if game.dump(state) != before:
                raise Broken(
                    READING,
                    f"the view of {who(viewer)} contains a part of the state itself. "
                    "Copy lists and dicts into the view.",
                    expected=json.loads(before),
                    got=json.loads(game.dump(state)),
                )


def has_board(game: Game[Any]) -> bool:
    """The event `board` says that views have the common format (docs/board-format.md)."""
    return set(BOARD_EVENTS) <= set(game.spec.events)


def _wipe(value: Any) -> None:
    """Empty every list and dict in it."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            _wipe(inner)
        value.clear()


def who(viewer: Viewer) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"
