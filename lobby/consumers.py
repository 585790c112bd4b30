"""`/ws/lobby/`: decodes, calls one service, answers. No rule of the lobby is in here."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.urls import reverse
from msgspec.structs import replace
from redis.exceptions import RedisError

from accounts.models import Token, User
from games.live.access import BadToken, Identity, identify
from games.live.bucket import Bucket
from games.live.host import host
from lobby import (
    blocks,
    board,
    challenges,
    creation,
    invitations,
    maintenance,
    matchmaker,
    notices,
    playing,
    presence,
    protocol,
    queue,
    ratings,
    rematch,
    solo,
)
from lobby.errors import LobbyError
from lobby.pairing import offers
from lobby.players import Player, player_of
from lobby.store import now_ms
from lobby.tickets import Matched, Ticket

RATE, BURST = 5.0, 30.0
"""Messages per second of one socket, on average and at once."""

PULSE_SECONDS = 4.0
CLOSE_FORBIDDEN, CLOSE_TOO_FAST, CLOSE_RESTART = 4003, 4009, 1012

logger = logging.getLogger(__name__)


async def _may_play(who: Identity) -> bool:
    if who.token_id is None:
        return True
    token = await Token.objects.filter(pk=who.token_id).afirst()
    return token is not None and token.may("play")


class LobbyConsumer(AsyncWebsocketConsumer):
    player: Player | None = None
    waiting: str | None = None
    """The ticket that this socket has told its client about."""
    _pulse: asyncio.Task[None] | None = None

    # -- life ------------------------------------------------------------------------------------

    async def connect(self) -> None:
        await self.accept()
        try:
            who, user = await self._visitor()
        except LobbyError as error:
            await self._refuse(error)
            await self.close(CLOSE_FORBIDDEN)
            return
        self.bucket = Bucket(RATE, BURST, time.monotonic())
        self.may_play = await _may_play(who)
        self.player = player_of(user, ratings=await ratings.of_user(user.pk))
        host().door.enter(self, who, self._put_out)
        host().departure.enter(self)
        for group in (notices.EVERYBODY, notices.user_group(user.pk)):
            await self.channel_layer.group_add(group, self.channel_name)
        await presence.seen(self.player)
        await self._greet(self.player)
        self._pulse = asyncio.create_task(self._keep_alive(self.player))

    async def _visitor(self) -> tuple[Identity, User]:
        try:
            who = await identify(self.scope)
        except BadToken:
            raise LobbyError("bad_token") from None
        user = await User.objects.filter(pk=who.user_id, is_active=True).afirst()
        if user is None:
            raise LobbyError("sign_in_first", guest_url=reverse("accounts:guest"))
        return who, user

    def _put_out(self) -> None:
        """The session or token ended, or the user was banned."""
        self._closing = asyncio.ensure_future(self.close(CLOSE_FORBIDDEN))

    def ask_to_reconnect(self, after_ms: int) -> None:
        self._in_background(self._say({"type": "reconnect", "after_ms": after_ms}))

    def hear_no_more(self) -> None:
        pass  # every answer here is a hint that the next connection repeats

    def send_away(self) -> None:
        self._in_background(self.close(CLOSE_RESTART))

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """The socket may be gone already, which is no news."""

        async def run() -> None:
            with contextlib.suppress(RuntimeError, OSError):
                await work

        host().spawn(run())

    async def disconnect(self, code: int) -> None:
        if self._pulse is not None:
            self._pulse.cancel()
        if self.player is None:
            return
        host().door.left(self)
        host().departure.left(self)
        try:
            await self._leave(self.player)
        except (RedisError, OSError):
            logger.debug("Redis left first")  # what this socket held expires by itself

    async def _leave(self, player: Player) -> None:
        for group in (
            notices.EVERYBODY,
            notices.WATCHERS,
            notices.user_group(player.user_id or 0),
        ):
            await self.channel_layer.group_discard(group, self.channel_name)
        await presence.gone(player)
        await rematch.away(player.identity)
        ticket = await self._ticket(player)
        if ticket is not None:
            # A change of page comes back within a moment; a closed one should not be matched.
            await queue.fade(ticket.id)

    async def _greet(self, player: Player) -> None:
        """Everything that concerns this player: a reload or another device loses nothing."""
        await self._say(
            {
                "type": "hello",
                "version": protocol.VERSION,
                "now": await now_ms(),
                "you": {"name": player.name, "kind": player.kind, "ratings": player.ratings},
                "queues_open": not await maintenance.queues_closed(),
                "bot_offer_seconds": settings.BOT_OFFER_SECONDS,
                **await self._numbers(),
            }
        )
        match_id = await playing.match_of(player.identity)
        if match_id is not None:
            url = creation.url_of(match_id)
            await self._say({"type": "return", "match": match_id, "url": url})
        ticket = await self._ticket(player)
        if ticket is not None:
            await queue.refresh(ticket.id)
            await self._queued(ticket)
            if offers([ticket], await now_ms(), matchmaker.config()):
                await self._say({"type": "bot_offer", "ticket": ticket.id})
        for challenge in await challenges.open_for(player.identity):
            await self._say(challenge.as_message())
        for invitation in await invitations.with_seat(player.identity):
            # A page that was loading when the match began learns it here.
            if invitation.status == "open" or invitation.match == match_id:
                await self._say((await invitations.look(invitation.token)).as_message())
        offer = await rematch.offer_for(player.identity)
        if offer is not None:
            await self._say(offer.as_message())

    async def _numbers(self) -> dict[str, Any]:
        told = await board.last("presence") or {}
        return {key: value for key, value in told.items() if key != "type"}

    async def _keep_alive(self, player: Player) -> None:
        """As long as the socket is open, its player is here and keeps the place in the queue."""
        while True:
            await asyncio.sleep(PULSE_SECONDS)
            try:
                await presence.seen(player)
                await self._look_after_ticket(player)
            except (RedisError, OSError):
                logger.warning("the lobby's Redis does not answer")

    async def _ticket(self, player: Player) -> Ticket | None:
        """The ticket that this user's sockets hold. A text connection holds its own."""
        ticket = await queue.ticket_of(player.identity)
        return None if ticket is None or ticket.player.text else ticket

    async def _look_after_ticket(self, player: Player) -> None:
        ticket = await self._ticket(player)
        if ticket is not None:
            await queue.refresh(ticket.id)
            if ticket.id != self.waiting:
                await self._queued(ticket)
        elif self.waiting is not None:
            await self._tell_what_became_of(self.waiting)

    async def _tell_what_became_of(self, ticket_id: str) -> None:
        """The hint that told of the match, or of the end, may be lost."""
        matched = await queue.result(ticket_id)
        if matched is None and await queue.becomes_a_match(ticket_id):
            return  # soon
        self.waiting = None
        if matched is None:
            await self._say({"type": "unqueued", "reason": "expired"})
        elif matched.failed:
            await self._refuse(LobbyError(matched.failed))
        else:
            await self._say(creation.matched_message(matched))

    # -- what comes in ---------------------------------------------------------------------------

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.player is None:
            return
        if not self.bucket.take(time.monotonic()):
            await self._refuse(LobbyError("too_fast"))
            await self.close(CLOSE_TOO_FAST)
            return
        kind = ""
        try:
            message = protocol.decode(text_data if text_data is not None else bytes_data or b"")
            kind = str(message.__struct_config__.tag)
            if not self.may_play and not isinstance(message, protocol.Watch | protocol.Ping):
                raise LobbyError("read_only_token")
            await self._handlers[type(message)](self, self.player, message)
        except LobbyError as error:
            await self._refuse(error, kind)
        except (RedisError, OSError):
            logger.warning("the lobby's Redis does not answer")
            await self._refuse(LobbyError("unavailable"), kind)

    async def _queue(self, player: Player, message: protocol.Queue) -> None:
        wishes = [wish.wish() for wish in message.wishes]
        known = replace(player, ratings=await ratings.of_user(player.user_id))
        ticket = await queue.join(known, wishes, bots="now" if message.bot else "ask")
        await self._queued(ticket)
        if message.bot:
            await matchmaker.pair_now()

    async def _unqueue(self, player: Player, message: protocol.Unqueue) -> None:
        ticket = await self._ticket(player)
        if ticket is None or not await queue.leave(ticket.id):
            raise LobbyError("not_queued")

    async def _bot(self, player: Player, message: protocol.Bot) -> None:
        ticket = await self._ticket(player)
        if ticket is None:
            raise LobbyError("not_queued")
        await self._queued(await queue.accept_bot(ticket.id))
        await matchmaker.pair_now()

    async def _again(self, player: Player, message: protocol.Again) -> None:
        before = await rematch.get(message.match)
        offer = await rematch.answer_as(message.match, player.identity, message.yes)
        if offer == before:
            await self._say(offer.as_message())

    async def _challenge(self, player: Player, message: protocol.Challenge) -> None:
        await challenges.send(player, message.to, message.mode, message.options, message.rated)

    async def _answer(self, player: Player, message: protocol.ChallengeAnswer) -> None:
        await challenges.answer(player, message.id, message.yes)

    async def _cancel(self, player: Player, message: protocol.ChallengeCancel) -> None:
        await challenges.cancel(player, message.id)

    async def _invite(self, player: Player, message: protocol.Invite) -> None:
        await invitations.create(player, message.mode, message.options, message.size)

    async def _take_seat(self, player: Player, message: protocol.InviteTake) -> None:
        before = await invitations.get(message.token)
        after = await invitations.take(player, message.token)
        if after == before:
            await self._say(after.as_message())

    async def _leave_seat(self, player: Player, message: protocol.InviteLeave) -> None:
        await invitations.leave(player, message.token)

    async def _solo(self, player: Player, message: protocol.Solo) -> None:
        mode = message.mode or solo.usual_mode()
        match_id = await solo.start(player, message.options, mode)
        me = {"name": player.name, "kind": player.kind}
        seat = Matched(ticket="", match=match_id, mode=mode, players=(me,), source="solo")
        await self._say(creation.matched_message(seat))

    async def _watch(self, player: Player, message: protocol.Watch) -> None:
        if not message.on:
            await self.channel_layer.group_discard(notices.WATCHERS, self.channel_name)
            return
        await self.channel_layer.group_add(notices.WATCHERS, self.channel_name)
        await self._say(await board.last("matches") or {"type": "matches", "live": []})

    async def _block(self, player: Player, message: protocol.Block) -> None:
        await blocks.block(player.user_id or 0, message.name)
        await self._say({"type": "blocks", "names": await blocks.names(player.user_id or 0)})

    async def _unblock(self, player: Player, message: protocol.Unblock) -> None:
        await blocks.unblock(player.user_id or 0, message.name)
        await self._say({"type": "blocks", "names": await blocks.names(player.user_id or 0)})

    async def _ping(self, player: Player, message: protocol.Ping) -> None:
        await self._say({"type": "pong", "at": message.at, "now": await now_ms()})

    _handlers: dict[type, Callable[[Any, Player, Any], Awaitable[None]]] = {
        protocol.Queue: _queue,
        protocol.Unqueue: _unqueue,
        protocol.Bot: _bot,
        protocol.Again: _again,
        protocol.Challenge: _challenge,
        protocol.ChallengeAnswer: _answer,
        protocol.ChallengeCancel: _cancel,
        protocol.Invite: _invite,
        protocol.InviteTake: _take_seat,
        protocol.InviteLeave: _leave_seat,
        protocol.Solo: _solo,
        protocol.Watch: _watch,
        protocol.Block: _block,
        protocol.Unblock: _unblock,
        protocol.Ping: _ping,
    }

    # -- what goes out ---------------------------------------------------------------------------

    async def lobby_notice(self, event: dict[str, Any]) -> None:
        """A hint from the channel layer."""
        message = event["message"]
        if message["type"] in ("matched", "unqueued"):
            self.waiting = None
        elif message["type"] == "requeued":
            self.waiting = message["ticket"]
        await self._say(message)

    async def _queued(self, ticket: Ticket) -> None:
        self.waiting = ticket.id
        await self._say(
            {
                "type": "queued",
                "ticket": ticket.id,
                "queues": list(ticket.queues),
                "queued_at": ticket.queued_at,
                "bot": ticket.bots == "now",
            }
        )

    async def _refuse(self, error: LobbyError, kind: str = "") -> None:
        await self._say({"type": "error", **error.as_json(), **({"for": kind} if kind else {})})

    async def _say(self, message: dict[str, Any]) -> None:
        await self.send(text_data=protocol.encode(message))
