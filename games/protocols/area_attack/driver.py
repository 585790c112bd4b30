"""Carries out what an Area Attack session asks for: name, room and match of this one client."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable

from games.live.seat import SeatClient
from games.protocols.tasks import TaskSet

from . import rooms
from . import session as steps
from .codec import NewGame
from .rooms import Room, RoomError
from .session import Session, Stage, Step

REFRESH_SECONDS = 8.0


class Driver:
    """One client. `send` takes a message and never waits."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self.session = Session()
        self._send = send
        self._client = secrets.token_hex(8)
        self._name = ""
        self._room: Room | None = None
        self._seat: SeatClient | None = None
        self._tasks = TaskSet()

    async def open(self) -> None:
        await self._carry_out(self.session.greeting())

    async def frame(self, text: str) -> None:
        await self._carry_out(self.session.frame(text))

    @property
    def busy(self) -> bool:
        """In a game: it may be silent for long."""
        return self.session.stage in (Stage.ROOM, Stage.LIVE)

    def complaint(self, text: str) -> str:
        """The text as it is sent at this stage."""
        return self.session.complaint(text).text

    async def lost(self) -> None:
        """The connection is gone: that is leaving for good in this protocol."""
        await self._carry_out(self.session.lost())
        await self._tasks.cancel()
        if self._name:
            await rooms.release_name(self._client, self._name)

    async def _carry_out(self, wanted: list[Step]) -> None:
        for step in wanted:
            match step:
                case steps.Say(text):
                    self._send(text)
                case steps.TakeName(name):
                    await self._take_name(name)
                case steps.ListGames():
                    self._send("\n".join(await rooms.listing()))
                case steps.Create(game):
                    await self._create(game)
                case steps.Join(game_name):
                    await self._join(game_name)
                case steps.Pick(cell):
                    assert self._room is not None
                    await self._try(rooms.pick(self._room.game.name, self._client, cell))
                case steps.Claim(cell):
                    await self._act({"type": "claim", "cell": cell})
                case steps.LeaveRoom():
                    assert self._room is not None
                    await rooms.leave(self._room.game.name, self._client)
                case steps.LeaveMatch():
                    await self._act({"type": "surrender"})
                    self._let_go()

    async def _try(self, wish: Awaitable[None]) -> None:
        try:
            await wish
        except RoomError as error:
            await self._carry_out(self.session.refused(error.code, error.text))

    # -- lobby and room --------------------------------------------------------------------------

    async def _create(self, game: NewGame) -> None:
        try:
            await rooms.create(game)
        except RoomError as error:
            await self._carry_out(self.session.not_created(error.text))

    async def _take_name(self, name: str) -> None:
        if self._name or not await rooms.take_name(self._client, name):
            await self._carry_out(self.session.name_taken())
            return
        self._name = name
        await rooms.alive(self._client, name)
        self._tasks.start(self._stay_alive())
        await self._carry_out(self.session.named())

    async def _stay_alive(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            await rooms.alive(self._client, self._name)

    async def _join(self, game_name: str) -> None:
        room = await rooms.join(game_name, self._client, self._name)
        if room is None:
            await self._carry_out(self.session.rejected())
            return
        self._let_go()
        self._room = room
        others = [guest for guest in room.guests if guest.client != self._client]
        picks = {guest.name: guest.pick for guest in others if guest.pick is not None}
        await self._carry_out(
            self.session.joined(room.game, [guest.name for guest in others], picks)
        )
        self._tasks.start(self._watch_room(room))

    async def _watch_room(self, before: Room) -> None:
        """Tell the client of every change until the match starts or it leaves."""
        async with rooms.watching(before.game.name) as changed:
            while self.session.stage is Stage.ROOM and self._room is not None:
                now = await rooms.of(self._client, before.game.name)
                if now is None:
                    return
                await self._tell(before, now)
                before = now
                if now.match is not None:
                    await rooms.ensure_match(now)
                    await self._sit(now)
                    return
                await changed(REFRESH_SECONDS)

    async def _tell(self, before: Room, now: Room) -> None:
        known = {guest.client: guest for guest in before.guests}
        for guest in now.guests:
            old = known.pop(guest.client, None)
            own = guest.client == self._client
            if old is None and not own:
                await self._carry_out(self.session.newcomer(guest.name))
            if guest.pick is not None and (old is None or old.pick is None):
                await self._carry_out(self.session.picked(guest.name, guest.pick, own))
        for gone in known.values():
            await self._carry_out(self.session.gone(gone.name))

    # -- match -----------------------------------------------------------------------------------

    async def _sit(self, room: Room) -> None:
        assert room.match is not None
        names = [guest.name for guest in room.guests]
        number = next(i for i, g in enumerate(room.guests) if g.client == self._client)
        self._seat = await SeatClient.open(room.match, number)
        self.session.started(number, names)
        self._tasks.start(self._hear(self._seat))
        await self._act({"type": "pick", "cell": room.guests[number].pick})
        await self._act({"type": "confirm"})

    async def _hear(self, seat: SeatClient) -> None:
        async for event in seat:
            await self._carry_out(self.session.event(event))
        seat.close()

    async def _act(self, action: dict[str, object]) -> None:
        if self._seat is None:
            return
        submitted = await self._seat.act(action)
        if not submitted.stored:
            await self._carry_out(self.session.refused(submitted.code, submitted.text))

    def _let_go(self) -> None:
        if self._seat is not None:
            self._seat.close()
            self._seat = None
