"""The match: what is where, who owns it, what is under way.

Empires count from 1; 0 is nobody as an owner, and the spectators as a viewer. Whatever changes is
changed through the functions of `ground`, `sight` and `economy`, which keep the derived parts
(marked so) in step and note which tiles, banks and scores have to be told.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from heapq import heappush
from typing import Any

from games.engine.game import Addressed, Event, Setup, Viewer

from .actions import Action
from .presets import Options
from .ruleset import Ruleset
from .tiles import IS_LAND, NO_REGION, NOBODY
from .topology import Topology

Timer = tuple[int, int, str, tuple[int, ...]]
"""The time, a serial number for the order, the kind, and its arguments."""


@dataclass(slots=True, eq=False)
class Cluster:
    """A mountain or forest, owned as a whole."""

    kind: int
    tiles: tuple[int, ...]
    seen: list[int]
    """Per viewer: how many of its tiles are near something own (derived)."""


@dataclass(slots=True, eq=False)
class Structure:
    """Finished; `cells` are several for a long barricade, which has its strength once."""

    kind: int
    cells: tuple[int, ...]
    hp: int
    paid: int


@dataclass(slots=True, eq=False)
class Job:
    """A structure that a city is to build. Money is in thousandths."""

    kind: int
    cells: tuple[int, ...]
    owner: int
    work: int
    paid: int
    built: int = 0


@dataclass(slots=True)
class City:
    """A city's money at match time `at`, growing by `rate` thousandths a millisecond since; while
    there are jobs, the first of them grows instead."""

    cell: int
    bank: int = 0
    rate: int = 0
    at: int = 0
    jobs: list[Job] = field(default_factory=list)
    finishes: int = 0
    """The time at which the first job will be done; 0: not in sight."""
    siege: int = NOBODY
    """The empire that holds everything around it without owning it, until `falls`."""
    falls: int = 0

    def settle(self, t: int) -> None:
        """Bring the money, or the work, up to match time t."""
        earned = self.rate * (t - self.at)
        self.at = t
        if self.jobs:
            self.jobs[0].built += earned
        else:
            self.bank += earned

    def money(self, t: int) -> int:
        """The money in the bank at match time t, in thousandths."""
        return self.bank if self.jobs else self.bank + self.rate * (t - self.at)


@dataclass(slots=True)
class Order:
    """An action that waits for its delay."""

    action: Action
    due: int


@dataclass(slots=True)
class Commander:
    """A seat: its own cooldowns and orders."""

    ready: dict[str, int] = field(default_factory=dict)
    orders: dict[int, Order] = field(default_factory=dict)
    next_order: int = 1
    votes: tuple[int, ...] = ()
    retired: bool = False


@dataclass(slots=True)
class Empire:
    """The acts and losses of one owner. Also made for viewer 0, where it stays empty."""

    kills: int = 0
    deaths: int = 0
    captures: int = 0
    out: int | None = None
    """The time at which it was eliminated."""
    stunned: int = 0
    """Until when."""
    blind: int = 0
    blindings: int = 0
    flags: set[int] = field(default_factory=set)
    revealed: set[int] = field(default_factory=set)
    links: frozenset[tuple[int, int]] = frozenset()
    """Pairs of own cities that roads connect (derived)."""
    tiles: int = 0
    """(derived)"""
    cities: int = 0
    """(derived)"""
    worth: list[int] = field(default_factory=list)
    """Per region: what own tiles there yield (derived)."""


@dataclass(slots=True)
class Broadcast:
    """The picture that spectators see, and those on their way to them."""

    codes: list[int]
    """Each tile as it is on air."""
    scores: list[list[Any]]
    waiting: deque[tuple[int, list[Event]]] = field(default_factory=deque)
    """Events, each batch with the time at which it is due."""
    latest: list[int] = field(default_factory=list)
    """Each tile as it was last put on its way (derived)."""
    latest_scores: list[list[Any]] = field(default_factory=list)
    """(derived)"""


@dataclass(slots=True)
class Told:
    """The last news to a viewer, beside its tiles (derived)."""

    protected: dict[int, int] = field(default_factory=dict)
    """Until when, by cell; likewise `smoke`."""
    smoke: dict[int, int] = field(default_factory=dict)
    scores: list[list[Any]] = field(default_factory=list)
    sieges: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By city: by whom, and when it falls."""


@dataclass(slots=True)
class Changes:
    """The changes since events were last made; empty in between."""

    tiles: list[set[int]]
    """Per viewer: tiles that may look different now."""
    banks: set[int] = field(default_factory=set)
    jobs: set[int] = field(default_factory=set)
    rates: set[int] = field(default_factory=set)
    """Cities whose income may be different now."""
    lost: list[tuple[int, int]] = field(default_factory=list)
    """Cities, each with the empire that has lost it."""
    scores: set[int] = field(default_factory=set)
    roads: set[int] = field(default_factory=set)
    """Empires whose road connections may be different now."""
    owners: list[int] = field(default_factory=list)
    """Tiles with a new owner, not yet looked at for what follows from it."""
    altered: list[int] = field(default_factory=list)
    """Tiles with another kind, item or structure, likewise."""
    events: list[Addressed] = field(default_factory=list)
    aired: list[Event] = field(default_factory=list)
    """For the broadcast."""


@dataclass(slots=True)
class State:
    setup: Setup
    options: Options
    rules: Ruleset
    topo: Topology
    regions: bytes
    cities: list[City]
    empire_of: tuple[int, ...]
    unit: int
    """The base unit, in thousandths."""

    kind: bytearray
    owner: bytearray
    item: bytearray
    skull: bytearray
    memory: list[bytearray]
    """Per viewer: the kind of each tile as last seen."""
    commanders: list[Commander]
    empires: list[Empire]
    structures: dict[int, Structure] = field(default_factory=dict)
    """By cell."""
    shield: dict[int, int] = field(default_factory=dict)
    """Until when it is protected after its capture, by cell."""
    smoke: dict[int, int] = field(default_factory=dict)
    """Until when, by cell."""
    lifted: dict[int, int] = field(default_factory=dict)
    timers: list[Timer] = field(default_factory=list)
    serial: int = 0
    now: int = 0
    began: int | None = None
    ended: bool = False
    banned: int | None = None
    votes_shown: bool = False
    census: list[int] = field(default_factory=list)
    """By empire: its tiles as the others were last told."""
    air: Broadcast | None = None
    disclosed: bool = False
    """The match is over, and nothing is secret any more."""

    # Derived.
    audience: list[frozenset[Viewer]] = field(default_factory=list)
    """The seats and spectators who share each view: viewer 0, 1, ..."""
    players: frozenset[Viewer] = frozenset()
    """The seats whose empires are in the match."""
    names: tuple[str, ...] = ()
    """Of the cities."""
    city_at: dict[int, int] = field(default_factory=dict)
    beside_city: dict[int, int] = field(default_factory=dict)
    cluster: list[Cluster | None] = field(default_factory=list)
    hard: bytearray = field(default_factory=bytearray)
    """1: taken only by surrounding (a cluster, an item, a barricade or tower)."""
    pending: dict[int, list[Job]] = field(default_factory=dict)
    """Jobs by cell."""
    near: list[bytearray] = field(default_factory=list)
    """Per viewer and tile: how many own tiles and towers have it in sight."""
    watch: list[bytearray] = field(default_factory=list)
    """Per viewer and tile: how many own towers watch it."""
    known: list[list[int]] = field(default_factory=list)
    """Per viewer: the code of each tile as last told."""
    told: list[Told] = field(default_factory=list)
    """Per viewer."""
    incomes: tuple[int, ...] = ()
    changes: Changes = field(default_factory=lambda: Changes([]))

    def add_timer(self, at: int, what: str, *args: int) -> None:
        self.serial += 1
        heappush(self.timers, (at, self.serial, what, args))

    def viewer(self, seat: Viewer) -> int:
        """A seat sees as its empire, a spectator as 0; so does the broadcast's audience."""
        empire = 0 if seat is None else self.empire_of[seat]
        return 0 if self.rules.broadcast and self.empires[empire].out is not None else empire

    @property
    def late(self) -> int | None:
        """The beginning of the late phase; None: not known yet, or never."""
        if self.began is None or not self.rules.late_seconds:
            return None
        return self.began + self.rules.late_seconds * 1000

    def is_late(self, t: int) -> bool:
        return (late := self.late) is not None and t >= late

    def alive(self) -> list[int]:
        """The empires still in the match."""
        return [e for e in range(1, len(self.empires)) if self.empires[e].out is None]

    def city_owner(self, city: int) -> int:
        return self.owner[self.cities[city].cell]

    def owns_region(self, empire: int, cell: int) -> bool:
        region = self.regions[cell]
        return region != NO_REGION and self.owner[self.cities[region].cell] == empire


def is_land(state: State, cell: int) -> bool:
    """Land for capture: not water, no cluster, no city."""
    return IS_LAND[state.kind[cell]] and cell not in state.city_at
