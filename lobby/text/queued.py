"""Drives the session of a client that queues: its queue, its match, its rematch."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from games.engine import text as steps
from games.engine.mode import Mode
from games.engine.text import QueueSession, QueueStep
from games.live.host import NoSuchMatch
from games.live.seat import SeatClient
from lobby import creation, queue, rematch
from lobby.errors import LobbyError
from lobby.players import Player
from lobby.text.names import NameRefused, owner_of, player_for
from lobby.text.tasks import TaskSet
from lobby.tickets import Matched, Wish


class QueuedClient:
    """One client. `send` takes a message, `close` ends the connection; both never wait.

    Messages are carried out one after another, in the order in which they came.
    """

    def __init__(self, mode: Mode, send: Callable[[str], None], close: Callable[[], None]) -> None:
        assert mode.text is not None
        self.session: QueueSession = mode.text.session()
        self._mode = mode
        self._send = send
        self._close = close
        self._token: str | None = None
        self._player: Player | None = None
        self._ticket: str | None = None
        self._seat: SeatClient | None = None
        self._match: str | None = None
        self._tasks = TaskSet()

    async def open(self) -> None:
        """A client that queues speaks first."""

    async def message(self, text: str) -> None:
        await self.line(text.strip("\r\n").encode("utf-8", "replace"))

    async def line(self, line: bytes) -> None:
        await self._carry_out(self.session.line(line))

    async def lost(self) -> None:
        """The connection is gone."""
        await self._carry_out(self.session.lost())
        await self._stop_waiting()
        self._let_go()
        await self._tasks.cancel()

    async def _carry_out(self, wanted: list[QueueStep]) -> None:
        for step in wanted:
            match step:
                case steps.Say(text):
                    self._send(text)
                case steps.Act(action):
                    await self._act(action)
                case steps.Play(name):
                    await self._play(name)
                case steps.Authenticate(token):
                    await self._authenticate(token)
                case steps.Again(yes):
                    await self._answer(yes)
                case steps.Leave():
                    self._let_go()
                case steps.Close():
                    self._close()

    # -- before the match ------------------------------------------------------------------------

    async def _authenticate(self, token: str) -> None:
        if await owner_of(token) is None:
            await self._deny("bad_token", "This API token is not valid for playing.")
            return
        self._token = token
        await self._carry_out(self.session.authenticated())

    async def _play(self, name: str) -> None:
        try:
            player = await player_for(name, self._token)
            # Rated when it can be: two accounts; a guest waits in the casual queue, and so does an
            # account beside the rated one, so that it is one queue for everybody.
            rated = player.may_play_rated and self._mode.may_be_rated
            kinds = (True, False) if rated else (False,)
            size = max(2, self._mode.seats[0])
            wishes = [Wish(mode=self._mode.name, size=size, rated=rated) for rated in kinds]
            ticket = await queue.join(player, wishes, bots="later", requeue=False)
        except NameRefused:
            await self._deny("name_of_account", "This name belongs to an account.")
        except LobbyError as error:
            await self._deny(error.code, error.text)
        else:
            self._player, self._ticket = player, ticket.id
            await self._carry_out(self.session.queued())
            self._tasks.start(self._wait_for_match(ticket.id))

    async def _wait_for_match(self, ticket: str) -> None:
        try:
            matched = await queue.wait(ticket)
        except queue.TicketGone:
            self._ticket = None
            await self._deny("ticket_gone", "You are no longer in the queue.")
            return
        if matched.failed:
            self._ticket = None
            await self._deny("match_failed", "The match could not be started.")
            return
        await self._sit(matched)
        self._ticket = None  # not before: a connection lost until then gives the match up by it

    async def _deny(self, code: str, text: str) -> None:
        await self._carry_out(self.session.denied(code, text))

    async def _sit(self, matched: Matched) -> None:
        opponent = ", ".join(matched.opponents)
        await self._enter(
            matched.match, matched.seat, lambda seat: self.session.matched(opponent, seat)
        )

    async def _stop_waiting(self) -> None:
        if self._ticket is None:
            return
        ticket, self._ticket = self._ticket, None
        if await queue.leave(ticket):
            return
        # Claimed a moment before: then there is a match, or will be, and it is given up.
        with contextlib.suppress(queue.TicketGone):
            matched = await queue.wait(ticket)
            if matched.match:
                await _give_up(matched.match, matched.seat)

    # -- in the match ----------------------------------------------------------------------------

    async def _enter(
        self, match_id: str, seat: int, seated: Callable[[int], list[QueueStep]]
    ) -> None:
        """Sit down first: a client may act as soon as it is told of the match."""
        self._match = match_id
        self._seat = await SeatClient.open(match_id, seat)
        await self._carry_out(seated(seat))
        self._tasks.start(self._hear(self._seat))

    async def _hear(self, seat: SeatClient) -> None:
        async for event in seat:
            await self._carry_out(self.session.event(event))
        if self.session.asks_again and self._match is not None:
            seat.close()
            self._tasks.start(self._follow(self._match))

    async def _act(self, action: dict[str, Any]) -> None:
        if self._seat is None:
            return
        submitted = await self._seat.act(action)
        if not submitted.stored:
            await self._carry_out(self.session.refused(submitted.code, submitted.text))

    def _let_go(self) -> None:
        if self._seat is not None:
            self._seat.close()
            self._seat = None

    # -- after the match -------------------------------------------------------------------------

    async def _follow(self, match_id: str) -> None:
        """Until it is settled whether the two play again."""
        async for offer in rematch.follow(match_id):
            if offer.agreed and self._player is not None:
                seat = offer.seat_of(self._player.identity)
                assert seat is not None
                # Whichever driver comes first creates the match, before it tells its client: the
                # client may act at once.
                await creation.start_match(offer.plan)
                await self._enter(offer.plan.match, seat, self._rematched)
            elif offer.settled:
                await self._carry_out(self.session.settled(False))

    def _rematched(self, seat: int) -> list[QueueStep]:
        return [*self.session.settled(True), *self.session.rematched(seat)]

    async def _answer(self, yes: bool) -> None:
        if self._match is None or self._player is None:
            return
        try:
            offer = await rematch.answer_as(self._match, self._player.identity, yes)
        except LobbyError:
            # Too late: it is settled already, and `_follow` says so.
            await self._carry_out(self.session.settled(False))
            return
        seat = offer.seat_of(self._player.identity)
        if offer.agreed and not yes and seat is not None:
            # The connection was lost as the other one agreed: there is a match, or will be.
            await creation.start_match(offer.plan)
            await _give_up(offer.plan.match, seat)


async def _give_up(match_id: str, number: int) -> None:
    with (
        contextlib.suppress(NoSuchMatch),
        contextlib.closing(await SeatClient.open(match_id, number)) as seat,
    ):
        await seat.act({"type": "surrender"})
