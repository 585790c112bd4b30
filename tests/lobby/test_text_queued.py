"""A client that queues loses its connection at the worst moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter

from accounts import tokens
from accounts.models import User
from games.engine import registry
from games.live.host import host
from lobby import matchmaker
from lobby.routing import text_urlpatterns
from lobby.text import returning
from lobby.text.queued import FAILED_PROOFS, QueuedClient
from tests.communicator import PatientCommunicator
from tests.lobby.battleship_client import BOARD, SHIPS, WATER

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@pytest.fixture
async def _worker(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(matchmaker, "WAVE_SECONDS", 0.05)
    stop = asyncio.Event()
    job = asyncio.create_task(matchmaker.run(stop))
    yield
    stop.set()
    await job


class Client:
    """A driver and what it was told."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[str] = asyncio.Queue()
        self.closed = asyncio.Event()
        mode = registry.mode("battleship")
        self.driver = QueuedClient(mode, self.heard.put_nowait, self.closed.set)

    async def say(self, line: str) -> None:
        await self.driver.line(line.encode())

    async def expect(self, *lines: str) -> None:
        for line in lines:
            async with asyncio.timeout(20):
                assert await self.heard.get() == line


async def shoot(attacker: Client, defender: Client, cell: int) -> None:
    spot = f"{cell % 10}{cell // 10}"
    await attacker.say(f"BOM1 {spot}")
    for client in (attacker, defender):
        await client.expect(f"RES1 {spot}{int(cell in SHIPS)}")


@pytest.fixture
def anna_finds_no_seat(monkeypatch) -> Callable[[], None]:
    """Call it, and from then on `anna` never takes a seat in a match."""
    keep = returning.keep

    async def slowly(mode: str, place: returning.Place, key: str) -> None:
        if place.player.name == "anna":
            await asyncio.Event().wait()
        await keep(mode, place, key)

    return lambda: monkeypatch.setattr(returning, "keep", slowly)


@pytest.mark.usefixtures("_worker")
async def test_a_connection_lost_before_it_has_its_seat_gives_the_match_up(anna_finds_no_seat):
    a, b = Client(), Client()
    anna_finds_no_seat()
    await a.say("PLAY anna")
    await b.say("PLAY bert")
    await b.expect("PLAY anna")
    await a.driver.lost()
    await b.expect("WINN")
    await b.driver.lost()


@pytest.mark.usefixtures("_worker")
async def test_a_connection_lost_as_both_agree_gives_the_new_match_up(anna_finds_no_seat):
    a, b = Client(), Client()
    await a.say("PLAY anna")
    await b.say("PLAY bert")
    await a.expect("PLAY bert")
    await b.expect("PLAY anna")
    for client in (a, b):
        await client.say(f"REDY {BOARD}")
    await a.expect("TURN")
    await b.expect("WAIT")
    for ship, water in zip(SHIPS[:-1], WATER, strict=False):
        await shoot(a, b, ship)
        await a.expect("WAIT")
        await b.expect("TURN")
        await shoot(b, a, water)
        await b.expect("WAIT")
        await a.expect("TURN")
    await shoot(a, b, SHIPS[-1])
    await a.expect("WINN")
    await b.expect("LOSE")
    anna_finds_no_seat()
    await a.say("AGAN,1")
    await b.say("AGAN,1")
    await b.expect("AGAN,1")
    await a.driver.lost()
    await b.expect("WINN")
    await b.driver.lost()


KEY = "0123456789abcdef"


async def in_battle(a: Client, b: Client, key: str = KEY) -> None:
    await a.say(f"PLAY anna {key}".rstrip())
    await b.say("PLAY bert")
    await a.expect("PLAY bert")
    await b.expect("PLAY anna")
    for client in (a, b):
        await client.say(f"REDY {BOARD}")
    await a.expect("TURN")
    await b.expect("WAIT")


@pytest.mark.usefixtures("_worker")
async def test_a_client_that_our_outage_cut_off_comes_back_with_its_key():
    a, b, again = Client(), Client(), Client()
    await in_battle(a, b)
    await a.driver.lost(by_outage=True)
    for line in ("BACK anna", "BACK anna fedcba9876543210", f"BACK bert {KEY}"):
        await again.say(line)
        await again.expect("ERRO there is no match of this name and key to come back to")
    await again.say(f"BACK anna {KEY}")
    await again.expect("PLAY bert", "TURN")
    await shoot(again, b, WATER[0])
    await again.expect("WAIT")
    await b.expect("TURN")
    await again.driver.lost()
    await b.expect("WINN")
    late = Client()
    await late.say(f"BACK anna {KEY}")
    await late.expect("ERRO there is no match of this name and key to come back to")
    await b.driver.lost()


@pytest.mark.usefixtures("_worker")
async def test_an_account_comes_back_with_its_token():
    user = await User.objects.acreate(username="anna", kind="registered")
    _token, secret = await sync_to_async(tokens.issue)(user, "t", ["play"])
    a, b, again, stranger = Client(), Client(), Client(), Client()
    await a.say(f"AUTH {secret}")
    await in_battle(a, b, key="")
    await a.driver.lost(by_outage=True)
    await stranger.say("BACK anna")
    await stranger.expect("ERRO there is no match of this name and key to come back to")
    await again.say(f"AUTH {secret}")
    await again.say("BACK anna")
    await again.expect("PLAY bert", "TURN")
    for client in (again, b):
        await client.driver.lost()


@pytest.mark.usefixtures("_worker")
async def test_a_connection_that_comes_back_takes_over_from_one_that_hangs():
    a, b, again = Client(), Client(), Client()
    await in_battle(a, b)
    await again.say(f"BACK anna {KEY}")
    await again.expect("PLAY bert", "TURN")
    async with asyncio.timeout(20):
        await a.closed.wait()
    await a.driver.lost()
    await shoot(again, b, WATER[0])
    for client in (again, b):
        await client.driver.lost()


async def test_keys_and_tokens_are_not_tried_without_end():
    a = Client()
    for guess in range(FAILED_PROOFS):
        assert not a.closed.is_set()
        await a.say(f"BACK anna guess-{guess:04}")
    assert a.closed.is_set()
    await a.driver.lost()


@pytest.mark.usefixtures("_worker")
async def test_a_text_socket_of_a_web_process_that_stops_does_not_give_up():
    b = Client()
    socket = PatientCommunicator(URLRouter(text_urlpatterns), "/ws/text/battleship/")
    assert (await socket.connect())[0]
    await socket.send_to(text_data=f"PLAY anna {KEY}")
    await b.say("PLAY bert")
    assert await socket.receive_from() == "PLAY bert"
    await b.expect("PLAY anna")
    (replica,) = host().replicas.values()
    number = [seat.name for seat in replica.state.setup.seats].index("anna")
    host().drain.has_begun = True
    await socket.disconnect()
    async with asyncio.timeout(20):
        while replica.state.connected(number):
            await asyncio.sleep(0.01)
    assert replica.over is None
    assert replica.state.state.seats[number].excused
    await b.driver.lost()
