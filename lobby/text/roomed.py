"""Drives the session of a client that joins rooms: its name, its room, its match."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from games.engine import text as steps
from games.engine.folding import SETUP
from games.engine.mode import Mode
from games.engine.text import RoomSession, RoomStep
from games.live.host import NoSuchMatch
from games.live.seat_client import SeatClient
from lobby.errors import LobbyError
from lobby.text.names import NameRefused, refuse_later
from lobby.text.rooms import Room, RoomError, RoomList
from lobby.text.tasks import TaskSet

REFRESH_SECONDS = 8.0
BEGIN_SECONDS = 3.0
LOOK_SECONDS = 0.05
MOST_NAMES = 20
"""A client that asked for so many names of others is disconnected."""


class RoomedClient:
    """One client. `send` takes a message and never waits, `close` ends the connection."""

    def __init__(self, mode: Mode, send: Callable[[str], None], close: Callable[[], None]) -> None:
        assert mode.text is not None
        assert mode.text.rooms is not None
        self.session: RoomSession = mode.text.session()
        self._opening = mode.text.rooms.opening
        self._rooms = RoomList(mode)
        self._send = send
        self._close = close
        self._client = secrets.token_hex(8)
        self._name = ""
        self._refused_names: set[str] = set()
        self._room: Room | None = None
        """As it was joined, until it is left."""
        self._match: Room | None = None
        """As it was when the match was decided."""
        self._seat: SeatClient | None = None
        self._tasks = TaskSet()

    async def open(self) -> None:
        await self._carry_out(self.session.greeting())

    async def message(self, text: str) -> None:
        await self._carry_out(self.session.frame(text))

    def is_echo(self, text: str) -> bool:
        return self.session.is_echo(text)

    async def lost(self, by_outage: bool = False) -> None:
        """The connection is gone: that is leaving for good in this protocol, unless it was an
        outage of ours. Then the match is aborted when the seat's time to return is over."""
        if by_outage and self._seat is not None:
            self._seat.close(by_outage=True)
            self._seat = None
        else:
            await self._carry_out(self.session.lost())
        await self._tasks.cancel()
        if self._name:
            await self._rooms.release_name(self._client, self._name)

    async def _carry_out(self, wanted: list[RoomStep]) -> None:
        for step in wanted:
            match step:
                case steps.Say(text):
                    self._send(text)
                case steps.TakeName(name):
                    await self._take_name(name)
                case steps.ListRooms():
                    self._send("\n".join(await self._rooms.listing()))
                case steps.CreateRoom(name, game):
                    await self._create(name, game)
                case steps.JoinRoom(name):
                    await self._join(name)
                case steps.Choose(choice):
                    assert self._room is not None
                    await self._try(self._rooms.choose(self._room.name, self._client, choice))
                case steps.Act(action):
                    await self._act(action)
                case steps.LeaveRoom():
                    await self._leave_room()
                case steps.LeaveMatch():
                    assert self._match is not None
                    await self._give_up(self._match)

    async def _try(self, wish: Awaitable[None]) -> None:
        try:
            await wish
        except RoomError as error:
            await self._carry_out(self.session.refused(error.code, error.text))

    # -- lobby and room --------------------------------------------------------------------------

    async def _create(self, name: str, game: dict[str, Any]) -> None:
        try:
            await self._rooms.create(name, game)
        except RoomError as error:
            await self._carry_out(self.session.not_created(error.code, error.text))

    async def _take_name(self, name: str) -> None:
        if self._name or not await self._may_have(name):
            await self._carry_out(self.session.name_taken())
            if len(self._refused_names) >= MOST_NAMES:
                self._close()
            return
        self._name = name
        await self._rooms.alive(self._client, name)
        self._tasks.start(self._stay_alive())
        await self._carry_out(self.session.named())

    async def _may_have(self, name: str) -> bool:
        """Asks the database about a name once: a client may send one it was refused as often as it
        may send anything."""
        if name in self._refused_names:
            return False
        try:
            await refuse_later(name)
        except NameRefused:
            self._refused_names.add(name)
            return False
        return await self._rooms.take_name(self._client, name)

    async def _stay_alive(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            await self._rooms.alive(self._client, self._name)

    async def _join(self, name: str) -> None:
        room = await self._rooms.join(name, self._client, self._name)
        if room is None:
            await self._carry_out(self.session.rejected())
            return
        self._let_go()
        self._room = room
        others = [guest for guest in room.guests if guest.client != self._client]
        choices = {guest.name: guest.choice for guest in others if guest.choice is not None}
        await self._carry_out(
            self.session.joined(room.game, [guest.name for guest in others], choices)
        )
        self._tasks.start(self._watch_room(room))

    async def _leave_room(self) -> None:
        assert self._room is not None
        name, self._room = self._room.name, None
        decided = await self._rooms.leave(name, self._client)
        if decided is not None:
            await self._give_up(decided)  # a moment too late: there is a match, or will be

    async def _watch_room(self, joined: Room) -> None:
        """Tell the client of every change until the match starts or it leaves."""
        before = joined
        async with self._rooms.watching(joined.name) as changed:
            while self._room is joined:
                now = await self._rooms.of(self._client, joined.name)
                if self._room is not joined:
                    return
                if now is None:
                    text = "You are no longer in this room."
                    await self._carry_out(self.session.dismissed("dropped", text))
                    return
                await self._tell(before, now)
                before = now
                if now.match is not None:
                    await self._sit(joined, now)
                    return
                await changed(REFRESH_SECONDS)

    async def _tell(self, before: Room, now: Room) -> None:
        known = {guest.client: guest for guest in before.guests}
        for guest in now.guests:
            old = known.pop(guest.client, None)
            own = guest.client == self._client
            if old is None and not own:
                await self._carry_out(self.session.newcomer(guest.name))
            if guest.choice is not None and (old is None or old.choice is None):
                await self._carry_out(self.session.chosen(guest.name, guest.choice, own))
        for gone in known.values():
            await self._carry_out(self.session.gone(gone.name))

    # -- match -----------------------------------------------------------------------------------

    async def _sit(self, joined: Room, decided: Room) -> None:
        try:
            seat = await self._take_seat(decided)
        except LobbyError as error:
            await self._carry_out(self.session.dismissed(error.code, error.text))
            return
        if self._room is not joined:
            seat.close()  # it has left meanwhile, and `_leave_room` gives the match up
            return
        self._match, self._seat = decided, seat
        names = [guest.name for guest in decided.guests]
        await self._carry_out(self.session.started(self._number_in(decided), names))
        self._tasks.start(self._hear(seat))
        await self._begin(seat, decided)

    async def _take_seat(self, decided: Room) -> SeatClient:
        assert decided.match is not None
        await self._rooms.ensure_match(decided)
        return await SeatClient.open(decided.match, self._number_in(decided))

    async def _begin(self, seat: SeatClient, decided: Room) -> None:
        for action in self._opening(decided.guests[self._number_in(decided)].choice):
            await seat.act(action)

    async def _give_up(self, decided: Room) -> None:
        """Leave the match. To leave its set-up, which takes a moment here, would end it for all: so
        it begins first."""
        with contextlib.suppress(LobbyError, NoSuchMatch):
            seat = self._seat or await self._take_seat(decided)
            with contextlib.closing(seat):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(BEGIN_SECONDS):
                        await self._wait_for_begin(seat, decided)
                await seat.act({"type": "surrender"})
            self._seat = None

    async def _wait_for_begin(self, seat: SeatClient, decided: Room) -> None:
        assert decided.match is not None
        if seat.replica.state.state.phase != SETUP:
            return
        await self._begin(seat, decided)
        # `_hear` takes the seat's events, and spectators may hear of the start too late.
        while seat.replica.state.state.phase == SETUP:  # noqa: ASYNC110
            await asyncio.sleep(LOOK_SECONDS)

    def _number_in(self, room: Room) -> int:
        return next(i for i, guest in enumerate(room.guests) if guest.client == self._client)

    async def _hear(self, seat: SeatClient) -> None:
        async for event in seat:
            await self._carry_out(self.session.event(event))
        seat.close()

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
