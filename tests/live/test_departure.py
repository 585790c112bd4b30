"""A process that stops sends its sockets elsewhere, and nobody loses a seat or an answer."""

from __future__ import annotations

import asyncio

import pytest

from games.live.departure import AT_ONCE, JITTER_MS, Departure
from games.live.host import host
from tests.live.conftest import until
from tests.live.test_consumer import Player, Table, started, table  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)


async def connected(match_id: str, seat: int) -> bool:
    replica = await host().join(match_id)
    host().leave(replica)
    return replica.course.connected(seat)


async def test_players_are_told_play_on_and_keep_their_seats(table: Table):  # noqa: F811
    ann, bob = await started(table)
    watcher = await Player(table.id).connect()
    await watcher.next("view")
    leaving = asyncio.create_task(host().depart())
    for player in (ann, bob, watcher):
        assert 0 <= (await player.next("reconnect"))["after_ms"] < JITTER_MS
    await ann.send(type="act", id="a1", action={"type": "claim", "cell": 7})
    assert (await ann.next("ack"))["id"] == "a1"
    await ann.bye()
    # Still hers: she is on her way to another process.
    assert await connected(table.id, 0)
    for player in (bob, watcher):
        assert await player.closed() == 1012
    await leaving
    assert await connected(table.id, 1)
    # A handshake that was under way is sent on at once.
    late = await Player(table.id, table.bob_session).connect()
    assert (await late.next("reconnect"))["after_ms"] == 0
    await late.bye()


async def test_a_seat_that_nobody_took_elsewhere_is_dropped_at_the_end(table: Table, make_host):  # noqa: F811
    ann, bob = await started(table)
    other = await make_host()
    replica = await other.join(table.id)
    leaving = asyncio.create_task(host().depart())
    replica.seatings.sit(0, lambda: None)
    assert await ann.closed() == 4001  # her new connection has the seat
    assert await bob.closed() == 1012
    await leaving
    await host().close()
    await until(lambda: not replica.course.connected(1))
    assert replica.course.connected(0)
    assert replica.over is None


async def test_a_process_without_sockets_leaves_at_once(table: Table):  # noqa: F811
    async with asyncio.timeout(5):
        await host().depart()


class Socket:
    """What a departure sees of one."""

    def __init__(self) -> None:
        self.asked = self.deaf = self.away = False

    def ask_to_reconnect(self, after_ms: int) -> None:
        self.asked = True

    def hear_no_more(self) -> None:
        self.deaf = True

    def send_away(self) -> None:
        self.away = True


async def nothing_under_way() -> None:
    pass


async def test_the_next_ones_are_told_when_the_first_have_arrived(monkeypatch):
    monkeypatch.setattr("games.live.departure.ARRIVES_WITHIN", 1000.0)
    monkeypatch.setattr("games.live.departure.MOST", 1000.0)
    departure = Departure()
    sockets = [Socket() for _ in range(3 * AT_ONCE)]
    for socket in sockets:
        departure.enter(socket)
    leaving = asyncio.create_task(departure.depart(nothing_under_way))

    async def asked(number: int) -> list[Socket]:
        await until(lambda: sum(socket.asked for socket in sockets) >= number)
        for _ in range(20):
            await asyncio.sleep(0)  # it would ask more by now, if it asked more
        found = [socket for socket in sockets if socket.asked]
        assert len(found) == number
        return found

    first = await asked(AT_ONCE)
    for socket in first[:4]:
        departure.left(socket, arrived=False)
    await asked(AT_ONCE)  # gone from here, and nobody knows where
    for socket in first[:4]:
        departure.arrived(socket)
    for socket in first[4:6]:
        departure.left(socket)
    await asked(AT_ONCE + 6)
    for socket in sockets:
        departure.left(socket)
    await asyncio.wait_for(leaving, 30)
    assert not any(socket.away for socket in sockets)


async def test_who_never_arrives_does_not_keep_the_others(monkeypatch):
    monkeypatch.setattr("games.live.departure.ARRIVES_WITHIN", 0.01)
    departure = Departure()
    sockets = [Socket() for _ in range(3 * AT_ONCE)]
    for socket in sockets:
        departure.enter(socket)
    await asyncio.wait_for(departure.depart(nothing_under_way), 20)
    assert all(socket.asked and socket.deaf and socket.away for socket in sockets)


async def test_when_the_whole_site_ends_nobody_is_sent_elsewhere(monkeypatch):
    monkeypatch.setattr("games.live.departure.ARRIVES_WITHIN", 1000.0)
    monkeypatch.setattr("games.live.departure.MOST", 1000.0)
    at_once, under_way = Departure(), Departure()
    at_once.nowhere_to_go()
    for departure in (at_once, under_way):
        sockets = [Socket() for _ in range(3 * AT_ONCE)]
        for socket in sockets:
            departure.enter(socket)
        leaving = asyncio.create_task(departure.depart(nothing_under_way))
        if departure is under_way:
            await until(lambda sockets=sockets: sum(s.asked for s in sockets) == AT_ONCE)
            departure.nowhere_to_go()
        await asyncio.wait_for(leaving, 30)
        assert all(socket.deaf and socket.away for socket in sockets)
        assert sum(socket.asked for socket in sockets) == (AT_ONCE if departure is under_way else 0)
