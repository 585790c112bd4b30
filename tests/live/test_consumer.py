"""The match socket, through the whole ASGI stack."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib import auth
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test import Client

from accounts import tokens
from accounts.models import User
from games import consumers
from games.access import identify
from games.analysing import worker as analysing
from games.engine import registry
from games.live import archived
from games.live import host as hosts
from games.live.archive import archive
from games.live.counters import COUNTERS
from games.live.host import host
from games.live.lane import plain
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.live.stored_log import match_key
from games.redis import sync_redis
from minesite.asgi import application
from tests.communicator import PatientCommunicator
from tests.live.conftest import entries_of, until

pytestmark = pytest.mark.django_db(transaction=True)


class Player:
    """A client of the protocol."""

    def __init__(self, match_id: str, session: str = "", token: str = "") -> None:
        headers = [(b"host", b"testserver")]
        if token:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        if session:
            headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode()))
        self.socket = PatientCommunicator(application, f"/ws/match/{match_id}/", headers)
        self.heard: list[dict[str, Any]] = []

    async def connect(self, last: int | None = None, since: int | None = None) -> Player:
        connected, _ = await self.socket.connect()
        assert connected
        await self.send(type="hello", version=1, last=last, since=since)
        return self

    async def send(self, **message: Any) -> None:
        await self.socket.send_to(text_data=json.dumps(message))

    async def next(self, kind: str) -> dict[str, Any]:
        """The next message of this type; those before it are passed over."""
        while True:
            while self.heard:
                message = self.heard.pop(0)
                if message["type"] == kind:
                    return message
            self.heard += json.loads(await self.socket.receive_from())

    async def event(self, kind: str) -> dict[str, Any]:
        while True:
            message = await self.next("event")
            if message["event"]["type"] == kind:
                return message

    async def closed(self) -> int:
        while True:
            output = await self.socket.receive_output()
            if output["type"] == "websocket.close":
                await self.socket.send_input({"type": "websocket.disconnect", "code": 1000})
                await self.socket.wait()
                return output["code"]

    async def bye(self) -> None:
        await self.socket.disconnect()


@sync_to_async
def new_user(name: str) -> tuple[User, str]:
    user = User.objects.create_user(username=name, password="a long enough one")
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return user, session.session_key


class Table:
    """Two users and a match of theirs."""

    async def make(self) -> Table:
        (self.ann, self.ann_session), (self.bob, self.bob_session) = (
            await new_user("ann"),
            await new_user("bob"),
        )
        seats = [SeatInfo(u.pk, u.username, u.kind) for u in (self.ann, self.bob)]
        self.id = await create_match("claim", seats, {}, rated=True, source="queue")
        return self


@pytest.fixture
async def table(_closes_redis) -> Table:
    return await Table().make()


async def started(table: Table) -> tuple[Player, Player]:
    ann = await Player(table.id, table.ann_session).connect()
    bob = await Player(table.id, table.bob_session).connect()
    for player in (ann, bob):
        await player.send(type="act", id="r", action={"type": "ready"})
    for player in (ann, bob):
        await player.event("started")
    return ann, bob


async def test_two_players_and_a_spectator(table):
    ann, bob = await started(table)
    watcher = await Player(table.id).connect()
    welcome = await watcher.next("welcome")
    assert welcome["seat"] is None
    assert [p["name"] for p in welcome["players"]] == ["ann", "bob"]
    view = await watcher.next("view")
    assert view["view"]["seed"] is None
    await ann.send(type="act", id="a1", action={"type": "claim", "cell": 7})
    assert (await ann.next("ack"))["id"] == "a1"
    for player in (ann, bob, watcher):
        assert (await player.event("claimed"))["event"] == {
            "type": "claimed",
            "cell": 7,
            "seat": 0,
        }
    await bob.send(type="act", id="b1", action={"type": "claim", "cell": 7})
    assert (await bob.next("refused"))["code"] == "taken"
    await watcher.send(type="act", id="w1", action={"type": "claim", "cell": 8})
    assert (await watcher.next("refused"))["code"] == "not_a_player"
    await bob.send(type="act", id="b2", action={"type": "surrender"})
    over = await watcher.event("over")
    assert over["event"]["seed"]
    for player in (ann, bob, watcher):
        await player.bye()


async def test_reconnect_gets_what_was_missed(table):
    ann, bob = await started(table)
    view = await Player(table.id, table.ann_session).connect()
    n = (await view.next("view"))["n"]
    await view.bye()
    await bob.send(type="act", id="b1", action={"type": "claim", "cell": 3})
    await bob.event("claimed")
    again = await Player(table.id, table.ann_session).connect(last=n)
    numbers = []
    while True:
        message = await again.next("event")
        numbers.append(message["n"])
        if message["event"]["type"] == "claimed":
            break
    assert numbers == list(range(n + 1, n + 1 + len(numbers)))
    for player in (ann, bob, again):
        await player.bye()


async def test_the_last_command_is_acknowledged_after_the_end_too(table):
    """Its answer was lost; its player comes back to a match that it has ended."""
    ann, bob = await started(table)
    await bob.send(type="act", id="b1", action={"type": "surrender"})
    await ann.event("over")
    await bob.bye()
    again = await Player(table.id, table.bob_session).connect()
    assert (await again.next("view"))["view"]["phase"] == "over"
    await again.send(type="act", id="b1", action={"type": "surrender"})
    assert (await again.next("ack"))["id"] == "b1"
    await again.send(type="act", id="b2", action={"type": "surrender"})
    assert (await again.next("refused"))["code"] == "match_over"
    for player in (ann, again):
        await player.bye()


async def test_a_newer_socket_takes_over(table):
    first = await Player(table.id, table.ann_session).connect()
    await first.next("view")
    second = await Player(table.id, table.ann_session).connect()
    await first.next("taken_over")
    assert await first.closed() == 4001
    await second.send(type="act", id="r", action={"type": "ready"})
    await second.next("ack")
    await second.bye()


async def test_a_client_that_reconnects_by_itself_takes_no_seat_from_a_newer_connection(table):
    first = await Player(table.id, table.ann_session).connect()
    await first.next("view")
    newer = await Player(table.id, table.ann_session).connect()
    taken = (await newer.next("welcome"))["now"]
    assert await first.closed() == 4001
    back = await Player(table.id, table.ann_session).connect(last=0, since=taken - 1)
    await back.next("taken_over")
    assert await back.closed() == 4001
    await newer.send(type="act", id="r", action={"type": "ready"})
    await newer.next("ack")
    # The newer one itself may come back, though its old socket is not known to be dead yet.
    again = await Player(table.id, table.ann_session).connect(last=0, since=taken)
    await again.next("welcome")
    await newer.next("taken_over")
    assert await newer.closed() == 4001
    # Nobody is there: the older one need not ask. The newer one, when it comes, has the seat again.
    await again.bye()
    replica = await host().join(table.id)
    await until(lambda: not replica.state.connected(0))
    older = await Player(table.id, table.ann_session).connect(since=taken - 1)
    await older.next("welcome")
    again = await Player(table.id, table.ann_session).connect(since=taken)
    await older.next("taken_over")
    assert await older.closed() == 4001
    await again.bye()
    host().leave(replica)


def log_out(table: Table) -> None:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = table.ann_session
    request = client.request().wsgi_request
    auth.logout(request)


def change_password(table: Table) -> None:
    user = User.objects.get(pk=table.ann.pk)
    user.set_password("another long one")
    user.save()


def ban(table: Table) -> None:
    user = User.objects.get(pk=table.ann.pk)
    user.is_active = False
    user.save(update_fields=["is_active"])


@pytest.mark.parametrize("end", [log_out, change_password, ban])
async def test_sockets_close_when_access_ends(table, end):
    ann, bob = await started(table)
    await sync_to_async(end)(table)
    async with asyncio.timeout(2):
        assert (await ann.next("error"))["code"] == "no_access"
        assert await ann.closed() == 4003
    await bob.send(type="ping", at=5)
    assert (await bob.next("pong"))["at"] == 5
    await bob.bye()


async def test_a_missed_message_is_made_up_for(table):
    """The subscription was broken when the user was banned."""
    ann, bob = await started(table)
    await User.objects.filter(pk=table.ann.pk).aupdate(is_active=False)
    sync_redis().client_kill_filter(_type="pubsub")
    assert (await ann.next("error"))["code"] == "no_access"
    assert await ann.closed() == 4003
    await bob.send(type="ping", at=5)
    assert (await bob.next("pong"))["at"] == 5
    await bob.bye()


async def test_access_that_ends_during_a_handshake(table, monkeypatch):
    """The session was looked at before it ended, the socket entered after everybody was told."""
    bob = await Player(table.id, table.bob_session).connect()
    open_since = await Player(table.id, table.ann_session).connect()
    for player in (bob, open_since):
        await player.next("view")
    answer, looked = asyncio.Event(), asyncio.Event()

    async def slowly(scope):
        who = await identify(scope)
        looked.set()
        await answer.wait()
        return who

    monkeypatch.setattr(consumers, "identify", slowly)
    connecting = asyncio.create_task(Player(table.id, table.ann_session).connect())
    await looked.wait()
    await sync_to_async(ban)(table)
    assert await open_since.closed() == 4003
    answer.set()
    ann = await connecting
    assert (await ann.next("error"))["code"] == "no_access"
    assert await ann.closed() == 4003
    await bob.bye()


async def test_a_token_plays_until_it_is_revoked(table):
    token, secret = await sync_to_async(tokens.issue)(table.ann, "bot", ["play"])
    ann = await Player(table.id, token=secret).connect()
    assert (await ann.next("welcome"))["seat"] == 0
    await ann.send(type="act", id="r", action={"type": "ready"})
    await ann.next("ack")
    await sync_to_async(tokens.revoke)(token)
    assert (await ann.next("error"))["code"] == "no_access"
    assert await ann.closed() == 4003
    refused = Player(table.id, token=secret)
    connected, code = await refused.socket.connect()
    assert (connected, code) == (False, 4003)


async def test_a_token_for_reading_watches(table):
    _token, secret = await sync_to_async(tokens.issue)(table.ann, "eye", ["read"])
    ann = await Player(table.id, token=secret).connect()
    assert (await ann.next("welcome"))["seat"] is None
    await ann.bye()


async def test_spectators_are_counted(table):
    ann = await Player(table.id, table.ann_session).connect()
    watchers = [await Player(table.id).connect() for _ in range(3)]
    while (await ann.next("spectators"))["n"] != 3:
        pass
    for watcher in watchers:
        await watcher.bye()
    while (await ann.next("spectators"))["n"] != 0:
        pass
    await ann.bye()


async def test_an_open_socket_holds_no_connection_to_redis_of_its_own(table):
    async def connections() -> int:
        listed = await host().site.call("CLIENT", "LIST")
        return len(listed.splitlines())

    first = await Player(table.id, table.ann_session).connect()
    await first.next("view")
    before = await connections()
    watchers = [await Player(table.id, table.bob_session).connect() for _ in range(5)]
    for watcher in watchers:
        await watcher.next("view")
    assert await connections() == before
    for player in (first, *watchers):
        await player.bye()


async def test_leaving_is_not_dropping(table):
    ann, bob = await started(table)
    await bob.send(type="leave")
    left = (await ann.event("left"))["event"]
    assert left["seat"] == 1
    assert left["deadline"] - left["gone"] == 10_000
    await bob.bye()
    await ann.send(type="ping", at=1)
    await ann.next("pong")
    kinds = [e.kind for e in await entries_of(host().replicas[table.id]) if e.seat == 1]
    assert kinds.count("drop") == 0
    await ann.bye()


async def test_a_match_that_is_only_in_the_archive_is_shown(table, monkeypatch):
    ann, bob = await started(table)
    await bob.send(type="act", id="b", action={"type": "surrender"})
    await ann.event("over")
    for player in (ann, bob):
        await player.bye()
    await archive(table.id)
    await hosts.close()
    await host().servers.call("DEL", match_key(table.id, "log"))
    monkeypatch.setattr(archived, "PATIENCE", 0.1)
    early = await Player(table.id).connect()  # no worker runs
    assert (await early.next("error"))["code"] == "archive_busy"
    assert await early.closed() == 1012
    monkeypatch.setattr(archived, "PATIENCE", 60.0)
    stop = asyncio.Event()
    working = asyncio.create_task(analysing.run(stop))
    late = await Player(table.id).connect()
    assert (await late.next("welcome"))["match"] == table.id
    view = (await late.next("view"))["view"]
    assert view["outcome"]["ranks"] == [1, 2]
    assert view["truth"]["owners"]
    assert await late.closed() == 1000
    stop.set()
    await working


async def test_rules_that_are_not_here_are_refused_politely(table, monkeypatch):
    monkeypatch.delitem(registry.TEST_MODES, "claim")
    player = await Player(table.id).connect()
    assert (await player.next("error"))["code"] == "unknown_rules"
    assert await player.closed() == 4012


async def test_a_frame_over_the_limit_closes_the_socket(table):
    player = await Player(table.id).connect()
    await player.socket.send_to(text_data='{"type":"ping","at":1' + " " * 9000 + "}")
    assert await player.closed() == 1009


async def test_events_of_one_turn_leave_in_one_frame(table):
    ann, bob = await started(table)
    act = host().replicas[table.id].act
    claims = (b'{"type":"claim","cell":%d}' % cell for cell in range(5))
    await asyncio.gather(*(act(0, f"c{number}", raw) for number, raw in enumerate(claims)))
    frames = []
    while sum(frame.count('"claimed"') for frame in frames) < 5:
        frames.append(await bob.socket.receive_from())
    assert len(frames) == 1
    for player in (ann, bob):
        await player.bye()


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("nonsense", "not_understood"),
        ('{"type":"dance"}', "not_understood"),
        ('{"type":"act","id":"","action":{}}', "not_understood"),
        ('{"type":"act","id":"x","action":{"type":"ready"}}', "hello_first"),
        ('{"type":"hello","version":99}', "version"),
        (f'{{"type":"hello","version":1,"since":{"9" * 40}}}', "not_understood"),
    ],
)
async def test_a_message_that_is_not_understood_closes_the_socket(table, frame, code):
    player = Player(table.id)
    await player.socket.connect()
    await player.socket.send_to(text_data=frame)
    assert (await player.next("error"))["code"] == code
    assert await player.closed() == 4010


async def test_an_action_that_is_no_text_is_refused(table):
    """In a binary frame, of which nobody has looked at the encoding."""
    ann = await Player(table.id, table.ann_session).connect()
    frame = b'{"type":"act","id":"x","action":{"type":"\xff"}}'
    await ann.socket.send_to(bytes_data=frame)
    assert (await ann.next("refused"))["code"] == "bad_action"
    await ann.bye()


async def test_no_such_match(table):
    player = await Player("nosuchmatch0").connect()
    assert (await player.next("error"))["code"] == "no_match"
    assert await player.closed() == 4004


async def test_too_many_messages(table):
    before = COUNTERS.limited
    player = await Player(table.id).connect()
    await player.next("view")
    for _ in range(200):
        await player.send(type="ping", at=1)
    assert (await player.next("error"))["code"] == "rate_limited"
    assert await player.closed() == 4009
    assert COUNTERS.limited == before + 1  # what the dashboard shows as too fast


async def test_a_silent_socket_is_closed(table, monkeypatch):
    monkeypatch.setattr(consumers, "LIMITS", replace(consumers.LIMITS, idle=0.3))
    player = await Player(table.id).connect()
    assert await player.closed() == 4020


async def test_a_spectator_who_does_not_read_is_let_go_and_counted(table, monkeypatch):
    """The queue of one socket is bounded; nobody else notices."""
    ann, bob = await started(table)
    limits = replace(consumers.LIMITS, buffered=5000)
    monkeypatch.setattr(consumers, "LIMITS", limits)
    before = COUNTERS.slow
    slow = await Player(table.id).connect()
    monkeypatch.undo()
    monkeypatch.setattr(plain, "CLOSE_PATIENCE", 0.1)
    await slow.next("view")
    slow.socket.stop_reading()
    for cell in range(100):  # some 80 bytes each, and within the burst of a seat
        player = (ann, bob)[cell % 2]
        await player.send(type="act", id=f"c{cell}", action={"type": "claim", "cell": cell})
        await player.next("ack")
    await until(lambda: COUNTERS.slow == before + 1)
    for player in (ann, bob):
        await player.bye()


async def test_players_learn_when_the_match_is_stored(table):
    """The result and the new ratings can be fetched then."""
    ann, bob = await started(table)
    await bob.send(type="act", id="b", action={"type": "surrender"})
    await ann.event("over")
    await until(lambda: host().replicas[table.id].has_last_row)
    assert await archive(table.id)
    for player in (ann, bob):
        assert await player.next("archived") == {"type": "archived"}
        await player.bye()
