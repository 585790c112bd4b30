"""Rooms of a text protocol before their match, and the names in use, kept in Redis: the clients of
one room may be connected to different processes.

A room is one JSON value, changed by compare-and-set; every change is published, and those in the
room look again. When the match is decided the room is gone, and each of its players finds it under
their own key: the name is free for another room at once. A client that vanishes without a word (its
process was killed) is dropped from names and rooms when it has not been refreshed for a while.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from redis.exceptions import WatchError

from accounts.validators import skeleton
from games.engine.errors import IllegalAction
from games.engine.mode import Mode
from games.live.setup import new_id
from games.redis import key, redis
from lobby import direct
from lobby.players import Player

MOST_ROOMS = 200
KEEP_SECONDS = 3600
STARTED_SECONDS = 60  # all who joined have looked long before
CLIENT_SECONDS = 30


class RoomError(Exception):
    """The room refuses this; `code` as the rules name it."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class Guest(msgspec.Struct, frozen=True):
    client: str
    name: str
    choice: Any = None


class Room(msgspec.Struct, frozen=True):
    name: str
    game: dict[str, Any]
    guests: tuple[Guest, ...] = ()
    match: str | None = None


class RoomList:
    """The rooms of one mode."""

    def __init__(self, mode: Mode) -> None:
        assert mode.text is not None
        assert mode.text.rooms is not None
        self.mode = mode
        self._needs = mode.text.rooms

    def _key(self, name: str) -> str:
        return key(f"rooms:{self.mode.name}:{name}")

    def _name_key(self, name: str) -> str:
        return self._key(f"name:{skeleton(name)}")

    def open(self, room: Room) -> bool:
        """Another client may join."""
        return room.match is None and len(room.guests) < self.mode.seats[1]

    def complete(self, room: Room) -> bool:
        """There are enough, and everyone who joined has chosen."""
        fewest = max(2, self.mode.seats[0])
        return len(room.guests) >= fewest and all(g.choice is not None for g in room.guests)

    async def take_name(self, client: str, name: str) -> bool:
        """False when another client has it, or one that looks the same."""
        taken = await redis().set(self._name_key(name), client, nx=True, ex=CLIENT_SECONDS)
        return bool(taken)

    async def release_name(self, client: str, name: str) -> None:
        where = self._name_key(name)
        if await redis().get(where) == client.encode():
            await redis().delete(where)

    async def alive(self, client: str, name: str) -> None:
        """The client is still there."""
        pipe = redis().pipeline(transaction=False)
        pipe.set(self._name_key(name), client, ex=CLIENT_SECONDS)
        pipe.set(self._key(f"client:{client}"), 1, ex=CLIENT_SECONDS)
        await pipe.execute()

    async def create(self, name: str, game: dict[str, Any]) -> None:
        """Make an empty room; raises RoomError. The name of a game that has started is free."""
        if await redis().hlen(self._key("rooms")) >= MOST_ROOMS:
            await self.listing()
            if await redis().hlen(self._key("rooms")) >= MOST_ROOMS:
                raise RoomError("too_many_rooms", "There are too many rooms already.")
        if not await self._swap(name, lambda old: Room(name, game) if old is None else None):
            raise RoomError("room_exists", "There is a room of this name already.")

    async def listing(self) -> list[str]:
        """The games that can still be joined. Removes abandoned rooms on the way."""
        rooms = await redis().hgetall(self._key("rooms"))
        names = []
        for raw_name, raw in rooms.items():
            name, room = raw_name.decode(), _decode(raw)
            if not await redis().exists(self._key(f"fresh:{name}")):
                await redis().hdel(self._key("rooms"), name)
            elif self.open(room):
                names.append(name)
        return sorted(names)

    async def get(self, name: str) -> Room | None:
        raw = await redis().hget(self._key("rooms"), name)
        return None if raw is None else _decode(raw)

    async def of(self, client: str, name: str) -> Room | None:
        """This client's room, or the decided match that became of it. In this order: the decision
        takes the room away, so that a client that looks for the room first can't miss both."""
        room = await self.get(name)
        if room is not None and any(guest.client == client for guest in room.guests):
            return room
        return await self._match_of(client)

    async def _match_of(self, client: str) -> Room | None:
        raw = await redis().get(self._decided(client))
        return None if raw is None else _decode(raw)

    async def join(self, name: str, client: str, player: str) -> Room | None:
        """The room with this player in it; None when it can't be joined."""
        await redis().delete(self._decided(client))
        vanished = await self._vanished(name)

        def step(room: Room) -> Room | None:
            guests = tuple(guest for guest in room.guests if guest.client not in vanished)
            room = msgspec.structs.replace(room, guests=guests)
            if not self.open(room):
                return None
            return msgspec.structs.replace(room, guests=(*guests, Guest(client, player)))

        return await self._change(name, step)

    async def leave(self, name: str, client: str) -> Room | None:
        """Leave the room; the last one takes it away. Returns the room's match when that has been
        decided: then the client has to leave the match instead."""

        def step(room: Room) -> Room | None:
            guests = tuple(guest for guest in room.guests if guest.client != client)
            if len(guests) == len(room.guests):
                return None
            return msgspec.structs.replace(room, guests=guests)

        room = await self._change(name, step)
        if room is None:
            return await self._match_of(client)
        await self._decide_if_complete(room)
        return None

    async def choose(self, name: str, client: str, choice: Any) -> None:
        """The first choice counts; raises RoomError for another one, and for one that the mode
        refuses."""

        def step(room: Room) -> Room | None:
            if not any(g.client == client and g.choice is None for g in room.guests):
                return None
            self._check(room, choice)
            guests = tuple(
                msgspec.structs.replace(guest, choice=choice) if guest.client == client else guest
                for guest in room.guests
            )
            return msgspec.structs.replace(room, guests=guests)

        room = await self._change(name, step)
        if room is None:
            raise RoomError("not_started", "You have chosen already.")
        await self._decide_if_complete(room)

    async def _decide_if_complete(self, room: Room) -> None:
        """The player who completes the room chooses the match's id; then all of them create it."""
        if not self.complete(room):
            return
        match_id = new_id()

        def step(now: Room) -> Room | None:
            return msgspec.structs.replace(now, match=match_id) if self.complete(now) else None

        await self._change(room.name, step)

    async def ensure_match(self, room: Room) -> None:
        """Create the decided match; doing it twice is harmless. Raises LobbyError."""
        assert room.match is not None
        players = [
            Player(identity=f"t{guest.client}", name=guest.name, kind="guest", text=True)
            for guest in room.guests
        ]
        options = self._needs.options(room.game)
        await direct.start(players, self.mode.name, options, source="text", match_id=room.match)

    @asynccontextmanager
    async def watching(self, name: str) -> AsyncIterator[Callable[[float], Any]]:
        """Hear of changes: `await changed(timeout)` returns when something did, or in time."""
        pubsub = redis().pubsub(ignore_subscribe_messages=True)
        await pubsub.subscribe(self._channel(name))
        try:
            yield lambda timeout: pubsub.get_message(timeout=timeout)
        finally:
            await pubsub.unsubscribe()
            await pubsub.aclose()

    async def _change(self, name: str, step: Callable[[Room], Room | None]) -> Room | None:
        """Compare and set; None when there is no such room or `step` wants no change."""
        return await self._swap(name, lambda old: None if old is None else step(old))

    async def _swap(self, name: str, step: Callable[[Room | None], Room | None]) -> Room | None:
        """Like `_change`, but `step` may also create the room: it gets None when no room has this
        name, or only an expired one."""
        where, fresh = self._key("rooms"), self._key(f"fresh:{name}")
        async with redis().pipeline(transaction=True) as pipe:
            while True:
                await pipe.watch(where, fresh)
                raw = await pipe.hget(where, name) if await pipe.exists(fresh) else None
                old = None if raw is None else _decode(raw)
                changed = step(old)
                if changed is None:
                    await pipe.unwatch()
                    return None
                pipe.multi()
                if changed.match is None and (changed.guests or old is None):
                    pipe.hset(where, name, _encode(changed))
                    pipe.set(fresh, 1, ex=KEEP_SECONDS)
                else:
                    pipe.hdel(where, name)
                    for guest in changed.guests:  # of a match; else nobody is left
                        pipe.set(self._decided(guest.client), _encode(changed), ex=STARTED_SECONDS)
                pipe.publish(self._channel(name), b"")
                try:
                    await pipe.execute()
                except WatchError:
                    continue
                return changed

    async def _vanished(self, name: str) -> set[str]:
        """Those in the room now whose processes have died."""
        room = await self.get(name)
        guests = () if room is None else room.guests
        clients = [guest.client for guest in guests]
        return {c for c in clients if not await redis().exists(self._key(f"client:{c}"))}

    def _check(self, room: Room, choice: Any) -> None:
        others = [(guest.name, guest.choice) for guest in room.guests if guest.choice is not None]
        try:
            self._needs.check_choice(room.game, choice, others)
        except IllegalAction as error:
            raise RoomError(error.code, error.text) from None

    def _decided(self, client: str) -> str:
        return self._key(f"match:{client}")

    def _channel(self, name: str) -> str:
        return self._key(f"room:{name}")


def _encode(room: Room) -> bytes:
    return msgspec.json.encode(room)


def _decode(raw: bytes) -> Room:
    return msgspec.json.decode(raw, type=Room)
