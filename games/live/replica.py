"""One match in this process: the log applied in order, events told to who listens, time kept."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any, Final

import msgspec

from games.engine.errors import GameError
from games.engine.game import ALL, Outcome, View, Viewer
from games.live.appends import AGAIN, APPENDED, EARLY, FAILED, GONE, OVER
from games.live.bucket import Bucket
from games.live.counters import COUNTERS
from games.live.course import PRESENCE, Course, EngineFault, Said
from games.live.entry import ABORT, ACTION, OUTAGE, TICK, Entry, from_hint
from games.live.log import Log
from games.live.seating import Seatings
from games.live.sent import OnDone, Sent, Submitted
from games.live.settings import SEAT_BURST, SEAT_RATE

if TYPE_CHECKING:
    from games.live.host import Host

HISTORY: Final = 256
"""Events kept for those who reconnect; who missed more gets a fresh view."""
SNAPSHOT_EVERY: Final = 500
TICK_RETRY: Final = 1.0

logger = logging.getLogger(__name__)

CODES: Final = {
    "match_over": "The match is over.",
    "rate_limited": "Too many moves at once; slow down.",
    "not_stored": "The move could not be stored; try again.",
    "match_gone": "The match is not there any more.",
    "server_fault": "The match had to be ended because of an error of the site.",
    "bad_action": "The action is not valid JSON.",
}


STORED: Final = Submitted()


def refusal(code: str) -> Submitted:
    return Submitted(code, CODES[code])


class Batch(msgspec.Struct, eq=False):
    """Events of one viewer that belong together; the first has number `first`."""

    first: int
    said: list[Said]
    _wire: bytes | None = None

    @property
    def messages(self) -> list[tuple[int, Said]]:
        """Each event with its number."""
        return list(enumerate(self.said, self.first))

    @property
    def wire(self) -> bytes:
        """JSON messages, with commas between; encoded once for all who listen."""
        wire = self._wire
        if wire is None:
            first, said = self.first, self.said
            wire = b'{"type":"event","n":%d%b' % (first, said[0].json)
            if len(said) > 1:
                rest = [
                    b'{"type":"event","n":%d%b' % (first + i, s.json) for i, s in enumerate(said)
                ]
                wire = b",".join(rest)
            self._wire = wire
        return wire


Listener = Callable[[Batch], None]


class Replica:
    """Made by `Host.join`, which counts who uses it."""

    def __init__(self, host: Host, log: Log, course: Course, hosts: int) -> None:
        self.id = log.id
        self.host = host
        self.log = log
        self.course = course
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
        self.history: deque[Said] = deque(maxlen=HISTORY)
        self._listeners: dict[Viewer, tuple[Listener, ...]] = {}
        self._audience: tuple[tuple[Viewer, tuple[Listener, ...]], ...] = ()
        """The same, as it is gone through: who hears may come and go meanwhile."""
        self.sent: dict[tuple[int | None, str], Sent] = {}
        """Commands that are on their way to the log."""
        self._looking: dict[int, list[tuple[str, bytes, OnDone]]] = {}
        """Seats for which the log is looked at, and the commands that wait for that."""
        self._early: dict[int, tuple[Entry, Any, bool]] = {}
        """Entries that came before their turn."""
        self._healing = False
        self._recovering = False
        self._due: int | None = None
        self._due_at = inf
        """The same in the loop's time."""
        self._wake: asyncio.TimerHandle | None = None
        self._wake_at = 0.0
        self._buckets: dict[int, Bucket] = {}
        self.loop = asyncio.get_running_loop()

    # -- who listens -----------------------------------------------------------------------------

    def attach(self, viewer: Viewer, listener: Listener) -> tuple[int, View]:
        """Hear every event of this viewer from now on; returns the number of the last event so
        far, and the view that contains it."""
        view = self.view(viewer)
        self._listeners[viewer] = (*self._listeners.get(viewer, ()), listener)
        self._audience = tuple(self._listeners.items())
        return self.course.count(viewer), view

    def detach(self, viewer: Viewer, listener: Listener) -> None:
        left = tuple(one for one in self._listeners.get(viewer, ()) if one != listener)
        if left:
            self._listeners[viewer] = left
        else:
            self._listeners.pop(viewer, None)
        self._audience = tuple(self._listeners.items())

    def listening(self, viewer: Viewer) -> int:
        return len(self._listeners.get(viewer, ()))

    def view(self, viewer: Viewer) -> View:
        try:
            return self.course.view(viewer)
        except Exception:
            self._failed("a view")
            raise

    def since(self, viewer: Viewer, last: int) -> Batch | None:
        """The events after number `last`, or None when they are not known any more."""
        count = self.course.count(viewer)
        missing = count - last
        if missing < 0:
            return None
        found: list[Said] = []
        if missing:
            for said in reversed(self.history):
                if viewer in said.to:
                    found.append(said)
                    if len(found) == missing:
                        break
        if len(found) < missing:
            return None
        found.reverse()
        return Batch(last + 1, found)

    def set_watchers(self, number: int) -> None:
        if number != self.watchers:
            self.watchers = number
            for tell in list(self.on_watchers):
                tell(number)

    # -- commands --------------------------------------------------------------------------------

    def submit(self, seat: int, cid: str, raw: bytes, done: OnDone) -> None:
        """Check a command and store it. `done` is called once it is stored or refused; what it
        does to the match comes to the listeners, like everybody else's commands."""
        bucket = self._buckets.get(seat)
        now = self.loop.time()
        if bucket is None:
            bucket = self._buckets[seat] = Bucket(SEAT_RATE, SEAT_BURST, now)
        if not bucket.take(now):
            done(refusal("rate_limited"))
        else:
            self._queue(seat, cid, raw, done, now)

    def _queue(self, seat: int, cid: str, raw: bytes, done: OnDone, now: float) -> None:
        if (behind := self._looking.get(seat)) is not None:
            behind.append((cid, raw, done))
        else:
            self._submit(seat, cid, raw, done, now)

    def _submit(self, seat: int, cid: str, raw: bytes, done: OnDone, now: float) -> None:
        course = self.course
        if self._is_known(seat, cid, done):
            return
        try:
            action, is_aid = course.parse(raw)
        except msgspec.DecodeError:
            done(refusal("bad_action"))
            return
        except GameError as error:
            done(Submitted(error.code, error.text))
            return
        if now < self._due_at:
            # Else a timer is about to change things: the log will tell.
            try:
                course.game.check(course.state, seat, action)
            except GameError as error:
                self._refuse_unless_stored(seat, cid, Submitted(error.code, error.text), done)
                return
            except Exception:
                self._failed("a check")
                done(refusal("server_fault"))
                return
        self._store(ACTION, seat, cid, raw, done, None if is_aid else action)

    async def act(self, seat: int, cid: str, raw: bytes) -> Submitted:
        """`submit` for players inside the site, who can wait: house bots, and the text protocols,
        which have limits of their own, so that a seat's limit never keeps one from leaving."""
        future: asyncio.Future[Submitted] = self.loop.create_future()

        def done(result: Submitted) -> None:
            if not future.done():
                future.set_result(result)

        self._queue(seat, cid, raw, done, self.loop.time())
        return await future

    def _is_known(self, seat: int | None, cid: str, done: OnDone) -> bool:
        """Whether this command is stored already, or will be: then `done` is told so."""
        if self.course.stored_as(seat, cid) is not None:
            done(STORED)
            return True
        if (sent := self.sent.get((seat, cid))) is None:
            return False
        sent.waiting.append(done)
        return True

    def _refuse_unless_stored(self, seat: int, cid: str, refused: Submitted, done: OnDone) -> None:
        """A command whose first copy is stored already is not illegal, though this process may not
        have heard of it: look at what is new in the log. What this seat sends meanwhile waits: it
        must not be stored first if this one is sent again and turns out to be legal."""
        behind = self._looking[seat] = []

        async def look() -> None:
            try:
                entries = await self.log.read(self.course.next)
                known = any(entry.seat == seat and entry.cid == cid for entry in entries)
                for entry in entries:
                    self.receive(entry)
                known = known or self.course.stored_as(seat, cid) is not None
                COUNTERS.refused += not known
                done(STORED if known else refused)
            finally:
                del self._looking[seat]
                while behind:
                    self._submit(seat, *behind.pop(0), self.loop.time())
                    if (again := self._looking.get(seat)) is not None:
                        again += behind
                        break

        self.host.spawn(look())

    def append(
        self, kind: str, seat: int | None, cid: str, data: bytes, urgent: bool = False
    ) -> None:
        """Store an entry of the runtime's own."""
        if not self._is_known(seat, cid, _nobody):
            self._store(kind, seat, cid, data, _nobody, urgent=urgent)

    def _store(
        self,
        kind: str,
        seat: int | None,
        cid: str,
        data: bytes,
        done: OnDone,
        action: Any = None,
        urgent: bool = False,
    ) -> None:
        """Send an entry with a new command id to the log."""
        course, known = self.course, self.course.next
        # An urgent entry overtakes what was sent before it, so it has nothing to expect.
        expected = -1 if urgent else known + len(self.sent)
        sent = Sent(self, kind, seat, cid, data, action, self.loop.time(), [done])
        self.sent[seat, cid] = sent
        self.log.append(kind, seat, cid, data, sent.answered, urgent, known, expected, course.t)

    def result(self, status: int) -> Submitted:
        """What a status means to who waits."""
        if status in (APPENDED, AGAIN):
            return STORED
        return refusal({OVER: "match_over", GONE: "match_gone"}.get(status, "not_stored"))

    def stored(
        self,
        status: int,
        seq: int,
        t: int,
        hosts: int,
        kind: str,
        seat: int | None,
        cid: str,
        data: bytes,
        action: Any = None,
    ) -> None:
        """The append script's answer to one of our own entries."""
        if status == APPENDED:
            if hosts > 1:
                self.shared = True
            self.receive(Entry(seq, t, kind, seat, cid, data), action, own=True)
        elif status == GONE:
            self.lost()
        elif status == FAILED or seq >= self.course.next:
            self.heal()

    # -- the log ---------------------------------------------------------------------------------

    def hint(self, raw: bytes) -> None:
        """Another process published something."""
        if raw[:1] == b"e":
            self.shared = True
            self.receive(from_hint(raw))
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
        said = self._apply(entry, action, own)
        early = self._early
        while early and (following := early.pop(self.course.next, None)) is not None:
            said += self._apply(*following)
        if said:
            self._deliver(said)
        self._arm()

    def heal(self) -> None:
        """Read what is missing."""
        if not self._healing and not self.gone:
            self._healing = True
            self.log.heal(self.course.next, self._healed)

    def _healed(self, entries: list[Entry]) -> None:
        self._healing = False
        for entry in entries:
            self.receive(entry)
        for seq in [seq for seq in self._early if seq < self.course.next]:
            del self._early[seq]
        if self._early and not self._recovering:
            self.loop.call_later(0.05, self.heal)

    def _apply(self, entry: Entry, action: Any, own: bool) -> list[Said]:
        if not own and (sent := self.sent.pop((entry.seat, entry.cid), None)) is not None:
            # It came this way before its answer did. Another process may have stored something
            # else under the same id: what counts is what the log says.
            own, action = True, sent.action if sent.data == entry.data else None
            for tell in sent.waiting:
                tell(STORED)
        try:
            said = self.course.apply(entry, action)
        except EngineFault:
            logger.exception("match %s: the rules failed at entry %d", self.id, entry.seq)
            self._recover({entry.seq})
            return []
        if entry.kind in PRESENCE:
            self.seatings.applied(entry, (entry.body() or {}).get("by", ""))
        if own and entry.seq % SNAPSHOT_EVERY == 0:
            self.log.snapshot(self.course.dump())
        if self.over is None and (outcome := self.course.outcome()) is not None:
            self.over = outcome
            self.host.is_over(self, own)
        return said

    def _deliver(self, said: list[Said]) -> None:
        self.history.extend(said)
        counts = self.course.counts
        batch: Batch | None = None
        to_all = len(said) == 1 and said[0].to is ALL
        for viewer, listeners in self._audience:
            mine = said
            if not to_all and any(viewer not in one.to for one in said):
                mine = [one for one in said if viewer in one.to]
                if not mine:
                    continue
            first = counts[-1 if viewer is None else viewer] - len(mine) + 1
            # Viewers who hear the same under the same numbers share one batch, and its bytes.
            if batch is None or batch.said is not mine or batch.first != first:
                batch = Batch(first, mine)
            for listener in listeners:
                listener(batch)

    # -- faults ----------------------------------------------------------------------------------

    def _failed(self, what: str) -> None:
        """The rules raised outside of the log; the match ends, the log says why."""
        logger.exception("match %s: the rules failed at %s", self.id, what)
        if not self.over:
            self._abort()

    def _abort(self) -> None:
        self.append(ABORT, None, "!abort", b'{"reason":"fault"}')

    def _recover(self, skipped: set[int]) -> None:
        """The state may be half changed: make it anew, without the entries that failed."""
        self._recovering = True
        told = self.course.next - 1

        async def again() -> None:
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
            self.course = course
            self._recovering = False
            self._deliver(said)
            self._abort()
            for entry, action, own in list(self._early.values()):
                self.receive(entry, action, own)
            if self.over is None and course.outcome() is not None:
                self.over = course.outcome()
                self.host.is_over(self, True)

        self.host.spawn(again())

    def lost(self) -> None:
        """Redis does not have the match any more."""
        if not self.gone:
            self.gone = True
            self._disarm()
            for tell in list(self.on_gone):
                tell()

    # -- time ------------------------------------------------------------------------------------

    def _arm(self) -> None:
        """Sleep until the next timer is due; a timer that moved on is looked at when it rings."""
        try:
            due = self.course.due()
        except Exception:
            self._failed("a timer")
            return
        if due == self._due and self._wake is not None:
            return
        self._due = due
        if due is None or self.over is not None:
            self._due_at = inf
            return
        self._due_at = self.loop.time() + max(0, due - self.host.pulse.now()) / 1000
        if self._wake is None or self._due_at < self._wake_at:
            self._disarm()
            self._ring_at(self._due_at)

    def _ring_at(self, at: float) -> None:
        self._wake_at = at
        self._wake = self.loop.call_at(at, self._ring)

    def rearm(self) -> None:
        self._disarm()
        self._arm()

    def _ring(self) -> None:
        self._wake = None
        due = self._due
        if due is None or self.over is not None or self.gone or self.host.pulse.suspended:
            return
        if self.host.pulse.now() < due:
            self._arm()
            return
        # One at a time: the answer, or the next entry, arms the clock again.
        self._ring_at(self.loop.time() + TICK_RETRY)
        self.log.tick(self.course.next - 1, due, self._ticked)

    def _ticked(self, status: int, seq: int, t: int, hosts: int) -> None:
        if status == FAILED:
            return
        self._disarm()
        if status == EARLY and self._due is not None:
            self._ring_at(self.loop.time() + max(1, self._due - t) / 1000)
            return
        self.stored(status, seq, t, hosts, TICK, None, "", b"")
        if self._wake is None and not self._healing:
            self._arm()

    def _disarm(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None

    def tell_outages(self, urgent: bool = True) -> None:
        """Match time stood still while the site was down: say so before anything else."""
        last = self.course.state.origin + self.course.state.now
        missed = [outage for outage in self.host.pulse.outages if outage.end > last]
        if missed and self.over is None and not self.gone:
            start = missed[-1].start
            ms = sum(outage.end - max(outage.start, last) for outage in missed)
            self.append(OUTAGE, None, f"!outage:{start}", b'{"ms":%d}' % ms, urgent)

    # -- the end ---------------------------------------------------------------------------------

    def close(self) -> None:
        self._disarm()
        self._listeners.clear()
        self._audience = ()

    @property
    def due(self) -> int | None:
        return self._due


def _nobody(result: Submitted) -> None:
    """Nobody waits for this one."""
