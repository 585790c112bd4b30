"""What a log means: entries in, numbered events for every viewer out. Pure and deterministic.

The live replica, the archive, the replay viewer and `verify_match` all interpret a log with this
class, so they can't disagree. Above the rules it knows three things:

- Control. A `return` entry names the connection that controls a seat from then on. A `drop` or
  `leave` of a connection that does not control the seat any more is void.
- Faults. An entry at which the rules raise is void as well; the match is then aborted by an entry.
  The state may be half changed at that point, so the course has to be run again without it.
- Numbers. Every viewer has its own counter of events, from 1, without gaps.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from games.engine.errors import BadDump, GameError
from games.engine.game import ALL, Addressed, Event, Game, Input, Kind, Outcome, View, Viewer
from games.live import entry as kinds
from games.live.entry import Entry
from games.live.parsing import SHORT, parser
from games.live.setup import MatchSetup, decode_setup

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode

KINDS = {kind.value: kind for kind in Kind}
PRESENCE = frozenset({kinds.DROP, kinds.LEAVE, kinds.RETURN})


class EngineFault(Exception):
    """The rules raised at entry `seq`; the course can't go on from here."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"the rules failed at entry {seq}")
        self.seq = seq


class Said(msgspec.Struct, eq=False, gc=False):
    """One event of the match, and who hears it. Nothing in it leads back to it, so the collector
    need not look at the thousands that are kept."""

    t: int
    """Match time."""
    to: frozenset[Viewer]
    _event: Event | bytes
    """As the rules made it, or, once it was sent, as JSON: that is a third of the memory."""

    @property
    def json(self) -> bytes:
        """Encoded once for all who hear it."""
        event = self._event
        if type(event) is not bytes:
            event = self._event = _encode(event)
        return event

    @property
    def event(self) -> Event:
        event = self._event
        return _decode(event) if type(event) is bytes else event  # type: ignore[return-value]


class Snapshot(msgspec.Struct, array_like=True):
    seq: int
    counts: list[int]
    controllers: list[str]
    aided: bool
    state: bytes
    commands: list[dict[str, int]]
    t: int


class Course:
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

    def __init__(self, first: Entry, skipped: Iterable[int] = ()) -> None:
        """From entry 0. Raises UnknownRules."""
        self.setup: MatchSetup = decode_setup(first.data)
        self.game: Game[Any] = self.setup.game()
        self._parse_short, self._parse_long = parser(self.game)
        self.t0 = self.t = first.t
        """The times of the first and of the last entry so far."""
        self.state: Any = self.game.start(self.setup.for_engine(self.game, first.t))
        self.next = 1
        seats = len(self.setup.seats)
        self._to_all = 0
        """Events so far that everybody heard."""
        self._to_some = [0] * (seats + 1)
        """Other events so far per viewer: each seat, and last the spectators."""
        self.controllers = [""] * seats
        """The connection that controls each seat; empty: none."""
        self.commands: list[dict[str, int]] = [{} for _ in range(seats + 1)]
        """The seq of every command id so far: of each seat, and last of the site itself."""
        self._indexes: dict[frozenset[Viewer], tuple[int, ...]] = {}
        self.skipped = frozenset(skipped)
        self.aided = False
        """A player was given a hint."""

    # -- going on --------------------------------------------------------------------------------

    def apply(self, entry: Entry, action: Any = None) -> list[Said]:
        """The next entry. Raises EngineFault, after which this object is of no more use.
        `action` is what `parse_action` made of the entry, when that is known already."""
        out: list[Said] = []
        seq, cid = entry.seq, entry.cid
        if action is not None and entry.seat is not None and cid:
            self.act(seq, entry.t, (entry.seat, cid), action, out)
        elif self._counts(seq, entry.t, entry.seat, cid):
            try:
                given = self._input(entry)
                addressed = [] if given is None else self.game.apply(self.state, given)
            except Exception as error:
                raise EngineFault(seq) from error
            self._say(addressed, cid, out)
        return out

    def act(self, seq: int, t: int, name: tuple[int, str], action: Any, out: list[Said]) -> None:
        """`apply` for an action that is parsed already, of whom and under which id `name` tells.
        What is said is added to `out`."""
        seat, cid = name
        # As `_counts` does, without the calls: this is done for every move.
        assert seq == self.next, "entries are applied in order"
        self.next = seq + 1
        self.t = t
        if self.commands[seat].setdefault(cid, seq) != seq or seq in self.skipped:
            return
        try:
            addressed = self.game.act(self.state, seat, action, t)
        except Exception as error:
            raise EngineFault(seq) from error
        if len(addressed) == 1 and addressed[0][0] is ALL:  # as after most moves
            self._to_all += 1
            out.append(Said(self.state.now, ALL, addressed[0][1]))
        else:
            self._say(addressed, cid, out)

    def _counts(self, seq: int, t: int, seat: int | None, cid: str) -> bool:
        """Whether this entry counts; it is taken note of in any case."""
        assert seq == self.next, "entries are applied in order"
        self.next = seq + 1
        self.t = t
        # The append script refuses an id that comes again, but for the oddest accidents.
        if cid and self._of(seat).setdefault(cid, seq) != seq:
            return False
        return seq not in self.skipped

    def _say(self, addressed: list[Addressed], cid: str, out: list[Said]) -> None:
        t = self.state.now
        for to, event in addressed:
            if to is ALL:
                self._to_all += 1
            else:
                if cid and event["type"] == "refused":
                    event = {**event, "id": cid}
                for index in self._indexes.get(to) or self._index(to):
                    self._to_some[index] += 1
            out.append(Said(t, to, event))

    def parse(self, raw: bytes) -> tuple[Any, bool]:
        """What the rules make of an action's JSON, and whether it records a hint. Raises
        msgspec.DecodeError and BadAction."""
        return (self._parse_short if len(raw) <= SHORT else self._parse_long)(raw)

    def _index(self, to: frozenset[Viewer]) -> tuple[int, ...]:
        """Which counters an audience has; there are few audiences, so they are worked out once."""
        seats = len(self.controllers)
        found = tuple(
            seats if viewer is None else viewer for viewer in to if viewer is None or viewer < seats
        )
        self._indexes[to] = found
        return found

    def _input(self, entry: Entry) -> Input | None:
        """What the rules are given; None when the entry is void."""
        kind = entry.kind
        if kind == kinds.ACTION:
            try:
                action, is_aid = self.parse(entry.data)
            except GameError:
                return None  # checked before it was stored; other rules may have stored it
            self.aided = self.aided or is_aid
            return Input(entry.t, Kind.ACTION, entry.seat, action)
        if kind == kinds.TICK:
            return Input(entry.t, Kind.TICK)
        body = entry.body() or {}
        if kind in PRESENCE:
            seat = entry.seat
            if seat is None or not 0 <= seat < len(self.controllers):
                return None
            by = body.get("by", "")
            if kind == kinds.RETURN:
                self.controllers[seat] = by
            elif self.controllers[seat] != by:
                return None
            else:
                self.controllers[seat] = ""
            return Input(entry.t, KINDS[kind], seat)
        if kind == kinds.OUTAGE:
            return Input(entry.t, Kind.OUTAGE, ms=body["ms"])
        return Input(entry.t, Kind.ABORT, reason=body.get("reason", "aborted"))

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
        """The seq of the entry with this command id, if there is one so far."""
        return self._of(seat).get(cid)

    def _of(self, seat: int | None) -> dict[str, int]:
        return self.commands[-1 if seat is None or seat >= len(self.controllers) else seat]

    def connected(self, seat: int) -> bool:
        return bool(self.state.seats[seat].connected)

    # -- snapshots -------------------------------------------------------------------------------

    def dump(self) -> bytes:
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
            )
        )

    def restore(self, raw: bytes) -> bool:
        """Go on from a snapshot; False when it can't be used, and nothing has changed."""
        try:
            snap = msgspec.msgpack.decode(raw, type=Snapshot)
            self.state = self.game.load(snap.state)
        except (msgspec.DecodeError, BadDump):
            return False
        self.next = snap.seq + 1
        self._to_all, self._to_some = 0, snap.counts
        self.controllers, self.aided = snap.controllers, snap.aided
        self.commands, self.t = snap.commands, snap.t
        return True


def run(entries: list[Entry]) -> tuple[Course, list[list[Said]]]:
    """The whole course of a log, with what was said at each entry. Entries at which the rules
    fail are left out, as they were when the match was live."""
    skipped: set[int] = set()
    while True:
        course = Course(entries[0], skipped)
        said: list[list[Said]] = [[]]
        try:
            for entry in entries[1:]:
                said.append(course.apply(entry))
        except EngineFault as fault:
            skipped.add(fault.seq)
            continue
        return course, said
