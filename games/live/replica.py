"""This process's copy of a live match: checks commands, applies the rows of the log in order, and
gives the events to the broadcast."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol
from zlib import crc32

import msgspec
from django.conf import settings

from games import storage
from games.engine.errors import GameError
from games.engine.game import Outcome, View, Viewer
from games.live.broadcast import Batch, Broadcast, Listener
from games.live.counters import COUNTERS
from games.live.entry import ABORT, ACTION, OUTAGE, TICK, Entry
from games.live.heartbeat import Heartbeat, Heartbeats
from games.live.log import Log, Writer
from games.live.match_state import PRESENCE, EngineFault, MatchEvent, MatchState, run
from games.live.proposer import hosts_of
from games.live.row import (
    BAD_ACTION,
    BOOKKEEPING,
    JOIN,
    MATCH_GONE,
    MATCH_OVER,
    NOT_STORED,
    OVER,
    PART,
    RATE_LIMITED,
    SERVER_FAULT,
    STORED,
    UNNEEDED,
    Command,
    OnDone,
    Result,
    Row,
    entries_of,
)
from games.live.seats import Seats
from games.live.timer import Timer
from games.live.withholding import Delayed, delay_of, is_withheld, withhold, withhold_from
from games.rate_limit import Bucket
from games.tracing import TRACING

SEAT_RATE: Final = float(settings.LIVE_SEAT_RATE)
"""Commands per second of one seat, on average."""
SEAT_BURST: Final = float(settings.LIVE_SEAT_BURST)
SNAPSHOT_EVERY: Final = 500
"""Entries."""
MOST_WAITING: Final = 1024
"""Commands of a match that wait while Redis doesn't answer; more are refused."""

logger = logging.getLogger(__name__)


class Member(Listener, Protocol):
    """A socket or a player inside the site that follows the match."""

    def match_gone(self) -> None:
        """Redis doesn't have the match any more."""

    def must_resync(self, number: int, view: View) -> None:
        """Events that were sent are void: this view, up to event `number`, takes their place."""

    def spectators_changed(self, number: int) -> None: ...

    def match_archived(self) -> None:
        """The match is over and in the database."""


class Owner(Protocol):
    """Receives what a replica can't do by itself."""

    def rebuild(self, replica: Replica) -> None:
        """Read the whole log and call `rebuilt`."""

    def ended(self, replica: Replica) -> None:
        """This process stored the last row of the match."""

    def turn_of_absent(self, replica: Replica, seat: int) -> None:
        """A row of this process made it the turn of a seat that no connection controls."""


class Replica:
    """Made by `Host.join`, which counts its users."""

    def __init__(
        self, match_id: str, state: MatchState, writer: Writer, heartbeats: Heartbeats, owner: Owner
    ) -> None:
        self.id = match_id
        self.state = state
        self.broadcast = Broadcast()
        delay = delay_of(state)
        self._delayed = Delayed(state, delay, self.now) if delay else None
        """The spectators' state, in matches that they see later than the players."""
        self.log = Log(writer, heartbeats.process.id, match_id, self)
        self.log.on_gone = self.lost
        self.seats = Seats(heartbeats.process.id, lambda: self.state, self.log.append)
        self.timer = Timer(self.now, self._tick)
        self.refs = 0
        self.over: Outcome | None = None
        self.has_last_row = False
        """The log ends with its `over` row."""
        self.gone = False
        """The log is not in Redis any more."""
        self.spectators = 0
        """On all processes, as last counted."""
        self.is_archived = False
        self._heartbeats = heartbeats
        self._owner = owner
        self._members: list[tuple[Viewer, Member]] = []
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._buckets = [Bucket(SEAT_RATE, SEAT_BURST, now) for _ in state.setup.seats]
        self._snapshot_at = crc32(match_id.encode()) % SNAPSHOT_EVERY
        """Spread, so that matches that began together don't make their snapshots together."""
        self._faulty: int | None = None
        """The entry at which the rules failed, while the match is built again without it."""
        self._has_turns = not state.game.spec.realtime
        self._turn = self._whose_turn()

    @property
    def heartbeat(self) -> Heartbeat:
        """The heartbeat on the server that has the log."""
        return self._heartbeats.of(self.log.slot)

    def now(self) -> int:
        """The clock of the match, in milliseconds: that of the server which has the log."""
        return self._heartbeats.of(self.log.slot).now()

    # -- members ---------------------------------------------------------------------------------

    def attach(self, viewer: Viewer, member: Member) -> tuple[int, View]:
        """Receive every event of this viewer from now on; returns the number of the last event so
        far, and the view that contains it."""
        delayed = self._delayed if viewer is None else None
        view = self.view(viewer) if delayed is None else delayed.view()
        self._members.append((viewer, member))
        self._broadcast_to(viewer).add(viewer, member)
        if self.over is None and self.log.proposer.process not in self.log.proposer.hosts:
            self.log.append(Command(JOIN))
        return (self.state if delayed is None else delayed).count(viewer), view

    def _broadcast_to(self, viewer: Viewer) -> Broadcast:
        delayed = self._delayed if viewer is None else None
        return self.broadcast if delayed is None else delayed.broadcast

    def spectators_here(self) -> int:
        """In this process."""
        return self._broadcast_to(None).number(None)

    @property
    def spectator_delay(self) -> int:
        """Milliseconds that spectators are behind."""
        return 0 if self._delayed is None or self.over is not None else self._delayed.delay

    def detach(self, viewer: Viewer, member: Member) -> None:
        if (viewer, member) in self._members:
            self._members.remove((viewer, member))
            self._broadcast_to(viewer).remove(viewer, member)

    def view(self, viewer: Viewer) -> View:
        try:
            view = self.state.view(viewer)
        except Exception:
            self._failed("a view")
            raise
        return withhold(view) if self.is_withheld else view

    @property
    def is_withheld(self) -> bool:
        """The board stays secret after the end of the match, too."""
        return is_withheld(self.state.setup.source, self.state.t0, self.now())

    def _tell(self, events: list[MatchEvent]) -> None:
        # Only the end of a match tells its board.
        if self.state.state.outcome is not None and self.is_withheld:
            events = withhold_from(events)
        self.broadcast.send(events, self.state)
        if self._delayed is not None:
            self._delayed.add(events, self.state.t, self.state.state.outcome is not None)

    def since(self, viewer: Viewer, last: int) -> Batch | None:
        """The events after number `last`, or None when they are not kept any more."""
        delayed = self._delayed if viewer is None else None
        counts = self.state if delayed is None else delayed
        return self._broadcast_to(viewer).since(viewer, last, counts.count(viewer))

    def set_spectators(self, number: int) -> None:
        if number != self.spectators:
            self.spectators = number
            for _viewer, member in list(self._members):
                member.spectators_changed(number)

    def archived(self) -> None:
        """The match is in the database."""
        if not self.is_archived:
            self.is_archived = True
            for _viewer, member in list(self._members):
                member.match_archived()

    # -- commands --------------------------------------------------------------------------------

    def submit(
        self, seat: int, cid: str, raw: bytes, on_done: OnDone, now: float | None = None
    ) -> None:
        """A player's command; with the time, within the seat's rate limit. `on_done` is called once
        it is stored or refused; its effects come to the members, like those of all commands."""
        if now is not None and not self._buckets[seat].take(now) and not self._is_known(seat, cid):
            on_done(cid, RATE_LIMITED)
            return
        try:
            parsed = self.state.parse(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            on_done(cid, BAD_ACTION)
        except GameError as error:
            on_done(cid, Result(error.code, error.text))
        else:
            too_many = len(self.log.proposer.waiting) >= MOST_WAITING
            if (too_many or storage.is_full()) and not self._is_known(seat, cid):
                on_done(cid, NOT_STORED)
            else:
                if TRACING.is_on:
                    TRACING.received(self.id, seat, cid)
                self.log.append(Command(ACTION, seat, cid, raw, parsed, on_done))

    async def act(self, seat: int, cid: str, raw: bytes) -> Result:
        """`submit` for players inside the site: house bots, and the text protocols, which have
        limits of their own."""
        future: asyncio.Future[Result] = self._loop.create_future()
        self.submit(seat, cid, raw, _resolves(future))
        return await future

    async def abort(self, cid: str, data: bytes) -> Result:
        """End the match without a result."""
        future: asyncio.Future[Result] = self._loop.create_future()
        self.log.append(Command(ABORT, None, cid, data, on_done=_resolves(future)))
        return await future

    def enter_outages(self) -> None:
        """Match time stood still while the site was down: the log says so before anything else."""
        last = self.state.state.origin + self.state.state.now
        missed = [outage for outage in self.heartbeat.outages if outage.end > last]
        if missed and self.over is None and not self.gone:
            start = missed[-1].start
            ms = sum(outage.end - max(outage.start, last) for outage in missed)
            data = b'{"ms":%d}' % ms
            self.log.append(Command(OUTAGE, None, f"!outage:{start}", data), first=True)

    def enter_last_row(self) -> None:
        """Close the log of a match that is over."""
        assert self.over is not None
        self.log.append(Command(OVER, data=msgspec.json.encode(self.over.as_json())))

    def leave(self) -> None:
        """This process doesn't host the match any more."""
        if self.log.proposer.process in self.log.proposer.hosts and self.over is None:
            self.log.append(Command(PART))

    def _is_known(self, seat: int, cid: str) -> bool:
        return self.state.stored_as(seat, cid) is not None or self.log.has(seat, cid)

    def _tick(self) -> None:
        # One is enough, however long the log can't be written to.
        if all(command.kind != TICK for command in self.log.proposer.waiting):
            self.log.append(Command(TICK))

    # -- called by the proposer ------------------------------------------------------------------

    def check(self, command: Command, time: int) -> Result | None:
        """None: the command may be appended to the present state at this time."""
        if command.kind != ACTION:
            return self._check_other(command, time)
        state, seat = self.state, command.seat
        if command.cid in state.commands[seat]:  # type: ignore[index]  # an action has a seat
            return STORED
        if self.over is not None:
            return MATCH_OVER
        due = self.timer.due
        if due is not None and due <= time:
            return None  # a timer fires first; the rules judge the command when it is applied
        try:
            # `submit` parsed it, for a seat.
            state.game.check(state.state, seat, command.parsed[0], time)  # type: ignore[arg-type, index]
        except GameError as error:
            return Result(error.code, error.text, is_final=False)
        except Exception:
            self._failed("a check")
            return SERVER_FAULT
        return None

    def _check_other(self, command: Command, time: int) -> Result | None:
        kind, hosts = command.kind, self.log.proposer.hosts
        if kind == OVER:
            return UNNEEDED if self.has_last_row else None
        if command.cid and self.state.stored_as(command.seat, command.cid) is not None:
            return STORED
        if self.over is not None:
            return MATCH_OVER
        if kind in (JOIN, PART):
            return UNNEEDED if (self.log.proposer.process in hosts) == (kind == JOIN) else None
        if kind == TICK:
            due = self.timer.due
            is_due = due is not None and due <= time and not self.heartbeat.suspended
            return None if is_due else UNNEEDED
        return None

    def settle(self, command: Command, result: Result) -> None:
        if command.kind == ACTION and not result.stored:
            COUNTERS.refused += 1
            if TRACING.is_on:
                TRACING.refused(self.id, command.seat, command.cid, result.code)
        if command.on_done is not None:
            try:
                command.on_done(command.cid, result)
            except Exception:
                logger.exception("match %s: a refusal could not be delivered", self.id)

    def apply(self, row: Row, own: bool) -> None:
        """The next row: acknowledge our own commands, play all of them, tell the members."""
        state = self.state
        had_last_row = self.has_last_row
        # After a broken connection a row of this process may be found by reading.
        ours = own or row.process == self.log.proposer.process
        if own:
            self._acknowledge(row)
        events = self._play(row, ours)
        if events:
            self._tell(events)
        if TRACING.is_on:
            for command in row.commands:
                if command.kind == ACTION:
                    seat, cid = command.seat, command.cid
                    TRACING.applied(self.id, seat, cid, row.number, own, len(events))
        if self._faulty is not None:
            self._rebuild()
            return
        if self._has_turns and (turn := self._whose_turn()) != self._turn:
            self._turn = turn
            if own and turn is not None and not state.controllers[turn]:
                self._owner.turn_of_absent(self, turn)
        if (due := self._due()) != self.timer.due:
            self.timer.arm(due)
        if own and self._snapshot_at <= state.next:
            self._make_snapshot()
        if self.over is None and state.state.outcome is not None:
            self.over = state.outcome()
            if ours and not self.has_last_row:
                self.enter_last_row()
        if ours and self.has_last_row and not had_last_row:
            self._owner.ended(self)

    def _play(self, row: Row, ours: bool) -> list[MatchEvent]:
        """Play the commands of a row and return the events to broadcast to the members.
        A failure of the rules leaves the number of its entry in `_faulty`."""
        state, time = self.state, row.time
        events: list[MatchEvent] = []
        try:
            for command in row.commands:
                if command.kind == ACTION:
                    state.apply_command(command, time, events)
                elif command.kind not in BOOKKEEPING:
                    state.apply_command(command, time, events)
                    if command.kind in PRESENCE:
                        self._presence(command, events)
                elif command.kind == OVER:
                    self.has_last_row = True
                elif command.kind == PART and ours and self._members:
                    self.log.append(Command(JOIN))  # somebody came meanwhile
        except EngineFault as fault:
            logger.exception("match %s: the rules failed at entry %d", self.id, fault.seq)
            self._faulty = fault.seq
        return events

    def diverged(self) -> None:
        logger.error("match %s: the log lost rows that were played; building it again", self.id)
        self._rebuild()

    def _acknowledge(self, row: Row) -> None:
        moves = 0
        for command in row.commands:
            if command.kind == ACTION:
                moves += 1
            if command.on_done is not None:
                try:
                    command.on_done(command.cid, STORED)
                except Exception:
                    logger.exception("match %s: an acknowledgement failed", self.id)
        COUNTERS.moves += moves

    def _presence(self, command: Command, events: list[MatchEvent]) -> None:
        if self.state.stored_as(command.seat, command.cid) == self.state.next - 1:
            # First, because a connection that loses its seat receives no more.
            if events:
                self._tell(list(events))
                events.clear()
            self.seats.applied(command)

    def arm(self) -> None:
        """Set the timer by the present state."""
        self.timer.arm(self._due())

    def _due(self) -> int | None:
        state = self.state
        try:
            return state.game.due(state.state) if self.over is None else None
        except Exception:
            self._failed("a timer")
            return None

    def _whose_turn(self) -> int | None:
        """Rules that fail here cost the match its notifications, nothing else."""
        if not self._has_turns:
            return None
        try:
            turn = self.state.game.turn(self.state.state)
            if turn is not None and not 0 <= turn < len(self.state.setup.seats):
                raise ValueError(f"no seat {turn}")
        except Exception:
            logger.exception("match %s: the rules can't say whose turn it is", self.id)
            self._has_turns = False
            return None
        return turn

    def _make_snapshot(self) -> None:
        proposer = self.log.proposer
        self._snapshot_at = self.state.next + SNAPSHOT_EVERY
        self.log.send("SET", "snap", self.state.dump(proposer.applied, proposer.hosts))

    # -- faults and the end ----------------------------------------------------------------------

    def _failed(self, what: str) -> None:
        """The rules raised outside of the log: the match ends, and the log says why."""
        logger.exception("match %s: the rules failed at %s", self.id, what)
        if self.over is None:
            self._enter_fault()

    def _enter_fault(self) -> None:
        self.log.append(Command(ABORT, None, "!abort", b'{"reason":"fault"}'))

    def _rebuild(self) -> None:
        """The state can't go on: a rule failed halfway, or it contains rows that the log lost."""
        self.log.proposer.close()
        self._owner.rebuild(self)

    def rebuilt(self, rows: list[Row]) -> None:
        """Go on from the whole log. Entries at which the rules fail are left out."""
        faulty, self._faulty = self._faulty, None
        entries = list(entries_of(rows))
        self.state, events = run(entries, () if faulty is None else (faulty,))
        self._turn = self._whose_turn()
        self.log.replaced(self)
        self.log.proposer.resume(rows[-1].number, rows[-1].time, hosts_of(rows))
        self.has_last_row = any(c.kind == OVER for c in rows[-1].commands)
        if self._delayed is not None:
            self._delay_again(entries, events)
        if faulty is None:
            for viewer, member in list(self._members):
                delayed = self._delayed if viewer is None else None
                if delayed is None:
                    member.must_resync(self.state.count(viewer), self.view(viewer))
                else:
                    member.must_resync(delayed.count(viewer), delayed.view())
        else:
            untold = [event for each in events[faulty + 1 :] for event in each]
            if untold:
                self._tell(untold)
            self._enter_fault()
        self.over = self.state.outcome()
        self.arm()
        if self.over is not None and not self.has_last_row:
            self.enter_last_row()

    def _delay_again(self, entries: list[Entry], events: list[list[MatchEvent]]) -> None:
        """Spectators go on from the beginning of the log, as far as they may see it."""
        assert self._delayed is not None
        start, over = MatchState(entries[0]), self.state.state.outcome is not None
        self._delayed = Delayed(start, self._delayed.delay, self.now)
        for entry, some in zip(entries[1:], events[1:], strict=True):
            self._delayed.add(some, entry.t, over)
        for viewer, member in self._members:
            if viewer is None:
                self._delayed.broadcast.add(None, member)

    def lost(self) -> None:
        """Redis doesn't have the match any more."""
        if not self.gone:
            self.gone = True
            self.timer.close()
            for command in self.log.proposer.take_all():
                self.settle(command, MATCH_GONE)
            for _viewer, member in list(self._members):
                member.match_gone()

    def close(self) -> None:
        self.timer.close()
        self.log.close()
        self.broadcast.clear()
        self._members.clear()


def _resolves(future: asyncio.Future[Result]) -> OnDone:
    """A callback for a caller that waits."""

    def on_done(cid: str, result: Result) -> None:
        if not future.done():
            future.set_result(result)

    return on_done
