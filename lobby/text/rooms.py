"""Games of the text protocol that have not started yet, and the names in use, kept in Redis: the
clients of one game may be connected to different processes.

A room is one JSON value, changed by compare-and-set; every change is published, and those in the
room look again. When the match is decided the room is gone, and each of its players finds it under
their own key: the name is free for another game at once. A client that vanishes without a word (its
process was killed) is dropped from names and rooms when it has not been refreshed for a while.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from redis.exceptions import WatchError

from games.engine.errors import IllegalAction
from games.engine.registry import MODES
from games.live.redis import key, redis
from games.live.setup import new_id
from games.modes.area_attack.text.codec import NewGame
from lobby import direct
from lobby.players import Player

MOST_PLAYERS = 4
MOST_ROOMS = 200
KEEP_SECONDS = 3600
STARTED_SECONDS = 60  # all who joined have looked long before
CLIENT_SECONDS = 30


class RoomError(Exception):
    """The wish can't be fulfilled; `code` as the rules name it."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class Guest(msgspec.Struct, frozen=True):
    client: str
    name: str
    pick: int | None = None


class Room(msgspec.Struct, frozen=True):
    game: NewGame
    guests: tuple[Guest, ...] = ()
    match: str | None = None

    @property
    def open(self) -> bool:
        return self.match is None and len(self.guests) < MOST_PLAYERS

    @property
    def complete(self) -> bool:
        """Everyone who joined, two or more, has picked."""
        return len(self.guests) >= 2 and all(guest.pick is not None for guest in self.guests)


async def take_name(client: str, name: str) -> bool:
    """False when another client has it."""
    taken = await redis().set(key(f"aa:name:{name}"), client, nx=True, ex=CLIENT_SECONDS)
    return bool(taken)


async def release_name(client: str, name: str) -> None:
    where = key(f"aa:name:{name}")
    if await redis().get(where) == client.encode():
        await redis().delete(where)


async def alive(client: str, name: str) -> None:
    """The client is still there."""
    pipe = redis().pipeline(transaction=False)
    pipe.set(key(f"aa:name:{name}"), client, ex=CLIENT_SECONDS)
    pipe.set(key(f"aa:client:{client}"), 1, ex=CLIENT_SECONDS)
    await pipe.execute()


async def create(game: NewGame) -> None:
    """Make an empty room; raises RoomError. A game that has started can't be joined any more: its
    name is free."""
    if await redis().hlen(key("aa:rooms")) >= MOST_ROOMS:
        await listing()
        if await redis().hlen(key("aa:rooms")) >= MOST_ROOMS:
            raise RoomError("too_many_games", "There are too many games already; join one.")
    if not await _swap(game.name, lambda old: Room(game) if old is None else None):
        raise RoomError("game_exists", "There is a game of this name already.")


async def listing() -> list[str]:
    """The games that can still be joined. Rooms that nobody came to are cleared on the way."""
    rooms = await redis().hgetall(key("aa:rooms"))
    names = []
    for raw_name, raw in rooms.items():
        name, room = raw_name.decode(), _decode(raw)
        if not await redis().exists(key(f"aa:fresh:{name}")):
            await redis().hdel(key("aa:rooms"), name)
        elif room.open:
            names.append(name)
    return sorted(names)


async def get(name: str) -> Room | None:
    raw = await redis().hget(key("aa:rooms"), name)
    return None if raw is None else _decode(raw)


async def of(client: str, name: str) -> Room | None:
    """This client's room, or the decided match that became of it. In this order: the decision takes
    the room away, so that one who looks for it first can't miss both."""
    room = await get(name)
    if room is not None and any(guest.client == client for guest in room.guests):
        return room
    return await _match_of(client)


async def _match_of(client: str) -> Room | None:
    raw = await redis().get(_decided(client))
    return None if raw is None else _decode(raw)


async def join(name: str, client: str, player: str) -> Room | None:
    """The room with this player in it; None when it can't be joined."""
    await redis().delete(_decided(client))
    vanished = await _vanished(name)

    def step(room: Room) -> Room | None:
        guests = tuple(guest for guest in room.guests if guest.client not in vanished)
        room = msgspec.structs.replace(room, guests=guests)
        if not room.open:
            return None
        return msgspec.structs.replace(room, guests=(*guests, Guest(client, player)))

    return await _change(name, step)


async def leave(name: str, client: str) -> Room | None:
    """Leave the room; the last one takes it away. Returns the match when it has been decided: too
    late to leave but that match."""

    def step(room: Room) -> Room | None:
        guests = tuple(guest for guest in room.guests if guest.client != client)
        if len(guests) == len(room.guests):
            return None
        return msgspec.structs.replace(room, guests=guests)

    room = await _change(name, step)
    if room is None:
        return await _match_of(client)
    await _decide_if_complete(room)
    return None


async def pick(name: str, client: str, cell: int) -> None:
    """The first pick counts; raises RoomError for another one, and when it is too close."""

    def step(room: Room) -> Room | None:
        if not any(g.client == client and g.pick is None for g in room.guests):
            return None
        others = [g for g in room.guests if g.pick is not None]
        _check_distance(room.game, cell, others)
        guests = tuple(
            msgspec.structs.replace(g, pick=cell) if g.client == client else g for g in room.guests
        )
        return msgspec.structs.replace(room, guests=guests)

    room = await _change(name, step)
    if room is None:
        raise RoomError("not_started", "You have picked a start already.")
    await _decide_if_complete(room)


async def _decide_if_complete(room: Room) -> None:
    """Whoever completed the room decides on the match's id; those in it then create it."""
    if room.complete:
        match_id = new_id()
        await _change(
            room.game.name,
            lambda now: msgspec.structs.replace(now, match=match_id) if now.complete else None,
        )


async def ensure_match(room: Room) -> None:
    """Create the decided match; doing it twice is harmless. Raises LobbyError."""
    assert room.match is not None
    players = [
        Player(identity=f"t{guest.client}", name=guest.name, kind="guest", text=True)
        for guest in room.guests
    ]
    await direct.start(
        players, "area-attack", room.game.options(), source="text", match_id=room.match
    )


@asynccontextmanager
async def watching(name: str) -> AsyncIterator[Callable[[float], Any]]:
    """Hear of changes: `await changed(timeout)` returns when something did, or in time."""
    pubsub = redis().pubsub(ignore_subscribe_messages=True)
    await pubsub.subscribe(_channel(name))
    try:
        yield lambda timeout: pubsub.get_message(timeout=timeout)
    finally:
        await pubsub.unsubscribe()
        await pubsub.aclose()


async def _change(name: str, step: Callable[[Room], Room | None]) -> Room | None:
    """Compare and set; None when there is no such room or `step` wants no change."""
    return await _swap(name, lambda old: None if old is None else step(old))


async def _swap(name: str, step: Callable[[Room | None], Room | None]) -> Room | None:
    """The same for who makes a room. One that nobody came to for long counts as none."""
    where, fresh = key("aa:rooms"), key(f"aa:fresh:{name}")
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
                    pipe.set(_decided(guest.client), _encode(changed), ex=STARTED_SECONDS)
            pipe.publish(_channel(name), b"")
            try:
                await pipe.execute()
            except WatchError:
                continue
            return changed


async def _vanished(name: str) -> set[str]:
    """Those in the room now whose processes have died."""
    room = await get(name)
    guests = () if room is None else room.guests
    return {g.client for g in guests if not await redis().exists(key(f"aa:client:{g.client}"))}


def _check_distance(game: NewGame, cell: int, others: list[Guest]) -> None:
    """The rules' own check, on a set-up with these picks; the players have names here."""
    from games.engine.game import Setup
    from games.modes.area_attack.rules.starts import check_pick
    from games.modes.area_attack.rules.state import start

    options = MODES["area-attack"].parse_options(game.options())
    state = start(Setup("area-attack", 1, bytes(32), len(others) + 1, options, 0))
    state.picks[:] = [*(guest.pick for guest in others), None]
    try:
        check_pick(state, len(others), cell)
    except IllegalAction as error:
        text = error.text
        for number, guest in enumerate(others, 1):
            text = text.replace(f"player {number}:", f"{guest.name}:")
        raise RoomError(error.code, text) from None


def _decided(client: str) -> str:
    return key(f"aa:match:{client}")


def _channel(name: str) -> str:
    return key(f"aa:room:{name}")


def _encode(room: Room) -> bytes:
    return msgspec.json.encode(room)


def _decode(raw: bytes) -> Room:
    return msgspec.json.decode(raw, type=Room)
