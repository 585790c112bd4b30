"""Interprets a log: entries in, numbered events for every viewer out. Pure and deterministic.

The live replica, the archive, the replay viewer and `verify_match` all interpret a log with this
class, so they can't disagree. It adds three things to the rules:

- Control. A `return` entry names the connection that controls a seat from then on. A `drop` or
  `leave` of a connection that doesn't control the seat any more is void.
- Faults. An entry at which the rules raise is void as well; the match is then aborted by an entry.
  The state may be half changed at that point, so the log has to be run again without that entry.
- Numbers. Every viewer has its own counter of events, from 1, without gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from games.engine.errors import BadDump, GameError
from games.engine.game import ALL, Event, Game, Input, Kind, Outcome, View, Viewer
from games.engine.lifecycle import SITE_OUTAGE
from games.live import entry as kinds
from games.live.entry import Entry
from games.live.row import Command
from games.live.setup import MatchSetup, decode_setup

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode
_decode_any = msgspec.json.Decoder().decode

KINDS = {kind.value: kind for kind in Kind}
PRESENCE = frozenset({kinds.DROP, kinds.LEAVE, kinds.RETURN})
AID: Final = "hinted"
"""The action that records a hint."""
SHORT: Final = 64
"""Bytes of an action that is kept with what the rules made of it. Longer ones are parsed each time,
so that nobody fills the memory with them."""
KEPT: Final = 16_384

Parse = Callable[[bytes], tuple[Any, bool]]


@cache
def parsers(game: Game[Any]) -> tuple[Parse, Parse]:
    """For short and for long actions: what `parse_action` makes of its JSON, and whether it records
    a hint. The same few moves come again and again, in all matches of a mode, and what the rules
    make of them can't be changed: so it is kept. Raise msgspec.DecodeError and BadAction."""

    def parse(raw: bytes) -> tuple[Any, bool]:
        body = _decode_any(raw)
        return game.parse_action(body), body["type"] == AID

    return lru_cache(KEPT)(parse), parse


class EngineFault(Exception):
    """The rules raised at entry `seq`; this state can't go on from here."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"the rules failed at entry {seq}")
        self.seq = seq


class MatchEvent(msgspec.Struct, eq=False, gc=False):
    """One event of the match and its audience. Nothing in it leads back to it, so the garbage
    collector need not look at the thousands that are kept."""

    t: int
    """Match time."""
    to: frozenset[Viewer]
    _event: Event | bytes
    """As the rules made it, or, once it was sent, as JSON: that is a third of the memory."""

    @property
    def json(self) -> bytes:
        """Encoded once for the whole audience."""
        event = self._event
        if type(event) is not bytes:
            event = self._event = _encode(event)
        return event

    @property
    def event(self) -> Event:
        event = self._event
        return _decode(event) if isinstance(event, bytes) else event


class Snapshot(msgspec.Struct, array_like=True):
    seq: int
    counts: list[int]
    controllers: list[str]
    aided: bool
    state: bytes
    commands: list[dict[str, int]]
    t: int
    row: int = -1
    """The number of the last row in it. -1: written before rows had numbers."""
    hosts: list[str] = []


NOTHING: Final[frozenset[int]] = frozenset()


class MatchState:
    """A match up to some entry."""

    __slots__ = (
        "_indexes",
        "_parse_long",
        "_parse_short",
        "_to_all",
        "_to_some",
        "aided",
        "commands",
        "controllers",
        "game",
        "next",
        "setup",
        "skipped",
        "state",
        "t",
        "t0",
    )

    def __init__(self, first: Entry, skipped: Iterable[int] = (), begins: bool = True) -> None:
        """From entry 0. Raises UnknownRules. `begins` is False for a state that is `restore`d: in
        some modes the rules' `start` takes long."""
        self.setup: MatchSetup = decode_setup(first.data)
        self.game: Game[Any] = self.setup.game()
        self._parse_short, self._parse_long = parsers(self.game)
        self.t0 = self.t = first.t
        """The times of the first and of the last entry so far."""
        self.state: Any = None
        if begins:
            self.begin()
        self.next = 1
        """The number of the next entry."""
        seats = len(self.setup.seats)
        self._to_all = 0
        """Events so far that everybody received."""
        self._to_some = [0] * (seats + 1)
        """Other events so far per viewer: each seat, and last the spectators."""
        self.controllers = [""] * seats
        """The connection that controls each seat; empty: none."""
        self.commands: list[dict[str, int]] = [{} for _ in range(seats + 1)]
        """The entry of every command id so far: of each seat, and last of the site itself."""
        self._indexes: dict[frozenset[Viewer], tuple[int, ...]] = {}
        self.skipped = frozenset(skipped) if skipped else NOTHING
        self.aided = False
        """A player was given a hint."""

    def begin(self) -> None:
        self.state = self.game.start(self.setup.for_engine(self.game, self.t0))

    # -- going on --------------------------------------------------------------------------------

    def apply(self, entry: Entry) -> list[MatchEvent]:
        """The next entry. Raises EngineFault, after which this object is of no more use."""
        assert entry.seq == self.next, "entries are applied in order"
        out: list[MatchEvent] = []
        command = Command(entry.kind, entry.seat, entry.cid, entry.data)
        self.apply_command(command, entry.t, out)
        return out

    def apply_command(self, command: Command, t: int, out: list[MatchEvent]) -> None:
        """`apply` for the next command of a row; its events are added to `out`."""
        seq = self.next
        self.next = seq + 1
        self.t = t
        seat, cid = command.seat, command.cid
        # A command id counts once, whatever accident brought it into the log again.
        if cid and self._commands_of(seat).setdefault(cid, seq) != seq:
            return
        if seq in self.skipped:
            return
        try:
            if command.kind == kinds.ACTION:
                parsed = command.parsed or self._parse_stored(command.data)
                if parsed is None:
                    return
                action, is_aid = parsed
                if is_aid:
                    self.aided = True
                addressed = self.game.act(self.state, seat, action, t)
            else:
                given = self._input(command, t)
                addressed = [] if given is None else self.game.apply(self.state, given)
        except Exception as error:
            raise EngineFault(seq) from error
        now = self.state.now
        for to, event in addressed:
            if to is ALL:
                self._to_all += 1
            else:
                if cid and event["type"] == "refused":
                    event = {**event, "id": cid}
                for index in self._indexes.get(to) or self._index(to):
                    self._to_some[index] += 1
            out.append(MatchEvent(now, to, event))

    def parse(self, raw: bytes) -> tuple[Any, bool]:
        """The action that the rules read from its JSON, and whether it records a hint. Raises
        msgspec.DecodeError and BadAction."""
        return (self._parse_short if len(raw) <= SHORT else self._parse_long)(raw)

    def _parse_stored(self, raw: bytes) -> tuple[Any, bool] | None:
        """The same of an action in the log; None when other rules than these have stored it."""
        try:
            return self.parse(raw)
        except GameError:
            return None

    def _index(self, to: frozenset[Viewer]) -> tuple[int, ...]:
        """The counters of an audience; there are few audiences, so they are worked out once."""
        seats = len(self.controllers)
        found = tuple(
            seats if viewer is None else viewer for viewer in to if viewer is None or viewer < seats
        )
        self._indexes[to] = found
        return found

    def _input(self, command: Command, t: int) -> Input | None:
        """The input for the rules; None when the command is void."""
        kind = command.kind
        if kind == kinds.TICK:
            return Input(t, Kind.TICK)
        body = msgspec.json.decode(command.data) if command.data else {}
        if kind in PRESENCE:
            seat = command.seat
            if seat is None or not 0 <= seat < len(self.controllers):
                return None
            by = body.get("by", "")
            if kind == kinds.RETURN:
                self.controllers[seat] = by
            elif self.controllers[seat] != by:
                return None
            else:
                self.controllers[seat] = ""
            return Input(t, KINDS[kind], seat, reason=SITE_OUTAGE if body.get("outage") else "")
        if kind == kinds.OUTAGE:
            return Input(t, Kind.OUTAGE, ms=body["ms"])
        return Input(t, Kind.ABORT, reason=body.get("reason", "aborted"))

    # -- what is known ---------------------------------------------------------------------------

    @property
    def counts(self) -> list[int]:
        """Events so far per viewer: each seat, and last the spectators."""
        return [self._to_all + number for number in self._to_some]

    def count(self, viewer: Viewer) -> int:
        return self._to_all + self._to_some[-1 if viewer is None else viewer]

    def view(self, viewer: Viewer) -> View:
        return self.game.view(self.state, viewer)

    def due(self) -> int | None:
        return self.game.due(self.state)

    def outcome(self) -> Outcome | None:
        found: Outcome | None = self.state.outcome
        return found

    def stored_as(self, seat: int | None, cid: str) -> int | None:
        """The number of the entry with this command id, if there is one so far."""
        return self._commands_of(seat).get(cid)

    def _commands_of(self, seat: int | None) -> dict[str, int]:
        return self.commands[-1 if seat is None or seat >= len(self.controllers) else seat]

    def connected(self, seat: int) -> bool:
        return bool(self.state.seats[seat].connected)

    # -- snapshots -------------------------------------------------------------------------------

    def dump(self, row: int, hosts: Iterable[str]) -> bytes:
        state = self.game.dump(self.state)
        return msgspec.msgpack.encode(
            Snapshot(
                seq=self.next - 1,
                counts=self.counts,
                controllers=self.controllers,
                aided=self.aided,
                state=state,
                commands=self.commands,
                t=self.t,
                row=row,
                hosts=sorted(hosts),
            )
        )

    def restore(self, raw: bytes) -> Snapshot | None:
        """Go on from a snapshot; None when it can't be used, and nothing has changed."""
        try:
            snap = msgspec.msgpack.decode(raw, type=Snapshot)
            if snap.row < 0:
                return None
            self.state = self.game.load(snap.state)
        except (msgspec.DecodeError, BadDump):
            return None
        self.next = snap.seq + 1
        self._to_all, self._to_some = 0, snap.counts
        self.controllers, self.aided = snap.controllers, snap.aided
        self.commands, self.t = snap.commands, snap.t
        return snap


def run(
    entries: list[Entry],
    skipped: Iterable[int] = (),
    watch: Callable[[MatchState], None] | None = None,
) -> tuple[MatchState, list[list[MatchEvent]]]:
    """The state that a whole log leads to, with the events of each entry. Entries at which the
    rules fail are left out, as they were when the match was live; so are those of `skipped`.
    `watch` sees the state at the start and after each entry; after a failure, all of them anew."""
    skipped = set(skipped)
    while True:
        state = MatchState(entries[0], skipped)
        events: list[list[MatchEvent]] = [[]]
        try:
            if watch is not None:
                watch(state)
            for entry in entries[1:]:
                events.append(state.apply(entry))
                if watch is not None:
                    watch(state)
        except EngineFault as fault:
            skipped.add(fault.seq)
            continue
        return state, events


def compute_start(given: bytes) -> bytes:
    """Entry 0 in, the snapshot of the match as it begins out: for a process that computes."""
    return MatchState(msgspec.msgpack.decode(given, type=Entry)).dump(1, ())
