"""Drives the session of a client that queues: its queue, its match, its rematch."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final

from games.access import Identity
from games.engine import text as steps
from games.engine.mode import Mode
from games.engine.text import QueueSession, QueueStep
from games.live.host import NoSuchMatch, host
from games.live.seat_client import SeatClient
from lobby import creation, queue, rematch
from lobby.errors import LobbyError
from lobby.players import Player
from lobby.text import returning
from lobby.text.names import NameRefused, owner_of, player_for
from lobby.text.tasks import TaskSet
from lobby.tickets import Matched, Wish

FAILED_PROOFS: Final = 5
"""A client that sent so many wrong tokens and keys is disconnected."""


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
        self._proven: Identity | None = None
        """The account that the client's token proved."""
        self._key = ""
        self._failed_proofs = 0
        self._has_access = True
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
        if self._has_access:
            await self._carry_out(self.session.line(line))

    def is_echo(self, text: str) -> bool:
        return False

    async def lost(self, by_outage: bool = False) -> None:
        """The connection is gone. The player gives up by that, unless it was an outage of ours:
        then the seat waits for `BACK`."""
        host().sockets.remove(self)
        if by_outage:
            self._let_go(by_outage=True)
        else:
            await self._carry_out(self.session.lost())
        await self._stop_waiting(give_up=not by_outage)
        self._let_go()
        await self._tasks.cancel()

    def end_access(self) -> None:
        """The token was revoked or its user banned: from now on nothing counts."""
        self._has_access = False
        self._send(self.session.complaint("your access has ended"))
        self._close()

    async def _carry_out(self, wanted: list[QueueStep]) -> None:
        for step in wanted:
            match step:
                case steps.Say(text):
                    self._send(text)
                case steps.Act(action):
                    await self._act(action)
                case steps.Play(name, key):
                    await self._play(name, key)
                case steps.Back(name, key):
                    await self._back(name, key)
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
        await host().opened()  # a token that is revoked from now on is heard of
        proven = await owner_of(token)
        if proven is None:
            await self._deny_proof("bad_token", "This API token is not valid for playing.")
            return
        self._proven = proven
        host().sockets.add(self, proven)
        await self._carry_out(self.session.authenticated())

    async def _deny_proof(self, code: str, text: str) -> None:
        self._failed_proofs += 1
        await self._deny(code, text)
        if self._failed_proofs >= FAILED_PROOFS:
            self._close()

    async def _play(self, name: str, key: str) -> None:
        try:
            player = await player_for(name, self._proven)
            # Rated when it can be: two accounts; a guest waits in the casual queue, and so does an
            # account beside the rated one, so that it is one queue for everybody.
            rated = player.may_play_rated and self._mode.may_be_rated
            kinds = (True, False) if rated else (False,)
            size = max(2, self._mode.seats[0])
            wishes = [Wish(mode=self._mode.name, size=size, rated=rated) for rated in kinds]
            ticket = await queue.join(player, wishes, bots="later", requeue=False)
        except NameRefused as error:
            await self._deny(error.code, "You can't have this name. Choose another one.")
        except LobbyError as error:
            await self._deny(error.code, error.text)
        else:
            self._player, self._ticket, self._key = player, ticket.id, key
            await self._carry_out(self.session.queued())
            self._tasks.start(self._wait_for_match(ticket.id))

    async def _back(self, name: str, key: str) -> None:
        place = await returning.find(self._mode.name, name, key, self._proven)
        try:
            seat = None if place is None else await SeatClient.open(place.match, place.seat)
        except NoSuchMatch:
            seat = None
        if place is None or seat is None or seat.replica.over is not None:
            if seat is not None:
                seat.close()
            await self._deny_proof("no_place", "There is no match to come back to.")
            return
        self._player, self._match, self._seat, self._key = place.player, place.match, seat, key
        seats = seat.replica.state.setup.seats
        others = ", ".join(one.name for i, one in enumerate(seats) if i != place.seat)
        await self._carry_out(self.session.returned(others, place.seat, seat.view))
        self._tasks.start(self._hear(seat))

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

    async def _stop_waiting(self, give_up: bool) -> None:
        if self._ticket is None:
            return
        ticket, self._ticket = self._ticket, None
        if await queue.leave(ticket) or not give_up:
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
        if self._player is not None:
            place = returning.Place(match_id, seat, self._player)
            await returning.keep(self._mode.name, place, self._key)
        self._seat = await SeatClient.open(match_id, seat)
        # Not before: a connection lost until then gives a rematch up by the match before it.
        self._match = match_id
        await self._carry_out(seated(seat))
        self._tasks.start(self._hear(self._seat))

    async def _hear(self, seat: SeatClient) -> None:
        async for event in seat:
            await self._carry_out(self.session.event(event))
        if seat.taken_over:
            self._let_go()  # the player came back on another connection
            self._close()
            return
        if self._player is not None and seat.replica.over is not None:
            await returning.forget(self._mode.name, self._player, self._key)
        if self.session.asks_again and self._match is not None:
            seat.close()
            self._tasks.start(self._follow(self._match))

    async def _act(self, action: dict[str, Any]) -> None:
        if self._seat is None:
            return
        submitted = await self._seat.act(action)
        if not submitted.stored:
            await self._carry_out(self.session.refused(submitted.code, submitted.text))

    def _let_go(self, by_outage: bool = False) -> None:
        if self._seat is not None:
            self._seat.close(by_outage=by_outage)
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
