"""A client that queues loses its connection at the worst moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from games.engine import registry
from lobby import matchmaker
from lobby.text.queued import QueuedClient
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
        self.driver = QueuedClient(registry.mode("battleship"), self.heard.put_nowait, lambda: None)

    async def say(self, line: str) -> None:
        await self.driver.line(line.encode())

    async def expect(self, *lines: str) -> None:
        for line in lines:
            async with asyncio.timeout(20):
                assert await self.heard.get() == line


async def never(*args: object) -> None:
    await asyncio.Event().wait()


async def shoot(attacker: Client, defender: Client, cell: int) -> None:
    spot = f"{cell % 10}{cell // 10}"
    await attacker.say(f"BOM1 {spot}")
    for client in (attacker, defender):
        await client.expect(f"RES1 {spot}{int(cell in SHIPS)}")


@pytest.mark.usefixtures("_worker")
async def test_a_connection_lost_before_it_has_its_seat_gives_the_match_up(monkeypatch):
    a, b = Client(), Client()
    monkeypatch.setattr(a.driver, "_sit", never)
    await a.say("PLAY anna")
    await b.say("PLAY bert")
    await b.expect("PLAY anna")
    await a.driver.lost()
    await b.expect("WINN")
    await b.driver.lost()


@pytest.mark.usefixtures("_worker")
async def test_a_connection_lost_as_both_agree_gives_the_new_match_up(monkeypatch):
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
    monkeypatch.setattr(a.driver, "_enter", never)
    await a.say("AGAN,1")
    await b.say("AGAN,1")
    await b.expect("AGAN,1")
    await a.driver.lost()
    await b.expect("WINN")
    await b.driver.lost()
