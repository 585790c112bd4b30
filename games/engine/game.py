"""The interface of a game: the values that go in and out, and two protocols.

`Rules` is what a mode implements: rules only. `Lifecycle` (lifecycle.py) wraps it and is the
`Game` that everybody else uses: the live runtime, replays, bots and tests.

Times. A `Game` takes absolute times: milliseconds of the match log's clock. `Rules` see match
time: milliseconds since the set-up entry, standing still during outages of the site. Views and
events carry match time; `view["origin"]` is the absolute time of match time 0.

Views and events are plain JSON values (dicts with string keys, lists, strings, whole numbers,
booleans, None). An event has a `type`. Both are built up from what their audience may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol, TypeVar, runtime_checkable

Viewer = int | None
"""A seat number, or None for a spectator."""

View = dict[str, Any]
Event = dict[str, Any]

MAX_SEATS: Final = 6

ALL: Final[frozenset[Viewer]] = frozenset({None, *range(MAX_SEATS)})
"""Everybody: all seats and the spectators."""

ONLY: Final[tuple[frozenset[Viewer], ...]] = tuple(frozenset({s}) for s in range(MAX_SEATS))
"""`ONLY[seat]`: that seat alone."""

BUT: Final[tuple[frozenset[Viewer], ...]] = tuple(ALL - {s} for s in range(MAX_SEATS))
"""`BUT[seat]`: everybody but that seat."""


class Addressed(NamedTuple):
    """An event and who receives it."""

    to: frozenset[Viewer]
    event: Event


@dataclass(frozen=True, slots=True)
class Spec:
    """The facts about a mode that others need before a match."""

    name: str
    version: int
    min_seats: int
    max_seats: int
    realtime: bool
    hidden: bool
    actions: tuple[str, ...]
    events: tuple[str, ...]
    codes: Mapping[str, str] = field(default_factory=dict)
    """Error codes of this mode, with their meaning."""
    ready_check: bool = False
    """True: each seat says `ready`. False: the rules tell from the set-up who is ready."""
    replays: tuple[int, ...] = ()
    """Earlier versions whose matches these rules still play, to the same bytes."""
    grace_seconds: int = 30
    leave_grace_seconds: int = 10


@dataclass(frozen=True, slots=True)
class Setup:
    """Entry 0 of a match log, as far as the rules are concerned."""

    mode: str
    version: int
    seed: bytes
    seats: int
    options: Any
    """The mode's own frozen dataclass, from `parse_options`."""
    at: int
    deal: bytes = b""
    """A board made elsewhere (a pool of no-guess boards); secret like the seed, and in the
    commitment. Empty: the rules make their own from the seed."""
    countdown: int = 0
    """Milliseconds from the moment when everybody is ready to the start."""


class Kind(StrEnum):
    """The kinds of log entries after the set-up."""

    ACTION = "action"
    TICK = "tick"
    DROP = "drop"  # the connection is gone; a drop is not a leave
    RETURN = "return"
    LEAVE = "leave"  # on purpose; may still return, within a shorter grace
    OUTAGE = "outage"  # the site was down for `ms`: match time stood still
    ABORT = "abort"  # by the site: unrated


class Input(NamedTuple):
    """One log entry. `action` is the result of `parse_action`."""

    at: int
    kind: Kind
    seat: int | None = None
    action: Any = None
    ms: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match. `ranks[seat]` starts at 1; seats that share a place share the number.

    An aborted match has no winner and never counts; `absent` names the seats that caused it.
    """

    ranks: tuple[int, ...]
    reason: str
    aborted: bool = False
    absent: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "ranks": list(self.ranks),
            "reason": self.reason,
            "aborted": self.aborted,
            "absent": list(self.absent),
            "scores": list(self.scores),
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Outcome:
        return cls(
            ranks=tuple(raw["ranks"]),
            reason=raw["reason"],
            aborted=raw["aborted"],
            absent=tuple(raw["absent"]),
            scores=tuple(raw["scores"]),
        )


S = TypeVar("S")


class Rules(Protocol[S]):
    """A mode. All times are match time. `S` is its mutable state.

    `apply_action` is called only after `check_action` passed, with the same arguments.
    """

    @property
    def spec(self) -> Spec: ...

    def parse_options(self, raw: object) -> Any:
        """A frozen dataclass of JSON values; raises BadOptions. `{}` gives the defaults, and the
        dataclass turned into a dict (tuples as lists) gives an equal one again."""

    def parse_action(self, raw: object) -> Any:
        """A frozen dataclass; raises BadAction. `raw` is JSON of any shape."""

    def start(self, setup: Setup) -> S:
        """The state at match time 0, in set-up."""

    def setup_seconds(self, state: S) -> int | None:
        """The longest set-up, in seconds; None when the mode has none and begins at once."""

    def is_ready(self, state: S, seat: int) -> bool:
        """Has this seat finished its set-up? (Not asked of modes with a plain ready check.)"""

    def setup_timeout(self, state: S, t: int) -> list[Addressed] | None:
        """Finish the set-up for those who did not; None: it can't be, abort the match."""

    def begin(self, state: S, t: int) -> list[Addressed]:
        """Everybody is ready: the live phase starts at t."""

    def due(self, state: S) -> int | None:
        """The time of the next timer of the live phase."""

    def advance(self, state: S, t: int) -> list[Addressed]:
        """Fire every timer due by t, each at its own time, in order."""

    def check_action(self, state: S, seat: int, action: Any, t: int, live: bool) -> None:
        """Raises IllegalAction; changes nothing. `live` is False during the set-up."""

    def apply_action(self, state: S, seat: int, action: Any, t: int) -> list[Addressed]: ...

    def retire(self, state: S, seat: int, t: int) -> list[Addressed]:
        """This seat is out for good (surrender, gone); the match may go on without it."""

    def finish(self, state: S, t: int) -> list[Addressed]:
        """The match is over at t (perhaps still in set-up): events that bring every seat's
        view up to date."""

    def finished(self, state: S) -> str | None:
        """The reason why the rules end the match now, or None."""

    def standing(self, state: S) -> Sequence[tuple[int, ...]]:
        """A key per seat; the greater is placed better, equal ones share a place."""

    def scores(self, state: S) -> Sequence[int]:
        """The number people compare, per seat (cells, percent, hits, ...)."""

    def teams(self, state: S) -> Sequence[int]:
        """The team of each seat; seats of one team win and lose together."""

    def view(self, state: S, viewer: Viewer) -> View: ...

    def truth(self, state: S) -> View:
        """Everything, for all to see after the end."""

    def fold(self, view: View, event: Event) -> None:
        """Change the mode's part of a view as a client does on one of the mode's events."""

    def dump(self, state: S) -> Any:
        """JSON from which `load` makes an equal state."""

    def load(self, raw: Any, setup: Setup) -> S: ...


@runtime_checkable
class SettlesEarly(Protocol):
    """The method that `Rules` add when a seat can be done before the match is (first over the
    line)."""

    def settled(self, state: Any, seat: int) -> bool:
        """This seat has played to its end: it keeps its place whatever it does, may go without
        a grace running, and cannot surrender."""


@runtime_checkable
class TakesTurns(Protocol):
    """The method that `Rules` add when the seats move one after the other."""

    def turn(self, state: Any) -> int | None:
        """The seat whose turn it is; None when everybody may move."""


class Game(Protocol[S]):
    """A mode with its lifecycle: what `registry.MODES` holds."""

    def __hash__(self) -> int: ...

    @property
    def rules(self) -> Rules[Any]: ...
    @property
    def spec(self) -> Spec: ...
    def parse_options(self, raw: object) -> Any: ...
    def parse_action(self, raw: object) -> Any: ...
    def start(self, setup: Setup) -> S: ...
    def due(self, state: S) -> int | None: ...
    def advance(self, state: S, at: int) -> list[Addressed]: ...
    def check(self, state: S, seat: int, action: Any, at: int | None = None) -> None: ...
    def apply(self, state: S, given: Input) -> list[Addressed]: ...
    def act(self, state: S, seat: int | None, action: Any, at: int) -> list[Addressed]: ...
    def turn(self, state: S) -> int | None: ...
    def view(self, state: S, viewer: Viewer) -> View: ...
    def fold(self, view: View, event: Event) -> View: ...
    def outcome(self, state: S) -> Outcome | None: ...
    def dump(self, state: S) -> bytes: ...
    def load(self, raw: bytes) -> S: ...
