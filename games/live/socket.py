"""One socket of a match: a player at a seat, or a spectator. Decodes, submits, relays."""

from __future__ import annotations

import asyncio
import logging

import msgspec
from django.conf import settings

from games.access import Identity
from games.analysing.asking import NotReady
from games.engine.game import View
from games.live import protocol
from games.live.archived import archived_view
from games.live.broadcast import Batch
from games.live.counters import COUNTERS
from games.live.entry import DROP, LEAVE
from games.live.host import Host, NoSuchMatch, UnknownRules
from games.live.lane import Limits, Link
from games.live.protocol import ERRORS, Act, Close, decode, encode, is_command_id
from games.live.replica import Replica
from games.live.row import STORED, Result
from games.live.seats import Connection
from games.rate_limit import Bucket

SOCKET_RATE = float(settings.LIVE_SOCKET_RATE)
"""Messages per second of one socket, on average."""
SOCKET_BURST = float(settings.LIVE_SOCKET_BURST)
HELLO_WITHIN = 10.0
WAITING = 64
"""Messages that may wait for the match to be loaded."""
LIMITS = Limits(message=8 * 1024, buffered=256 * 1024, idle=float(settings.LIVE_IDLE_SECONDS))

logger = logging.getLogger(__name__)


class MatchSocket:
    __slots__ = (
        "_bucket",
        "_connection",
        "_early",
        "_host",
        "_left",
        "_link",
        "_listening",
        "_loop",
        "_match_id",
        "_out",
        "_outbox",
        "_replica",
        "_seat",
        "_timer",
        "_who",
    )

    def __init__(self, here: Host, match_id: str, who: Identity) -> None:
        self._host = here
        self._outbox = here.outbox
        self._match_id = match_id
        self._who = who
        self._loop = asyncio.get_running_loop()
        self._bucket = Bucket(SOCKET_RATE, SOCKET_BURST, self._loop.time())
        self._link: Link
        self._replica: Replica | None = None
        self._seat: int | None = None
        self._connection: Connection | None = None
        """The hold of the seat, while this socket has it."""
        self._early: list[bytes] | None = None
        """Messages that came while the match was loaded."""
        self._out: list[bytes] = []
        self._left = False
        self._listening = True
        self._timer: asyncio.TimerHandle | None = None
        """Runs until hello comes."""

    def open(self, link: Link) -> None:
        self._link = link
        self._timer = self._loop.call_later(
            HELLO_WITHIN, self._fail, "hello_first", Close.NOT_UNDERSTOOD
        )
        self._host.sockets.add(self, self._who)
        self._host.drain.add(self, self._match_id)

    # -- out -------------------------------------------------------------------------------------

    def _send(self, message: bytes) -> None:
        """All messages of one turn of the event loop leave in one frame."""
        if not self._out:
            self._outbox.add(self)
        self._out.append(message)

    def flush(self) -> None:
        out = self._out
        if out:
            self._link.send(b"[%b]" % (out[0] if len(out) == 1 else b",".join(out)))
            out.clear()

    def _close(self, code: int, reason: str = "") -> None:
        self.flush()
        self._link.close(code, reason)

    def _fail(self, error: str, code: int) -> None:
        self._send(encode(protocol.Error(error, ERRORS[error])))
        self._close(code, error)

    def end_access(self) -> None:
        self._fail("no_access", Close.NO_ACCESS)

    def _done(self, cid: str, result: Result) -> None:
        """A command of this client has its result."""
        if result is STORED:
            self._send(b'{"type":"ack","id":"%b"}' % cid.encode())
        else:
            self._send(encode(protocol.Refused(cid, result.code, result.text)))

    def _taken_over(self) -> None:
        self._connection = None
        self._host.drain.arrived(self)
        self._send(encode(protocol.TakenOver()))
        self._close(Close.TAKEN_OVER, "taken over")

    # -- as a member of the match ----------------------------------------------------------------

    def receive(self, batch: Batch) -> None:
        self._send(batch.wire)

    def match_gone(self) -> None:
        self._fail("match_gone", Close.NO_MATCH)

    def must_resync(self, number: int, view: View) -> None:
        self._send(encode(protocol.View(number, view)))

    def spectators_changed(self, number: int) -> None:
        self._send(encode(protocol.Spectators(number)))

    def match_archived(self) -> None:
        self._send(encode(protocol.Archived()))

    # -- while the process drains ----------------------------------------------------------------

    def ask_to_reconnect(self, after_ms: int) -> None:
        self._send(encode(protocol.Reconnect(after_ms)))

    def stop_listening(self) -> None:
        self._listening = False

    def send_away(self) -> None:
        self._close(Close.RESTART, "server restarts")

    # -- in --------------------------------------------------------------------------------------

    def on_message(self, data: bytes) -> None:
        if not self._listening:
            return
        now = self._loop.time()
        if not self._bucket.take(now):
            self._fail("rate_limited", Close.TOO_MANY)
            return
        if self._early is not None:
            self._early.append(data)
            if len(self._early) > WAITING:
                self._fail("rate_limited", Close.TOO_MANY)
            return
        try:
            message = decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._fail("not_understood", Close.NOT_UNDERSTOOD)
            return
        if type(message) is Act:
            self._act(message, now)
        elif type(message) is protocol.Ping:
            self._send(encode(protocol.Pong(message.at, self._now())))
        elif type(message) is protocol.Hello:
            self._hello(message)
        elif self._connection is not None:
            # A connection has a replica.
            self._replica.seats.give_up(self._connection, LEAVE)  # type: ignore[union-attr]
            self._connection = None

    def _now(self) -> int:
        replica = self._replica
        if replica is None:
            return self._host.heartbeat.now()
        return replica.now() - (replica.spectator_delay if self._seat is None else 0)

    def _act(self, message: Act, now: float) -> None:
        replica, seat, cid = self._replica, self._seat, message.id
        if not is_command_id(cid):
            self._fail("not_understood", Close.NOT_UNDERSTOOD)
        elif replica is None:
            self._fail("hello_first", Close.NOT_UNDERSTOOD)
        elif seat is None or (self._connection is None and replica.over is None):
            # After the end nobody has a seat, but a client that sends a command again is answered.
            refused = protocol.Refused(cid, "not_a_player", ERRORS["not_a_player"])
            self._send(encode(refused))
        else:
            replica.submit(seat, cid, bytes(message.action), self._done, now)

    def _hello(self, message: protocol.Hello) -> None:
        if self._timer is None:
            self._fail("hello_again", Close.NOT_UNDERSTOOD)
            return
        self._timer.cancel()
        self._timer = None
        if message.version != protocol.VERSION:
            self._fail("version", Close.NOT_UNDERSTOOD)
            return
        self._early = []
        self._host.spawn(self._join(message.last, message.since))

    async def _join(self, last: int | None, since: int | None) -> None:
        try:
            replica = await self._host.join(self._match_id)
        except NoSuchMatch:
            await self._show_archived()
            return
        except UnknownRules:
            self._fail("unknown_rules", Close.UNKNOWN_RULES)
            return
        except Exception:
            logger.exception("match %s cannot be loaded", self._match_id)
            self._fail("server_fault", Close.FAULT)
            return
        if self._left:
            self._host.leave(replica)
            return
        self._replica = replica
        try:
            self._enter(replica, last, since)
        except Exception:
            logger.exception("match %s cannot be shown", self._match_id)
            self._fail("server_fault", Close.FAULT)
            return
        early, self._early = self._early or [], None
        for data in early:
            self.on_message(data)

    def _enter(self, replica: Replica, last: int | None, since: int | None) -> None:
        setup = replica.state.setup
        if self._who.user_id is not None and self._who.may_play:
            seats = [i for i, s in enumerate(setup.seats) if s.user_id == self._who.user_id]
            self._seat = seats[0] if seats else None
        now, seat = self._now(), self._seat
        if seat is None and replica.is_withheld:
            self._fail("withheld", Close.NO_ACCESS)
            return
        if (
            seat is not None
            and since is not None
            and replica.over is None
            and replica.seats.taken_after(seat, since)
        ):
            self._taken_over()
            return
        delay = replica.spectator_delay if seat is None else 0
        self._send(
            encode(protocol.welcome(replica.id, setup, seat, now, replica.spectators, delay))
        )
        missed = None if last is None else replica.since(seat, last)
        number, view = replica.attach(seat, self)
        if missed is None:
            COUNTERS.resyncs += last is not None
            self._send(encode(protocol.View(number, view)))
        elif missed.events:
            self._send(missed.wire)
        if seat is None:
            self._host.spectators.changed(replica)
        elif replica.over is None:
            self._connection = replica.seats.take(
                seat, self._taken_over, now if since is None else since
            )

    async def _show_archived(self) -> None:
        """A match that is only in the archive: its final view, then good-bye."""
        try:
            found = await archived_view(self._match_id, self._who.user_id)
        except UnknownRules:
            self._fail("unknown_rules", Close.UNKNOWN_RULES)
            return
        except NotReady:
            self._fail("archive_busy", Close.RESTART)
            return
        if found is None:
            self._fail("no_match", Close.NO_MATCH)
            return
        for message in found:
            self._send(encode(message))
        self._close(Close.OVER, "over")

    # -- the end ---------------------------------------------------------------------------------

    def on_close(self, code: int, reason: str) -> None:
        self._left = True
        COUNTERS.slow += code == Close.TOO_SLOW
        COUNTERS.limited += code == Close.TOO_MANY
        self._host.sockets.remove(self)
        self._host.drain.remove(self, arrived=self._connection is None)
        if self._timer is not None:
            self._timer.cancel()
        replica = self._replica
        if replica is None:
            return
        replica.detach(self._seat, self)
        # While the process drains, the player is about to take the seat elsewhere. Players who
        # haven't when it stops are dropped, and then have the usual time to return.
        if self._connection is not None and not self._host.drain.has_begun:
            replica.seats.give_up(self._connection, DROP)
        if self._seat is None:
            self._host.spectators.changed(replica)
        self._host.leave(replica)
