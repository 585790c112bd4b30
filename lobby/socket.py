"""One page's socket to the lobby: greets, takes one request after another, relays notices."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import nullcontext
from typing import Any, Final
from weakref import WeakKeyDictionary

from redis.exceptions import RedisError

from games.access import Identity
from games.live.host import host
from games.live.lane import Limits, Link
from games.rate_limit import Bucket
from lobby import greeting, notices, presence, protocol, queue, rematch, requests
from lobby.chat.hearing import Hearing
from lobby.errors import LobbyError
from lobby.hub import Notice, hub
from lobby.outage import Outage
from lobby.people.watching import watching
from lobby.players import Player
from lobby.tickets import Ticket
from lobby.visitors import visitors

RATE, BURST = 5.0, 30.0
"""Messages per second of one socket, on average and at once."""
LIMITS: Final = Limits(message=2 * protocol.LONGEST, buffered=256 * 1024)
"""A message over the protocol's own limit is refused with a sentence; one over twice that closes
the socket."""
MOST_WAITING: Final = 32
"""Requests of one socket that wait for those before them."""
AT_ONCE: Final = 64
"""Requests of all sockets that are under way: thousands who ask in the same moment take turns, and
no request takes so long that it runs into a deadline."""
CLOSE_FORBIDDEN, CLOSE_TOO_FAST, CLOSE_RESTART, CLOSE_FAULT = 4003, 4009, 1012, 1011

logger = logging.getLogger(__name__)
OUTAGE: Final = Outage(logger, "lobby sockets wait")
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


def turn() -> asyncio.Semaphore:
    """Of the running event loop."""
    loop = asyncio.get_running_loop()
    found = _turns.get(loop)
    if found is None:
        found = _turns[loop] = asyncio.Semaphore(AT_ONCE)
    return found


class LobbySocket:
    __slots__ = (
        "__weakref__",
        "_addresses",
        "_bucket",
        "_early",
        "_followed",
        "_hearing",
        "_inbox",
        "_is_closed",
        "_is_deaf",
        "_link",
        "_moves",
        "_work",
        "address",
        "may_play",
        "player",
        "waiting",
        "who",
    )

    def __init__(
        self, who: Identity, player: Player | None, counts: bool, address: str = ""
    ) -> None:
        """Without a player it is a visitor's who has no account: it only hears the counts."""
        self.who = who
        self.player = player
        self.address = address
        self.may_play = player is not None and who.may_play
        self.waiting: str | None = None
        """The ticket that the client has been told about."""
        self._addresses = [notices.EVERYBODY]
        if counts:
            self._addresses.append(notices.COUNTS)
        if player is not None and player.user_id is not None:
            self._addresses.append(notices.user_group(player.user_id))
        self._followed: str | None = None
        """The address of the tournament that the page shows."""
        self._bucket = Bucket(RATE, BURST, asyncio.get_running_loop().time())
        self._early: list[Notice] | None = []
        """Notices that came before the greeting was said."""
        self._inbox: deque[protocol.Client] = deque()
        self._hearing: Hearing | None = None
        self._work: asyncio.Task[Any] | None = None
        self._is_deaf = False
        self._is_closed = False
        """Nothing that is still under way may listen to an address any more."""
        self._moves = False
        """Its client was asked to connect to another process."""
        self._link: Link

    async def serve(self, link: Link) -> None:
        self._link = link
        host().sockets.add(self, self.who)
        host().drain.add(self)
        for address in self._addresses:
            hub().add(address, self.hear)
        if self.player is not None:
            visitors().enter(self.player, self)
        self._work = host().spawn(self._greet())
        await link.detached()

    async def _greet(self) -> None:
        try:
            await hub().opened()  # what happens from now on is heard
            async with turn():
                told = await greeting.messages(self.player)
            for message in told:
                if message["type"] == "queued":
                    self.waiting = message["ticket"]
                self.say(message)
        except (RedisError, OSError) as error:
            OUTAGE.notice(error)
            self.refuse(LobbyError("unavailable"))
        except Exception:
            logger.exception("a page could not be greeted")
            self._link.close(CLOSE_FAULT)
        early, self._early = self._early or [], None
        for notice in early:
            self.hear(notice)
        await self._take_requests()

    # -- in --------------------------------------------------------------------------------------

    def on_message(self, data: bytes) -> None:
        if self._is_deaf:
            return
        if not self._bucket.take(asyncio.get_running_loop().time()):
            self.refuse(LobbyError("too_fast"))
            self._is_deaf = True
            self._link.close(CLOSE_TOO_FAST)
            return
        try:
            message = protocol.decode(data)
        except LobbyError as error:
            self.refuse(error)
            return
        if type(message) is protocol.Ping:
            # Nearly every message of thousands of idle pages: no task, and nothing to ask Redis.
            self.say({"type": "pong", "at": message.at, "now": host().heartbeat.now()})
            return
        if len(self._inbox) >= MOST_WAITING:
            self.refuse(LobbyError("too_fast"), str(message.__struct_config__.tag))
            return
        self._inbox.append(message)
        if self._work is None:
            self._work = host().spawn(self._take_requests())

    async def _take_requests(self) -> None:
        """One after the other, in the order in which they came."""
        while self._inbox:
            await self._take(self._inbox.popleft())
        self._work = None

    async def _take(self, message: protocol.Client) -> None:
        kind = str(message.__struct_config__.tag)
        try:
            async with nullcontext() if requests.may_take_long(message) else turn():
                if not self._is_closed:  # while it waited for its turn
                    await requests.carry_out(self, message)
        except LobbyError as error:
            self.refuse(error, kind)
        except (RedisError, OSError) as error:
            OUTAGE.notice(error)
            self.refuse(LobbyError("unavailable"), kind)
        except Exception:
            logger.exception("a request of type %s failed", kind)
            self._link.close(CLOSE_FAULT)

    # -- out -------------------------------------------------------------------------------------

    def say(self, message: dict[str, Any]) -> None:
        self._link.send(protocol.encode(message))

    def refuse(self, error: LobbyError, kind: str = "") -> None:
        self.say({"type": "error", **error.as_json(), **({"for": kind} if kind else {})})

    def tell_queued(self, ticket: Ticket) -> None:
        self.waiting = ticket.id
        self.say(greeting.queued_message(ticket))

    def hear(self, notice: Notice) -> None:
        """A notice to one of this socket's addresses."""
        if self._early is not None:
            self._early.append(notice)
            return
        kind = notice.message["type"]
        if kind in (notices.LOOK_AGAIN, "chat_muted") and self._hearing is not None:
            host().spawn(self._hearing.look_again())
        if kind == notices.LOOK_AGAIN:
            return
        if kind in ("matched", "unqueued"):
            self.waiting = None
        elif kind == "requeued":
            self.waiting = notice.message["ticket"]
        self._link.send(notice.data)

    def watch(self, on: bool) -> None:
        """Start or stop hearing which matches can be watched."""
        if self._is_closed:
            return
        if on and notices.WATCHERS not in self._addresses:
            hub().add(notices.WATCHERS, self.hear)
            self._addresses.append(notices.WATCHERS)
        elif not on and notices.WATCHERS in self._addresses:
            hub().remove(notices.WATCHERS, self.hear)
            self._addresses.remove(notices.WATCHERS)

    def follow(self, address: str | None) -> None:
        """Hear a tournament's news instead of the one's before; None: of none."""
        if self._is_closed:
            return
        if self._followed is not None:
            hub().remove(self._followed, self.hear)
            self._addresses.remove(self._followed)
        self._followed = address
        if address is not None:
            hub().add(address, self.hear)
            self._addresses.append(address)

    async def watch_people(self, on: bool) -> None:
        """Start or stop hearing who of those that the player follows is here."""
        watching().leave(self)
        if on and self.player is not None and self.player.user_id is not None:
            await watching().enter(self, self.player.user_id)
            if self._is_closed:  # meanwhile
                watching().leave(self)

    @property
    def hearing(self) -> Hearing:
        """The chat rooms that this page listens to; few pages have one."""
        assert self.player is not None
        if self._hearing is None:
            self._hearing = Hearing(self.player, self.say)
            if self._is_closed:
                self._hearing.close_all()
        return self._hearing

    # -- the end ---------------------------------------------------------------------------------

    def end_access(self) -> None:
        """The session or token ended, or the user was banned."""
        self._is_deaf = True
        self._link.close(CLOSE_FORBIDDEN)

    def ask_to_reconnect(self, after_ms: int) -> None:
        self._moves = True
        self.say({"type": "reconnect", "after_ms": after_ms})

    def stop_listening(self) -> None:
        self._is_deaf = True

    def send_away(self) -> None:
        self._moves = True
        self._link.close(CLOSE_RESTART)

    def on_close(self, code: int, reason: str) -> None:
        self._is_deaf = self._is_closed = True
        self._inbox.clear()
        host().sockets.remove(self)
        host().drain.remove(self)
        for address in self._addresses:
            hub().remove(address, self.hear)
        watching().leave(self)
        if self._hearing is not None:
            self._hearing.close_all()
        player = self.player
        # A client that moves to another process has not left: its ticket stays as it is.
        if player is not None and visitors().leave(player, self) and not self._moves:
            host().spawn(_gone(player))


async def _gone(player: Player) -> None:
    """The last page of this player in this process was closed; another process may have one."""
    try:
        # First of all: a player who left isn't matched. After a change of page the next one may
        # be here already.
        if player not in visitors():
            await queue.fade(player.identity)
        await presence.gone(player)
        await rematch.away(player.identity)
    except (RedisError, OSError):
        logger.debug("Redis left first")  # what this socket held expires by itself
