"""A process that stops sends its sockets elsewhere, and nobody loses a seat or an answer."""

from __future__ import annotations

import asyncio

import pytest

from games.live.drain import AT_ONCE, JITTER_MS, Drain
from games.live.host import host
from tests.live.conftest import until
from tests.live.test_consumer import Player, Table, started, table  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)


async def connected(match_id: str, seat: int) -> bool:
    replica = await host().join(match_id)
    host().leave(replica)
    return replica.state.connected(seat)


async def test_players_are_told_play_on_and_keep_their_seats(table: Table):  # noqa: F811
    ann, bob = await started(table)
    watcher = await Player(table.id).connect()
    await watcher.next("view")
    leaving = asyncio.create_task(host().move_sockets())
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
    leaving = asyncio.create_task(host().move_sockets())
    replica.seats.take(0, lambda: None)
    assert await ann.closed() == 4001  # her new connection has the seat
    assert await bob.closed() == 1012
    await leaving
    await host().close()
    await until(lambda: not replica.state.connected(1))
    assert replica.state.connected(0)
    assert replica.over is None


async def test_a_process_without_sockets_leaves_at_once(table: Table):  # noqa: F811
    async with asyncio.timeout(5):
        await host().move_sockets()


class Socket:
    """A socket as the drain sees it."""

    def __init__(self) -> None:
        self.asked = self.deaf = self.away = False

    def ask_to_reconnect(self, after_ms: int) -> None:
        self.asked = True

    def stop_listening(self) -> None:
        self.deaf = True

    def send_away(self) -> None:
        self.away = True


async def nothing_under_way() -> None:
    pass


async def test_the_next_ones_are_told_when_the_first_have_arrived(monkeypatch):
    monkeypatch.setattr("games.live.drain.ARRIVES_WITHIN", 1000.0)
    monkeypatch.setattr("games.live.drain.MOST", 1000.0)
    drain = Drain()
    sockets = [Socket() for _ in range(3 * AT_ONCE)]
    for socket in sockets:
        drain.add(socket)
    leaving = asyncio.create_task(drain.run(nothing_under_way))

    async def asked(number: int) -> list[Socket]:
        await until(lambda: sum(socket.asked for socket in sockets) >= number)
        for _ in range(20):
            await asyncio.sleep(0)  # it would ask more by now, if it asked more
        found = [socket for socket in sockets if socket.asked]
        assert len(found) == number
        return found

    first = await asked(AT_ONCE)
    for socket in first[:4]:
        drain.remove(socket, arrived=False)
    await asked(AT_ONCE)  # gone from here, and nobody knows where
    for socket in first[:4]:
        drain.arrived(socket)
    for socket in first[4:6]:
        drain.remove(socket)
    await asked(AT_ONCE + 6)
    for socket in sockets:
        drain.remove(socket)
    await asyncio.wait_for(leaving, 30)
    assert not any(socket.away for socket in sockets)


async def test_matches_move_before_the_lobby_and_each_as_a_whole(monkeypatch):
    monkeypatch.setattr("games.live.drain.AT_ONCE", 1)
    drain, order = Drain(), []
    places = ["", "m1", "m2", "", "m1", "m2", "m3", ""]

    class Noting(Socket):
        def __init__(self, match_id: str) -> None:
            super().__init__()
            self.match_id = match_id

        def ask_to_reconnect(self, after_ms: int) -> None:
            order.append(self.match_id)
            drain.remove(self)

    for place in places:
        drain.add(Noting(place), place)
    await asyncio.wait_for(drain.run(nothing_under_way), 20)
    assert order == ["m1", "m1", "m2", "m2", "m3", "", "", ""]


async def test_a_client_that_never_arrives_does_not_keep_the_others(monkeypatch):
    monkeypatch.setattr("games.live.drain.ARRIVES_WITHIN", 0.01)
    drain = Drain()
    sockets = [Socket() for _ in range(3 * AT_ONCE)]
    for socket in sockets:
        drain.add(socket)
    await asyncio.wait_for(drain.run(nothing_under_way), 20)
    assert all(socket.asked and socket.deaf and socket.away for socket in sockets)


async def test_when_the_whole_site_ends_nobody_is_sent_elsewhere(monkeypatch):
    monkeypatch.setattr("games.live.drain.ARRIVES_WITHIN", 1000.0)
    monkeypatch.setattr("games.live.drain.MOST", 1000.0)
    at_once, under_way = Drain(), Drain()
    at_once.site_stops()
    for drain in (at_once, under_way):
        sockets = [Socket() for _ in range(3 * AT_ONCE)]
        for socket in sockets:
            drain.add(socket)
        leaving = asyncio.create_task(drain.run(nothing_under_way))
        if drain is under_way:
            await until(lambda sockets=sockets: sum(s.asked for s in sockets) == AT_ONCE)
            drain.site_stops()
        await asyncio.wait_for(leaving, 30)
        assert all(socket.deaf and socket.away for socket in sockets)
        assert sum(socket.asked for socket in sockets) == (AT_ONCE if drain is under_way else 0)
