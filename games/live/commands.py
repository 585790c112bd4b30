"""Commands of players, and of the runtime itself, on their way into a match's log."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from games.engine.errors import GameError
from games.live.bucket import Bucket
from games.live.counters import COUNTERS
from games.live.entry import ABORT, ACTION, Entry
from games.live.resp import Refused
from games.live.sent import STORED, OnDone, Sent, Submitted, refusal
from games.live.settings import SEAT_BURST, SEAT_RATE

if TYPE_CHECKING:
    from games.live.replica import Replica


class Commands:
    __slots__ = ("_buckets", "_looking", "replica", "sent")

    def __init__(self, replica: Replica) -> None:
        self.replica = replica
        self.sent: dict[tuple[int | None, str], Sent] = {}
        """Commands that are on their way to the log."""
        self._looking: dict[int, list[tuple[str, bytes, OnDone]]] = {}
        """Seats for which the log is looked at, and the commands that wait for that."""
        now = replica.loop.time()
        self._buckets = [Bucket(SEAT_RATE, SEAT_BURST, now) for _ in replica.course.setup.seats]

    def submit(
        self,
        seat: int,
        cid: str,
        raw: bytes,
        done: OnDone,
        now: float,
        limited: bool = True,
        looked: bool = False,
    ) -> None:
        """Check a command and store it. `done` is called once it is stored or refused; what it
        does to the match comes to the listeners, like everybody else's commands. `limited`: by the
        rate of the seat. `looked`: this process knows what is in the log."""
        name = seat, cid
        if limited and not self._buckets[seat].take(now):
            if not self._is_known(name, done):
                done(cid, refusal("rate_limited"))
            return
        if self._looking and not looked and (behind := self._looking.get(seat)) is not None:
            behind.append((cid, raw, done))
            return
        replica = self.replica
        course = replica.course
        if name in self.sent or cid in course.commands[seat]:
            self._is_known(name, done)
            return
        try:
            action, is_aid = course.parse(raw)
        except (msgspec.DecodeError, UnicodeDecodeError):
            done(cid, refusal("bad_action"))
            return
        except GameError as error:
            done(cid, Submitted(error.code, error.text))
            return
        if now < replica.alarm.due_at:
            # Else a timer is about to change things: the log will tell.
            try:
                course.game.check(course.state, seat, action, replica.host.pulse.at(now))
            except GameError as error:
                if looked:
                    COUNTERS.refused += 1
                    done(cid, Submitted(error.code, error.text))
                else:
                    self._looking[seat] = []
                    replica.host.spawn(self._look(seat, cid, raw, done))
                return
            except Exception:
                replica.failed("a check")
                done(cid, refusal("server_fault"))
                return
        # As `_store` does, without the call: this is done for every move.
        sent = self.sent[name] = Sent(self, name, ACTION, raw, None if is_aid else action, (done,))
        replica.log.act(seat, cid, raw, sent)

    async def act(self, seat: int, cid: str, raw: bytes) -> Submitted:
        """`submit` for players inside the site, who can wait: house bots, and the text protocols,
        which have limits of their own, so that a seat's limit never keeps one from leaving."""
        future, done = self._future()
        self.submit(seat, cid, raw, done, self.replica.loop.time(), limited=False)
        return await future

    def _future(self) -> tuple[asyncio.Future[Submitted], OnDone]:
        """For who can wait: the result, and what is to be called with it."""
        future: asyncio.Future[Submitted] = self.replica.loop.create_future()

        def done(cid: str, result: Submitted) -> None:
            if not future.done():
                future.set_result(result)

        return future, done

    def append(
        self, kind: str, seat: int | None, cid: str, data: bytes, urgent: bool = False
    ) -> None:
        """Store an entry of the runtime's own."""
        if not self._is_known((seat, cid), _nobody):
            self._store(kind, (seat, cid), data, _nobody, urgent=urgent)

    async def abort(self, cid: str, data: bytes) -> Submitted:
        """End the match without a result."""
        name, (future, done) = (None, cid), self._future()
        if not self._is_known(name, done):
            self._store(ABORT, name, data, done)
        return await future

    def heard(self, entry: Entry) -> Sent | None:
        """The log told of this entry: the command of ours that it is, if its answer has not come
        yet. Who waits for it is told."""
        sent = self.sent.pop((entry.seat, entry.cid), None)
        if sent is not None:
            sent.tell(STORED)
        return sent

    def _is_known(self, name: tuple[int | None, str], done: OnDone) -> bool:
        """Whether this command is stored already, or will be: then `done` is told so."""
        if self.replica.course.stored_as(*name) is not None:
            done(name[1], STORED)
            return True
        if (sent := self.sent.get(name)) is None:
            return False
        sent.waiting += (done,)
        return True

    async def _look(self, seat: int, cid: str, raw: bytes, done: OnDone) -> None:
        """A command that is illegal as far as this process knows. It may be stored already, or be
        legal after entries that have not been heard of yet: look at what is new in the log. What
        this seat sends meanwhile waits: it must not be stored first if this one turns out to be
        legal, now or when it is sent again."""
        replica = self.replica
        try:
            entries = await replica.log.read(replica.course.next)
        except Refused:
            done(cid, refusal("not_stored"))
        else:
            known = any(entry.seat == seat and entry.cid == cid for entry in entries)
            for entry in entries:
                replica.receive(entry)
            if known:
                done(cid, STORED)
            else:
                self.submit(seat, cid, raw, done, replica.loop.time(), False, looked=True)
        finally:
            behind = self._looking.pop(seat)
            while behind:
                self.submit(seat, *behind.pop(0), replica.loop.time(), limited=False)
                if (again := self._looking.get(seat)) is not None:
                    again += behind
                    break

    def _store(
        self,
        kind: str,
        name: tuple[int | None, str],
        data: bytes,
        done: OnDone,
        action: Any = None,
        urgent: bool = False,
    ) -> None:
        """Send an entry with a new command id to the log."""
        sent = self.sent[name] = Sent(self, name, kind, data, action, (done,))
        seat, cid = name
        self.replica.log.append(kind, seat, cid, data, sent, urgent)


def _nobody(cid: str, result: Submitted) -> None:
    """Nobody waits for this one."""
