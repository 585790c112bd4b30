"""Rooms of a text protocol as several processes change and watch them."""

from __future__ import annotations

import asyncio

import pytest

from games.engine import registry
from games.models import Match
from games.redis import key, redis
from lobby.text.rooms import Room, RoomError, RoomList

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

POND = "pond", {"size": 16, "density": "0.2"}
rooms = RoomList(registry.mode("area-attack"))


async def enter(*clients: str) -> None:
    for client in clients:
        await rooms.alive(client, client)
        assert await rooms.join("pond", client, client)


async def watch(client: str) -> Room:
    """As a client's task does it, without waiting in between: the match, in the end."""
    while True:
        room = await rooms.of(client, "pond")
        assert room is not None, "neither in the room nor in its match"
        if room.match is not None:
            return room


async def test_a_client_that_watches_a_room_never_misses_the_decision():
    for number in range(25):
        a, b = f"a{number}", f"b{number}"
        await rooms.create(*POND)
        await enter(a, b)
        watching = [asyncio.create_task(watch(client)) for client in (a, b)]
        await rooms.choose("pond", a, 34)
        await rooms.choose("pond", b, 221)
        first, second = await asyncio.gather(*watching)
        assert first.match == second.match


async def test_the_name_is_free_when_the_match_is_decided():
    await rooms.create(*POND)
    await enter("a", "b")
    with pytest.raises(RoomError, match="already"):
        await rooms.create(*POND)
    await rooms.choose("pond", "a", 34)
    await rooms.choose("pond", "b", 221)
    await rooms.create(*POND)
    await enter("c")
    # Another game has the name; those of the first still find their match.
    found = await rooms.of("a", "pond")
    assert found is not None
    assert found == await rooms.of("b", "pond")
    for _ in range(3):  # whoever finds it creates it, once
        await rooms.ensure_match(found)
    assert (await Match.objects.aget()).pk == found.match
    assert [guest.client for guest in (await watch_once("c")).guests] == ["c"]


async def watch_once(client: str) -> Room:
    room = await rooms.of(client, "pond")
    assert room is not None
    return room


async def test_a_player_who_joins_anew_does_not_find_the_match_before():
    await rooms.create(*POND)
    await enter("a", "b")
    await rooms.choose("pond", "a", 34)
    await rooms.choose("pond", "b", 221)
    await rooms.create(*POND)
    await enter("a")
    assert (await watch_once("a")).match is None
    await rooms.leave("pond", "a")
    assert await rooms.of("a", "pond") is None


async def test_two_who_make_the_same_room_at_once_make_one():
    made = await asyncio.gather(*(rooms.create(*POND) for _ in range(8)), return_exceptions=True)
    assert sum(not isinstance(one, RoomError) for one in made) == 1


async def test_one_whose_process_died_takes_no_place():
    await rooms.create(*POND)
    await enter("a", "b", "c", "d")
    assert await rooms.join("pond", "e", "e") is None
    await redis().delete(key("rooms:area-attack:client:b"))
    room = await rooms.join("pond", "e", "e")
    assert room is not None
    assert [guest.client for guest in room.guests] == ["a", "c", "d", "e"]


async def test_a_second_pick_is_refused_and_one_too_close_names_the_other():
    await rooms.create(*POND)
    await enter("a", "b")
    await rooms.choose("pond", "a", 34)
    with pytest.raises(RoomError) as refused:
        await rooms.choose("pond", "a", 221)
    assert refused.value.code == "not_started"
    with pytest.raises(RoomError, match="Too close to the start of a:"):
        await rooms.choose("pond", "b", 35)


async def test_a_player_who_leaves_when_the_match_is_decided_is_told_of_it():
    await rooms.create(*POND)
    await enter("a", "b")
    await rooms.choose("pond", "a", 34)
    await rooms.choose("pond", "b", 221)
    late = await rooms.leave("pond", "a")
    assert late is not None
    assert late.match is not None
    assert late == await watch("b")


async def test_the_last_one_takes_the_room_away_and_no_newcomer_with_it():
    for _ in range(10):
        await rooms.create(*POND)
        await enter("a")
        _, joined = await asyncio.gather(rooms.leave("pond", "a"), rooms.join("pond", "b", "b"))
        room = await rooms.get("pond")
        assert (joined is None) == (room is None)
        if room is not None:
            assert [guest.client for guest in room.guests] == ["b"]
            await rooms.leave("pond", "b")


async def test_the_last_who_had_not_picked_leaves_and_the_others_begin():
    await rooms.create(*POND)
    await enter("a", "b", "c")
    await rooms.choose("pond", "a", 34)
    await rooms.choose("pond", "b", 221)
    assert (await watch_once("a")).match is None
    await rooms.leave("pond", "c")
    assert (await watch("a")).match == (await watch("b")).match
    assert await rooms.get("pond") is None
