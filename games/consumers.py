"""`/ws/match/<id>/`: authorise, decode, submit, relay. No rules and no Redis here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, MutableMapping
from typing import Any

import msgspec

from games.live import log_context, protocol
from games.live.access import BadToken, Identity, identify
from games.live.archived import archived_view
from games.live.audience import Batch
from games.live.bucket import Bucket
from games.live.counters import COUNTERS
from games.live.entry import DROP, LEAVE
from games.live.host import Host, NoSuchMatch, UnknownRules, host
from games.live.lane import Limits, Link, open_link
from games.live.protocol import ERRORS, Act, Close, decode, encode, is_command_id
from games.live.replica import Replica
from games.live.seating import Seating
from games.live.sent import STORED, Submitted
from games.live.settings import IDLE_SECONDS, SOCKET_BURST, SOCKET_RATE

HELLO_WITHIN = 10.0
WAITING = 64
"""Messages that may wait for the match to be loaded."""
LIMITS = Limits(message=8 * 1024, buffered=256 * 1024, idle=IDLE_SECONDS)

logger = logging.getLogger(__name__)


class MatchSocket:
    """One socket: a player at a seat, or a spectator."""

    __slots__ = (
        "_bucket",
        "_deaf",
        "_early",
        "_flushing",
        "_host",
        "_left",
        "_link",
        "_loop",
        "_match_id",
        "_out",
        "_replica",
        "_seat",
        "_seating",
        "_timer",
        "_who",
    )

    def __init__(self, here: Host, match_id: str, who: Identity) -> None:
        self._host = here
        self._match_id = match_id
        self._who = who
        self._loop = asyncio.get_running_loop()
        self._bucket = Bucket(SOCKET_RATE, SOCKET_BURST, self._loop.time())
        self._link: Link
        self._replica: Replica | None = None
        self._seat: int | None = None
        self._seating: Seating | None = None
        self._early: list[bytes] | None = None
        self._out: list[bytes] = []
        self._flushing = False
        self._left = False
        self._deaf = False
        self._timer: asyncio.TimerHandle | None = self._loop.call_later(
            HELLO_WITHIN, self._fail, "hello_first", Close.NOT_UNDERSTOOD
        )

    async def serve(self, link: Link) -> None:
        self._link = link
        self._host.door.enter(self, self._who, self._no_access)
        self._host.departure.enter(self)
        await link.detached()

    # -- out -------------------------------------------------------------------------------------

    def _say(self, message: bytes) -> None:
        """All that is said in one turn of the event loop leaves in one frame."""
        self._out.append(message)
        if not self._flushing:
            self._flushing = True
            self._host.turn.at_last(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        out = self._out
        if out:
            self._link.send(b"[%b]" % (out[0] if len(out) == 1 else b",".join(out)))
            out.clear()

    def _close(self, code: int, reason: str = "") -> None:
        self._flush()
        self._link.close(code, reason)

    def _fail(self, error: str, code: int) -> None:
        self._say(encode(protocol.Error(error, ERRORS[error])))
        self._close(code, error)

    def _no_access(self) -> None:
        self._fail("no_access", Close.NO_ACCESS)

    def _hear(self, batch: Batch) -> None:
        # As `_say` does, without the call: this is done twice and more for every move.
        self._out.append(batch.wire)
        if not self._flushing:
            self._flushing = True
            self._host.turn.at_last(self._flush)

    def _taken_over(self) -> None:
        self._seating = None
        self._host.departure.arrived(self)
        self._say(encode(protocol.TakenOver()))
        self._close(Close.TAKEN_OVER, "taken over")

    def _gone(self) -> None:
        self._fail("match_gone", Close.NO_MATCH)

    def _watchers(self, number: int) -> None:
        self._say(encode(protocol.Spectators(number)))

    # -- this process stops ----------------------------------------------------------------------

    def ask_to_reconnect(self, after_ms: int) -> None:
        self._say(encode(protocol.Reconnect(after_ms)))

    def hear_no_more(self) -> None:
        self._deaf = True

    def send_away(self) -> None:
        self._close(Close.RESTART, "server restarts")

    # -- in --------------------------------------------------------------------------------------

    def on_message(self, data: bytes) -> None:
        if self._deaf:
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
        if type(message) is not Act:
            self._handle(message, now)
            return
        replica, seat, cid = self._replica, self._seat, message.id
        if not (cid.isascii() and cid.isalnum()) and not is_command_id(cid):
            self._fail("not_understood", Close.NOT_UNDERSTOOD)
            return
        if replica is None:
            self._fail("hello_first", Close.NOT_UNDERSTOOD)
            return
        # After the end nobody has a seat, but who sends again what was not answered is still told.
        if seat is None or (self._seating is None and replica.over is None):
            refused = protocol.Refused(cid, "not_a_player", ERRORS["not_a_player"])
            self._say(encode(refused))
            return
        replica.commands.submit(seat, cid, bytes(message.action), self._done, now)

    def _handle(self, message: protocol.Incoming, now: float) -> None:
        """All but moves."""
        if type(message) is protocol.Ping:
            self._say(encode(protocol.Pong(message.at, self._host.pulse.at(now))))
        elif type(message) is protocol.Hello:
            self._hello(message)
        elif self._seating is not None:
            self._replica.seatings.stand(self._seating, LEAVE)  # type: ignore[union-attr]
            self._seating = None

    def _done(self, cid: str, result: Submitted) -> None:
        if result is not STORED:
            self._say(encode(protocol.Refused(cid, result.code, result.text)))
            return
        # As `_say` does, without the call: this is done for every move.
        self._out.append(b'{"type":"ack","id":"%b"}' % cid.encode())
        if not self._flushing:
            self._flushing = True
            self._host.turn.at_last(self._flush)

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
        setup = replica.course.setup
        if self._who.user_id is not None and self._who.may_play:
            seats = [i for i, s in enumerate(setup.seats) if s.user_id == self._who.user_id]
            self._seat = seats[0] if seats else None
        now, watchers = self._host.pulse.now(), replica.watchers
        again = self._seat is not None and since is not None and replica.over is None
        if again and replica.seatings.taken_after(self._seat, since):
            self._taken_over()
            return
        self._say(encode(protocol.welcome(replica.id, setup, self._seat, now, watchers)))
        missed = None if last is None else replica.since(self._seat, last)
        number, view = replica.attach(self._seat, self._hear)
        replica.on_gone.append(self._gone)
        replica.on_watchers.append(self._watchers)
        if missed is None:
            COUNTERS.resyncs += last is not None
            self._say(encode(protocol.View(number, view)))
        elif missed.said:
            self._say(missed.wire)
        if self._seat is None:
            self._host.watchers_changed(replica)
        elif replica.over is None:
            self._seating = replica.seatings.sit(
                self._seat, self._taken_over, now if since is None else since
            )

    async def _show_archived(self) -> None:
        """A match that is only in the archive: its final view, then good-bye."""
        found = await archived_view(self._match_id, self._who.user_id)
        if found is None:
            self._fail("no_match", Close.NO_MATCH)
            return
        for message in found:
            self._say(encode(message))
        self._close(Close.OVER, "over")

    # -- the end ---------------------------------------------------------------------------------

    def on_close(self, code: int, reason: str) -> None:
        self._left = True
        COUNTERS.slow += code == Close.TOO_SLOW
        COUNTERS.limited += code == Close.TOO_MANY
        self._host.door.left(self)
        self._host.departure.left(self, arrived=self._seating is None)
        if self._timer is not None:
            self._timer.cancel()
        replica = self._replica
        if replica is None:
            return
        replica.detach(self._seat, self._hear)
        if self._gone in replica.on_gone:
            replica.on_gone.remove(self._gone)
            replica.on_watchers.remove(self._watchers)
        # In a stop the player is about to take the seat elsewhere: only who has not done so by the
        # end of this process is dropped, and has the usual time to return from then on.
        if self._seating is not None and not self._host.departure.begun:
            replica.seatings.stand(self._seating, DROP)
        if self._seat is None:
            self._host.watchers_changed(replica)
        self._host.leave(replica)


async def match_consumer(
    scope: MutableMapping[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
) -> None:
    """The ASGI application behind the address; `scope` comes from Channels' stack."""
    match_id = scope["url_route"]["kwargs"]["match_id"]
    log_context.match_id.set(match_id)  # for the log lines of this socket's task
    await receive()  # websocket.connect
    try:
        who = await identify(scope)
    except BadToken:
        await send({"type": "websocket.close", "code": Close.NO_ACCESS})
        return
    socket = MatchSocket(host(), match_id, who)
    await send({"type": "websocket.accept"})
    await socket.serve(open_link(scope, receive, send, socket.on_message, socket.on_close, LIMITS))
