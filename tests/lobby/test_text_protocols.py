"""The gateway plays every mode with a text protocol, and knows none of them by name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from games.apps import check_tcp_port
from games.engine import registry
from games.engine.text import Act, Leave, Play, QueueStep, Rooms, Say, TextProtocol
from lobby import matchmaker
from lobby.routing import text_urlpatterns
from lobby.text import protocols, tcp
from lobby.text.queued import QueuedClient
from minesite.generated_docs import folder_of


def test_every_mode_with_a_text_protocol_has_an_address_and_a_description():
    modes = protocols.text_modes()
    assert modes
    assert [str(one.pattern) for one in text_urlpatterns] == [f"ws/text/{m.name}/" for m in modes]
    for mode in modes:
        assert (folder_of(mode) / "TEXT.md").read_text().startswith(f"# {mode.title} by text\n")


def test_the_site_does_not_start_with_two_modes_on_the_tcp_port():
    mode = protocols.tcp_mode()
    assert mode is not None
    other = replace(registry.mode("claim"), text=TextProtocol(session=Session, tcp=True))
    check_tcp_port([mode])
    with pytest.raises(ImproperlyConfigured, match=f"but {mode.name} and claim set tcp=True"):
        check_tcp_port([mode, other])


def test_rooms_are_not_for_the_tcp_port():
    rooms = Rooms(options=dict, check_choice=lambda *_: None, opening=lambda choice: [])
    with pytest.raises(ValueError, match="TCP"):
        TextProtocol(session=Session, rooms=rooms, tcp=True)


async def test_without_a_mode_for_it_the_port_stays_closed(monkeypatch):
    monkeypatch.setattr(protocols.registry, "modes", list)
    stop = asyncio.Event()
    job = asyncio.create_task(tcp.run(stop))
    stop.set()
    await asyncio.wait_for(job, 5)


class Session:
    """A protocol of a few words, for any mode of two."""

    busy = asks_again = False

    def complaint(self, text: str) -> str:
        return f"! {text}"

    def line(self, line: bytes) -> list[QueueStep]:
        word, _, rest = line.decode().partition(" ")
        return [Play(rest)] if word == "play" else [Act({"type": word})]

    def lost(self) -> list[QueueStep]:
        return [Leave()]

    def authenticated(self) -> list[QueueStep]:
        return []

    def queued(self) -> list[QueueStep]:
        return [Say("queued")]

    def denied(self, code: str, text: str) -> list[QueueStep]:
        return [Say(self.complaint(text))]

    def refused(self, code: str, text: str) -> list[QueueStep]:
        return [Say(self.complaint(text))]

    def matched(self, opponent: str, seat: int) -> list[QueueStep]:
        return [Say(f"against {opponent}")]

    def event(self, event: dict[str, Any]) -> list[QueueStep]:
        return [Say(event["type"])] if event["type"] in ("started", "over") else []

    def settled(self, again: bool) -> list[QueueStep]:
        return []

    def rematched(self, seat: int) -> list[QueueStep]:
        return []


@pytest.fixture
async def _worker(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(matchmaker, "WAVE_SECONDS", 0.05)
    stop = asyncio.Event()
    job = asyncio.create_task(matchmaker.run(stop))
    yield
    stop.set()
    await job


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_worker")
async def test_any_mode_can_be_played_by_text():
    mode = replace(registry.mode("claim"), text=TextProtocol(session=Session))
    heard: list[asyncio.Queue[str]] = [asyncio.Queue(), asyncio.Queue()]
    clients = [QueuedClient(mode, each.put_nowait, lambda: None) for each in heard]

    async def expect(*words: str) -> None:
        async with asyncio.timeout(20):
            for inbox, word in zip(heard, words, strict=True):
                assert await inbox.get() == word

    for name, client in zip(("ann", "bob"), clients, strict=True):
        await client.message(f"play {name}\n")
    await expect("queued", "queued")
    await expect("against bob", "against ann")
    await clients[0].message("dance")
    assert (await heard[0].get()).startswith("! ")
    for client in clients:
        await client.message("ready")
    await expect("started", "started")
    await clients[0].message("surrender")
    await expect("over", "over")
    for client in clients:
        await client.lost()
