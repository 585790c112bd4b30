"""Carries out what an Area Attack session asks for: name, room and match of this one client."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable

from games.engine.folding import SETUP
from games.live.host import NoSuchMatch
from games.live.seat import SeatClient
from games.modes.area_attack.text import session as steps
from games.modes.area_attack.text.codec import NewGame
from games.modes.area_attack.text.session import Session, Stage, Step
from lobby.errors import LobbyError
from lobby.text import rooms
from lobby.text.rooms import Room, RoomError
from lobby.text.tasks import TaskSet

REFRESH_SECONDS = 8.0
BEGIN_SECONDS = 3.0


class Driver:
    """One client. `send` takes a message and never waits."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self.session = Session()
        self._send = send
        self._client = secrets.token_hex(8)
        self._name = ""
        self._room: Room | None = None
        """As it was joined, until it is left."""
        self._match: Room | None = None
        """As it was when the match was decided."""
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

    async def _leave_room(self) -> None:
        assert self._room is not None
        name, self._room = self._room.game.name, None
        decided = await rooms.leave(name, self._client)
        if decided is not None:
            await self._give_up(decided)  # a moment too late: there is a match, or will be

    async def _watch_room(self, joined: Room) -> None:
        """Tell the client of every change until the match starts or it leaves."""
        before = joined
        async with rooms.watching(joined.game.name) as changed:
            while self._room is joined:
                now = await rooms.of(self._client, joined.game.name)
                if self._room is not joined:
                    return
                if now is None:
                    await self._carry_out(self.session.dismissed("You are no longer in this game."))
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
            if guest.pick is not None and (old is None or old.pick is None):
                await self._carry_out(self.session.picked(guest.name, guest.pick, own))
        for gone in known.values():
            await self._carry_out(self.session.gone(gone.name))

    # -- match -----------------------------------------------------------------------------------

    async def _sit(self, joined: Room, decided: Room) -> None:
        try:
            seat = await self._take_seat(decided)
        except LobbyError as error:
            await self._carry_out(self.session.dismissed(error.text))
            return
        if self._room is not joined:
            seat.close()  # it has left meanwhile, and `_leave_room` gives the match up
            return
        self._match, self._seat = decided, seat
        self.session.started(seat.viewer, [guest.name for guest in decided.guests])
        self._tasks.start(self._hear(seat))
        await self._begin(seat, decided)

    async def _take_seat(self, decided: Room) -> SeatClient:
        assert decided.match is not None
        await rooms.ensure_match(decided)
        return await SeatClient.open(decided.match, self._number_in(decided))

    async def _begin(self, seat: SeatClient, decided: Room) -> None:
        pick = decided.guests[self._number_in(decided)].pick
        await seat.act({"type": "pick", "cell": pick})
        await seat.act({"type": "confirm"})

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
        async with await SeatClient.open(decided.match, None) as watcher:
            if watcher.view["phase"] != SETUP:
                return
            await self._begin(seat, decided)
            async for event in watcher:
                if event["type"] == "started":
                    return

    def _number_in(self, room: Room) -> int:
        return next(i for i, guest in enumerate(room.guests) if guest.client == self._client)

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
