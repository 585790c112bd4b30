"""A client in a room leaves at the worst moment: steps come in an unlucky order."""

from __future__ import annotations

import asyncio

import pytest

from games.engine import registry
from games.engine.text import Say
from games.modes.area_attack.text.session import Session, Stage
from lobby import maintenance
from lobby.text import roomed
from lobby.text.names import NameRefused
from lobby.text.roomed import RoomedClient
from lobby.text.rooms import RoomList

MODE = registry.mode("area-attack")
pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


class Client:
    """A driver and what it was told."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.news = asyncio.Event()
        self.closed = False
        self.driver = RoomedClient(MODE, self._hear, self._close)

    def _close(self) -> None:
        self.closed = True

    def _hear(self, text: str) -> None:
        self.heard.append(text)
        self.news.set()

    async def until(self, end: str) -> None:
        async with asyncio.timeout(20):
            while not any(text.endswith(end) for text in self.heard):
                self.news.clear()
                await self.news.wait()


async def two_in_a_room() -> tuple[Client, Client]:
    clients = Client(), Client()
    for name, client in zip("ab", clients, strict=True):
        await client.driver.message(name)
        await client.driver.message("npond\narea attack\n16\n0.2")
        await client.driver.message("jpond")
    return clients


async def test_a_client_that_leaves_as_the_match_is_decided_has_left_the_match():
    for number in range(4):
        a, b = await two_in_a_room()
        await a.driver.message("2\n2")
        await b.driver.message("13\n13")
        for _ in range(number * 8):  # some turns of the loop: at different points of its start
            await asyncio.sleep(0)
        await (a.driver.lost() if number % 2 else a.driver.message("\x00"))
        assert a.driver.session.stage is Stage.LOBBY
        await b.until("You won: everyone else has left.")
        assert any("\nc" in text for text in b.heard), "it began"
        assert a.driver.session.stage is Stage.LOBBY
        await a.driver.lost()
        await b.driver.lost()


async def test_a_player_who_comes_back_at_once_hears_everything_once():
    a, b = await two_in_a_room()
    await b.driver.message("\x00")
    await b.driver.message("jpond")
    b.heard.clear()
    await a.driver.message("2\n2")
    await b.until("2\n2\noa")
    await a.driver.message("\x00")
    await b.until("a has left.")
    assert b.heard == ["2\n2\noa", "0\n0\nma has left."]
    await b.driver.lost()


async def test_a_match_that_may_not_begin_sends_everybody_back_to_the_lobby():
    a, b = await two_in_a_room()
    await a.driver.message("2\n2")
    await maintenance.close_queues()
    await b.driver.message("13\n13")
    for client in (a, b):
        await client.until("The queues are closed for maintenance. Matches in progress continue.")
        assert client.driver.session.stage is Stage.LOBBY
    await maintenance.open_queues()
    await a.driver.lost()
    await b.driver.lost()


async def test_the_steps_of_a_session_at_the_start_are_carried_out(monkeypatch):
    monkeypatch.setattr(Session, "started", lambda *_: [Say("the start")])
    a, b = await two_in_a_room()
    await a.driver.message("2\n2")
    await b.driver.message("13\n13")
    for client in (a, b):
        await client.until("the start")
    await a.driver.lost()
    await b.driver.lost()


async def test_a_client_dropped_from_a_room_is_told():
    a, b = await two_in_a_room()
    rooms = RoomList(MODE)
    room = await rooms.get("pond")
    assert room is not None
    await rooms.leave("pond", next(guest.client for guest in room.guests if guest.name == "b"))
    await b.until("You are no longer in this game.")
    await a.until("b has left.")
    await a.driver.lost()
    await b.driver.lost()


async def test_the_database_is_asked_about_a_name_once(monkeypatch):
    asked: list[str] = []

    async def refuse(name: str) -> None:
        asked.append(name)
        raise NameRefused("name_of_account")

    monkeypatch.setattr(roomed, "refuse_later", refuse)
    client = Client()
    for _ in range(50):
        await client.driver.message("somebody")
    assert asked == ["somebody"]
    assert client.heard == ["This name is already in use."] * 50
    assert not client.closed
    for number in range(roomed.MOST_NAMES - 1):
        assert not client.closed
        await client.driver.message(f"somebody {number}")
    assert client.closed
    await client.driver.lost()
