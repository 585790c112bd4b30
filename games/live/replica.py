"""One match in this process: the log applied in order. What goes into the log is `commands`, who
hears what comes out of it `audience`, its timers `alarm`, who controls its seats `seatings`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from games.engine.game import Outcome, View, Viewer
from games.live.alarm import Alarm
from games.live.appends import APPENDED, FAILED, GONE
from games.live.audience import Audience, Batch, Listener
from games.live.commands import Commands
from games.live.counters import COUNTERS
from games.live.course import PRESENCE, Course, EngineFault, Said
from games.live.entry import ABORT, OUTAGE, Entry, from_hint
from games.live.log import Log
from games.live.seating import Seatings
from games.live.sent import STORED, Sent

if TYPE_CHECKING:
    from games.live.host import Host

SNAPSHOT_EVERY: Final = 500

logger = logging.getLogger(__name__)


class Replica:
    """Made by `Host.join`, which counts who uses it."""

    def __init__(self, host: Host, log: Log, course: Course, hosts: int) -> None:
        self.id = log.id
        self.host = host
        self.log = log
        log.reader = self
        self.course = course
        self.loop = asyncio.get_running_loop()
        self.commands = Commands(self)
        self.audience = Audience()
        self.alarm = Alarm(self)
        self.seatings = Seatings(self, host.pulse.process)
        self.refs = 0
        self.shared = hosts > 1
        """Other processes host this match, as far as is known."""
        self.over: Outcome | None = None
        self.gone = False
        """The log is not there any more."""
        self.watchers = 0
        """Spectators on all processes, as last heard."""
        self.on_gone: list[Callable[[], None]] = []
        self.on_watchers: list[Callable[[int], None]] = []
        self.healing = False
        """What is missing is being read."""
        self._early: dict[int, tuple[Entry, Any, bool]] = {}
        """Entries that came before their turn."""
        self._recovering = False
        self._shift = crc32(self.id.encode()) % SNAPSHOT_EVERY
        """So that many matches that began together do not make their snapshots together."""
        self._said: list[Said] = []
        """Events of this turn that nobody has been told of yet."""
        self._telling = False

    # -- who listens -----------------------------------------------------------------------------

    def attach(self, viewer: Viewer, listener: Listener) -> tuple[int, View]:
        """Hear every event of this viewer from now on; returns the number of the last event so
        far, and the view that contains it."""
        self._deliver()  # who listens from now on has it in the view
        view = self.view(viewer)
        self.audience.add(viewer, listener)
        return self.course.count(viewer), view

    def detach(self, viewer: Viewer, listener: Listener) -> None:
        self._deliver()
        self.audience.remove(viewer, listener)

    def view(self, viewer: Viewer) -> View:
        try:
            return self.course.view(viewer)
        except Exception:
            self.failed("a view")
            raise

    def since(self, viewer: Viewer, last: int) -> Batch | None:
        """The events after number `last`, or None when they are not known any more."""
        self._deliver()
        return self.audience.since(viewer, last, self.course.count(viewer))

    def set_watchers(self, number: int) -> None:
        if number != self.watchers:
            self.watchers = number
            for tell in list(self.on_watchers):
                tell(number)

    # -- the log ---------------------------------------------------------------------------------

    @property
    def known(self) -> int:
        return self.course.next

    @property
    def is_alone(self) -> bool:
        return not (self.shared or self.healing or self._early)

    def stored(self, row: list[Sent], first: int, t: int) -> None:
        """Entries of ours are where they were thought to be: nearly every answer. As `answered`
        does for each, with fewer questions."""
        course, under_way, moves = self.course, self.commands.sent, 0
        for seq, sent in enumerate(row, first):
            name, action = sent.name, sent.action
            if (
                action is None
                or seq != course.next
                or self._recovering
                or under_way.pop(name, None) is None
            ):
                self._other_stored(sent, seq, t)
                continue
            moves += 1
            sent.tell(STORED)
            try:
                course.act(seq, t, name, action, self._said)
            except EngineFault:
                self._faulted(seq)
        COUNTERS.moves += moves
        self._tell_soon()
        self._look_up(first, first + len(row), True)

    def answered(self, status: int, entry: Entry, hosts: int, action: Any = None) -> None:
        """The append script's answer to an entry of ours. If it is not stored, its seq is that of
        the last one, or of the one that was stored before."""
        if status == APPENDED:
            if hosts > 1:
                self.shared = True
            self.receive(entry, action, own=True)
        elif status == GONE:
            self.lost()
        elif status == FAILED or entry.seq >= self.course.next:
            self.heal()

    def _other_stored(self, sent: Sent, seq: int, t: int) -> None:
        try:
            sent.answered(APPENDED, seq, t, 0)
        except Exception:
            logger.exception("match %s: entry %d could not be handled", self.id, seq)

    def hint(self, raw: bytes) -> None:
        """Another process published something."""
        if raw[:1] == b"e":
            self.shared = True
            for entry in from_hint(raw):
                self.receive(entry)
        elif raw[:1] == b"w":
            self.shared = True
            self.host.count_watchers(self)

    def receive(self, entry: Entry, action: Any = None, own: bool = False) -> None:
        """An entry of the log, in whatever order it comes."""
        seq, expected = entry.seq, self.course.next
        if seq < expected:
            return
        if seq > expected or self._recovering:
            self._early[seq] = entry, action, own
            if not self._recovering:
                self.heal()
            return
        self._apply(entry, action, own)
        early = self._early
        while early and not self._recovering:
            if (following := early.pop(self.course.next, None)) is None:
                break
            self._apply(*following)
        self._tell_soon()

    def _tell_soon(self) -> None:
        if not self._telling:
            self._telling = True
            self.host.turn.at_end(self._tell)

    def _tell(self) -> None:
        """What one turn of the event loop brought is told together."""
        self._telling = False
        self._deliver()
        self.alarm.arm()

    def _deliver(self) -> None:
        if self._said:
            said, self._said = self._said, []
            self.audience.deliver(said, self.course.counts)

    def heal(self) -> None:
        """Read what is missing."""
        if not self.healing and not self.gone:
            self.healing = True
            self.log.heal(self.course.next, self._healed)

    def _healed(self, entries: list[Entry]) -> None:
        self.healing = False
        for entry in entries:
            self.receive(entry)
        for seq in [seq for seq in self._early if seq < self.course.next]:
            del self._early[seq]
        if self._early and not self._recovering:
            self.loop.call_later(0.05, self.heal)

    def _apply(self, entry: Entry, action: Any, own: bool) -> None:
        if not own and (sent := self.commands.heard(entry)) is not None:
            # It came this way before its answer did. Another process may have stored something
            # else under the same id: what counts is what the log says.
            own, action = True, sent.action if sent.data == entry.data else None
        try:
            self._said += self.course.apply(entry, action)
        except EngineFault:
            self._faulted(entry.seq)
            return
        if entry.kind in PRESENCE and self.course.stored_as(entry.seat, entry.cid) == entry.seq:
            self._deliver()  # first, because who loses a seat hears no more
            self.seatings.applied(entry, (entry.body() or {}).get("by", ""))
        self._look_up(entry.seq, entry.seq + 1, own)

    def _look_up(self, first: int, end: int, own: bool) -> None:
        """After entries: is it time for a snapshot, is the match over?"""
        if self._recovering:
            return  # what the state says is not to be believed
        until = -(first + self._shift) % SNAPSHOT_EVERY
        if own and until < end - first:
            self.log.snapshot(self.course.dump())
        if self.over is None and (outcome := self.course.outcome()) is not None:
            self.over = outcome
            self.host.is_over(self, own)

    def _faulted(self, seq: int) -> None:
        logger.exception("match %s: the rules failed at entry %d", self.id, seq)
        self._recover({seq})

    def tell_outages(self, urgent: bool = True) -> None:
        """Match time stood still while the site was down: say so before anything else."""
        last = self.course.state.origin + self.course.state.now
        missed = [outage for outage in self.host.pulse.outages if outage.end > last]
        if missed and self.over is None and not self.gone:
            start = missed[-1].start
            ms = sum(outage.end - max(outage.start, last) for outage in missed)
            self.commands.append(OUTAGE, None, f"!outage:{start}", b'{"ms":%d}' % ms, urgent)

    # -- faults and the end ----------------------------------------------------------------------

    def failed(self, what: str) -> None:
        """The rules raised outside of the log; the match ends, the log says why."""
        logger.exception("match %s: the rules failed at %s", self.id, what)
        if not self.over:
            self._abort()

    def _abort(self) -> None:
        self.commands.append(ABORT, None, "!abort", b'{"reason":"fault"}')

    def _recover(self, skipped: set[int]) -> None:
        """The state may be half changed: make it anew, without the entries that failed."""
        self._recovering = True
        self.host.spawn(self._made_anew(skipped, told=self.course.next - 1))

    async def _made_anew(self, skipped: set[int], told: int) -> None:
        entries = await self.log.read()
        while True:
            course = Course(entries[0], skipped)
            said: list[Said] = []
            try:
                for entry in entries[1:]:
                    new = course.apply(entry)
                    said += new if entry.seq > told else []
            except EngineFault as fault:
                skipped.add(fault.seq)
                continue
            break
        self._deliver()
        self.course = course
        self._recovering = False
        self.audience.deliver(said, course.counts)
        self._abort()
        early, self._early = self._early, {}
        for entry, action, own in early.values():
            self.receive(entry, action, own)
        if self.over is None and course.outcome() is not None:
            self.over = course.outcome()
            self.host.is_over(self, True)

    def lost(self) -> None:
        """Redis does not have the match any more."""
        if not self.gone:
            self._deliver()
            self.gone = True
            self.alarm.disarm()
            for tell in list(self.on_gone):
                tell()

    def look(self) -> None:
        """Compare with the log, and say again that this process hosts it: it may have been taken
        for dead, and others may host it since."""

        def told(hosts: int) -> None:
            self.shared = hosts > 1
            if self.shared:
                self.heal()

        self.log.hosted(self.host.pulse.process, self.audience.number(None), told)

    def close(self) -> None:
        self._deliver()
        self.alarm.close()
        self.audience.clear()
