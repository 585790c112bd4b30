"""The event stream: complete, resumable, bounded, and over when access is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from accounts import tokens
from accounts.models import User
from accounts.notifications.notify import anotify
from games.redis import redis
from lobby import challenges, events, presence
from lobby.api import events as stream
from lobby.players import player_of
from tests.lobby.flow import matched
from tests.lobby.sockets import new_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
ADDRESS = "/api/v1/events"


class Reader:
    def __init__(self, frames: AsyncIterator[bytes]) -> None:
        self.frames = frames
        self.last = ""

    async def next(self) -> tuple[str, dict[str, Any]]:
        """The next event; comments are passed over."""
        async with asyncio.timeout(30):
            async for frame in self.frames:
                lines = dict(
                    line.split(": ", 1) for line in frame.decode().splitlines() if ": " in line
                )
                if "event" in lines:
                    self.last = lines["id"]
                    return lines["event"], json.loads(lines["data"])
        raise EOFError


@asynccontextmanager
async def listening(user: User, last: str = "", **more: Any) -> AsyncIterator[Reader]:
    scopes = more.get("scopes", ["play", "read"])
    _token, secret = await sync_to_async(tokens.issue)(user, "t", scopes)
    headers = {"authorization": f"Bearer {secret}"} | ({"last-event-id": last} if last else {})
    answer = await AsyncClient().get(ADDRESS, headers=headers)
    assert answer.status_code == 200
    assert answer["content-type"] == "text/event-stream"
    frames = aiter(answer)
    try:
        yield Reader(frames)
    finally:
        await frames.aclose()


async def test_a_program_hears_of_everything() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob", "bot")
    async with listening(bob) as there:
        assert await there.next() == ("hello", {"name": "Bob", "match": None, "unread": 0})
        assert await presence.online([player_of(bob).identity], 0), "it can be challenged"
        await presence.seen(player_of(ann))
        sent = await challenges.send(player_of(ann), "Bob", "claim")
        kind, about = await there.next()
        assert (kind, about["id"], about["status"]) == ("challenge", sent.id, "open")
        await challenges.cancel(player_of(ann), sent.id)
        assert (await there.next())[1]["status"] == "cancelled"
        plan, _ = await matched(player_of(ann), player_of(bob))
        kind, about = await there.next()
        assert (kind, about["match"]) == ("match", plan.match)
        await anotify(bob.pk, "turn", {"mode": "claim"}, f"/match/{plan.match}/", "x")
        assert await there.next() == (
            "turn",
            {"match": plan.match, "url": f"/match/{plan.match}/", "mode": "claim"},
        )
        await anotify(bob.pk, "follower", {"name": "Ann"}, "/@Ann/", "1")
        kind, about = await there.next()
        assert (kind, about["title"]) == ("notification", "Ann follows you.")


async def test_a_stream_goes_on_where_it_was() -> None:
    bob = await new_user("Bob")
    async with listening(bob) as there:
        await there.next()
    for number in range(3):
        await events.record([(bob.pk, "match", {"n": number})])
    async with listening(bob, there.last) as again:
        assert [(await again.next())[1]["n"] for _ in range(3)] == [0, 1, 2]
    async with listening(bob, again.last) as third:
        await events.record([(bob.pk, "match", {"n": 3})])
        assert (await third.next())[1] == {"n": 3}, "nothing twice"
    for old in ("1-0", "999999999999999-0"):
        async with listening(bob, old) as there:
            assert (await there.next())[0] == "hello", "too old, or of another site"


async def test_the_log_is_bounded_and_made_for_listeners_alone() -> None:
    bob = await new_user("Bob")
    await events.record([(bob.pk, "match", {})])
    assert await events.after(bob.pk, "0-0") == []
    await events.keep(bob.pk)
    for number in range(events.MOST + 5):
        await events.record([(bob.pk, "match", {"n": number})])
    assert len(await events.after(bob.pk, "0-0")) == events.MOST
    assert 0 < await redis().ttl(events.log_of(bob.pk)) <= events.KEPT_SECONDS


async def test_streams_of_an_account_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_OF_ACCOUNT", 1)
    bob = await new_user("Bob")
    _token, secret = await sync_to_async(tokens.issue)(bob, "t", ["read"])
    headers = {"authorization": f"Bearer {secret}"}
    async with listening(bob) as there:
        await there.next()
        refused = await AsyncClient().get(ADDRESS, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        assert refused["Retry-After"] == "30"
    assert stream.open_streams == {}
    answers = await asyncio.gather(*(AsyncClient().get(ADDRESS, headers=headers) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 429, 429], "nobody reads yet"
    for answer in answers:
        await sync_to_async(answer.close)()
    assert stream.open_streams == {}
    assert (await AsyncClient().get(ADDRESS)).status_code == 401


async def test_a_comment_comes_when_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.01)
    bob = await new_user("Bob")
    async with listening(bob) as there:
        await there.next()
        async with asyncio.timeout(30):
            assert await anext(there.frames) == b": still here\n\n"


async def test_the_api_of_people() -> None:
    ann, _bob = await new_user("Ann"), await new_user("Bobby")
    _token, secret = await sync_to_async(tokens.issue)(ann, "t", ["play", "read"])
    client = AsyncClient()
    api = {"headers": {"authorization": f"Bearer {secret}"}}
    found = await client.get("/api/v1/players?q=bob")
    assert found.json() == [{"name": "Bobby", "kind": "registered"}]
    assert (await client.put("/api/v1/following/bobby", **api)).status_code == 204
    [followed] = (await client.get("/api/v1/following", **api)).json()
    assert (followed["name"], followed["online"]) == ("Bobby", False)
    wanted = {"opponent": "Bobby", "mode": "race", "keep": True}
    json_type = "application/json"
    made = (await client.post("/api/v1/challenges", wanted, json_type, **api)).json()
    assert (made["status"], made["kept"]) == ("open", True)
    listed = (await client.get("/api/v1/challenges", **api)).json()
    assert [one["id"] for one in listed] == [made["id"]]
    gone = await client.delete(f"/api/v1/challenges/{made['id']}", **api)
    assert gone.json()["status"] == "cancelled"
    assert (await client.put("/api/v1/blocks/bobby", **api)).status_code == 204
    assert (await client.get("/api/v1/blocks", **api)).json() == {"names": ["Bobby"]}
    assert (await client.get("/api/v1/following", **api)).json() == []
    assert (await client.delete("/api/v1/blocks/bobby", **api)).status_code == 204
    await anotify(ann.pk, "follower", {"name": "Bobby"}, "/@Bobby/", "1")
    told = (await client.get("/api/v1/notifications", **api)).json()
    assert (told["unread"], told["notifications"][0]["title"]) == (1, "Bobby follows you.")
    read = await client.post("/api/v1/notifications/read", {"up_to": None}, json_type, **api)
    assert read.json() == {"unread": 0}
