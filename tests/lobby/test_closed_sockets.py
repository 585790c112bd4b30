"""A page that closes while one of its requests is under way is not heard of again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from games.live import host as live_host
from lobby import requests, socket
from lobby.chat import rooms, speaking
from lobby.chat.rooms import Rights
from lobby.hub import hub
from lobby.people.watching import watching
from lobby.players import Player
from lobby.tournaments import feed
from tests.lobby.flow import until
from tests.lobby.sockets import new_user, visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@pytest.fixture(autouse=True)
async def _closes_host() -> AsyncIterator[None]:
    yield
    await live_host.close()


class Gate:
    """Holds up what runs into it."""

    def __init__(self) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()

    async def passed(self) -> None:
        self.reached.set()
        await self.opened.wait()


def listeners() -> set[str]:
    return set(hub().listeners)


async def idle() -> bool:
    return not live_host.host().tasks


@pytest.mark.parametrize("place", ["rights", "history"])
async def test_a_chat_that_is_being_opened(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    gate = Gate()

    async def rule(player: Player, number: str) -> Rights:
        if place == "rights":
            await gate.passed()
        return rooms.open_to_all(player)

    async def history(room: str) -> list[dict[str, Any]]:
        if place == "history":
            await gate.passed()
        return []

    monkeypatch.setattr(rooms, "RULES", {"x": rule})
    monkeypatch.setattr(speaking, "history", history)
    async with visit(await new_user("Ann")) as there:
        await there.hear("hello")
        await there.say(type="chat_open", room="x:1")
        await asyncio.wait_for(gate.reached.wait(), 30)
    await ends(gate)


async def test_a_tournament_that_is_being_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()

    async def last(tournament: str) -> dict[str, Any]:
        await gate.passed()
        return {"type": "tournament"}

    monkeypatch.setattr(feed, "last", last)
    async with visit(await new_user("Ann")) as there:
        await there.hear("hello")
        await there.say(type="tournament", id="abc", on=True)
        await asyncio.wait_for(gate.reached.wait(), 30)
    await ends(gate)


async def test_a_request_that_waits_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, turns = Gate(), Turns(1)
    monkeypatch.setattr(socket, "turn", lambda: turns)
    carried_out: list[str] = []

    async def carry_out(page: Any, message: Any) -> None:
        carried_out.append(type(message).__name__)

    async with visit(await new_user("Ann")) as there:
        await there.hear("hello")
        monkeypatch.setattr(requests, "carry_out", carry_out)
        async with turns:
            await there.say(type="watch", on=True)
            await until(lambda: waits(turns))
            await there.socket.disconnect()
    await ends(gate)
    assert carried_out == []


class Turns(asyncio.Semaphore):
    """Counts those who ask for a turn."""

    asked = 0

    async def acquire(self) -> Any:
        self.asked += 1
        return await super().acquire()


async def waits(turns: Turns) -> bool:
    return turns.asked > 1


async def ends(gate: Gate) -> None:
    """The request goes on now, after its page is gone."""
    gate.opened.set()
    await until(idle)
    assert listeners() == set()
    assert not watching().is_looking
