"""Notices within a process: one subscription, everybody who listens hears, nobody disturbs."""

from __future__ import annotations

import asyncio

import pytest
from channels.layers import get_channel_layer

from games.redis import redis
from lobby import hub, notices
from lobby.hub import Notice


class Inbox:
    def __init__(self) -> None:
        self.heard: list[dict] = []
        self.changed = asyncio.Event()

    def hear(self, notice: Notice) -> None:
        self.heard.append(notice.message)
        self.changed.set()

    async def has(self, *messages: dict) -> None:
        async with asyncio.timeout(30):
            while self.heard != list(messages):
                self.changed.clear()
                await self.changed.wait()


@pytest.fixture
async def here() -> hub.Hub:
    await hub.hub().opened()
    return hub.hub()


async def test_a_notice_reaches_its_addresses_and_no_others(here) -> None:
    ann, bob = Inbox(), Inbox()
    here.add("user.1", ann.hear)
    here.add("user.2", bob.hear)
    await notices.tell("user.2", {"type": "first"})
    await notices.tell(["user.1", "user.2"], {"type": "second"})
    await bob.has({"type": "first"}, {"type": "second"})
    await ann.has({"type": "second"})


async def test_several_notices_are_one_publish(here, monkeypatch) -> None:
    ann, bob = Inbox(), Inbox()
    here.add("user.1", ann.hear)
    here.add("user.2", bob.hear)
    published = []
    layer = get_channel_layer()
    send = layer.group_send

    async def note(group, message) -> None:
        published.append(message)
        await send(group, message)

    monkeypatch.setattr(layer, "group_send", note, raising=False)
    await notices.tell_all([(["user.1"], {"type": "a"}), (["user.2"], {"type": "b"})])
    await ann.has({"type": "a"})
    await bob.has({"type": "b"})
    assert len(published) == 1


async def test_thousands_of_listeners_are_one_subscription_and_one_encoding(
    here, monkeypatch
) -> None:
    encoded = []
    monkeypatch.setattr(
        hub.msgspec.json, "encode", lambda message: encoded.append(message) or b"{}"
    )
    last = Inbox()
    for _ in range(2_000):
        here.add("lobby", lambda notice: notice.data)
    here.add("lobby", last.hear)
    assert len(await redis().pubsub_channels(f"{get_channel_layer().prefix}*")) == 2  # and its own
    await notices.tell(notices.EVERYBODY, {"type": "announce"})
    await last.has({"type": "announce"})
    await asyncio.sleep(0)
    assert encoded == [{"type": "announce"}]


async def test_a_crowd_does_not_hold_the_event_loop(here, monkeypatch) -> None:
    """Others get a turn after every `AT_ONCE` listeners."""
    monkeypatch.setattr(hub, "AT_ONCE", 10)
    served, turns, done = [], [], asyncio.Event()
    for n in range(100):
        here.add("lobby", lambda notice, n=n: served.append(n) or len(served) < 100 or done.set())

    def take_turn() -> None:
        turns.append(len(served))
        if not done.is_set():
            asyncio.get_running_loop().call_soon(take_turn)

    await notices.tell(notices.EVERYBODY, {"type": "announce"})
    take_turn()
    async with asyncio.timeout(30):
        await done.wait()
    assert set(range(0, 100, 10)) <= set(turns)


async def test_counts_are_spread_over_time_and_outdated_ones_left_out(here, monkeypatch) -> None:
    """A crowd hears of a change bit by bit, and meanwhile only the newest change waits."""
    monkeypatch.setattr(hub, "AT_ONCE", 10)
    turns, heard = [], [[] for _ in range(100)]
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        turns.append(seconds)
        await sleep(0)

    monkeypatch.setattr(hub.asyncio, "sleep", note)
    for own in heard:
        here.add(notices.COUNTS, lambda notice, own=own: own.append(notice.message["online"]))
    changes = [{"type": "presence", "online": number} for number in (1, 2, 3)]
    await notices.tell_all([([notices.COUNTS], change) for change in changes])
    async with asyncio.timeout(30):
        while any(len(own) < 2 for own in heard):
            await sleep(0)
    assert all(own == [1, 3] for own in heard)
    assert len(turns) == 20
    assert sum(turns) == pytest.approx(2 * hub.SPREAD_SECONDS)


async def test_a_listener_that_fails_costs_nobody_else_the_notice(here) -> None:
    def fails(notice: Notice) -> None:
        raise RuntimeError("broken")

    inboxes = [Inbox() for _ in range(5)]
    for inbox in inboxes:
        here.add("lobby", inbox.hear)
        here.add("lobby", fails)
    await notices.tell(notices.EVERYBODY, {"type": "announce"})
    for inbox in inboxes:
        await inbox.has({"type": "announce"})


async def test_a_listener_that_left_hears_nothing(here) -> None:
    ann, bob = Inbox(), Inbox()
    here.add("user.1", ann.hear)
    here.add("user.1", bob.hear)
    here.remove("user.1", ann.hear)
    here.remove("user.1", ann.hear)
    await notices.tell("user.1", {"type": "late"})
    await bob.has({"type": "late"})
    assert ann.heard == []


async def test_a_message_of_another_shape_ends_nothing(here) -> None:
    ann = Inbox()
    here.add("user.1", ann.hear)
    layer = get_channel_layer()
    for strange in ({"type": "lobby.unknown"}, {"type": "lobby.notices", "notices": [1]}):
        await layer.group_send(hub.GROUP, strange)
    await notices.tell("user.1", {"type": "after it"})
    await ann.has({"type": "after it"})


async def test_a_layer_that_fails_at_first_is_asked_again(monkeypatch) -> None:
    layer, failures = get_channel_layer(), iter([True, True, False])
    send = layer.group_send

    async def fails_at_first(group, message) -> None:
        if next(failures, False):
            raise ConnectionError("Redis is restarting")
        await send(group, message)

    monkeypatch.setattr(layer, "group_send", fails_at_first, raising=False)
    fresh = hub.Hub()
    async with asyncio.timeout(30):
        await fresh.opened()
    await fresh.close()
