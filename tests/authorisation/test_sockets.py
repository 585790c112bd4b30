"""Every message of every socket, as everybody. A message type that is not in the tables fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

import pytest
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from games.live import protocol as match_protocol
from games.live.seat_client import SeatClient
from lobby import challenges, invitations, presence, socket
from lobby.players import player_of
from lobby.protocol import CLIENT_TYPES
from minesite import routing
from tests.authorisation.world import PEOPLE, World, make_world
from tests.communicator import PatientCommunicator
from tests.lobby.sockets import Visitor, new_user, session_of, visit

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

ADDRESSES = {
    r"^ws/match/(?P<match_id>[a-z0-9]{12})/$",
    "ws/lobby/",
    "ws/text/battleship/",
    "ws/text/area-attack/",
    "",  # any other: refused
}
"""Those of the text protocols are walked in test_text_sockets."""

# An error code, or the type of the answer. Nobody of the matrix has a part in what the message
# names: Alice's match is not over, and her invitation and her challenge are for others.
NOT_THEIRS: dict[str, tuple[dict[str, Any], str]] = {
    "ping": ({}, "pong"),
    "watch": ({"on": True}, "matches"),
    "queue": ({"wishes": []}, "bad_message"),
    "unqueue": ({}, "not_queued"),
    "bot": ({}, "not_queued"),
    "again": ({"match": "{match}", "yes": True}, "no_rematch"),
    "challenge": ({"to": "nobody-here", "mode": "race"}, "no_such_player"),
    "challenge_answer": ({"id": "{challenge}", "yes": True}, "no_such_challenge"),
    "challenge_cancel": ({"id": "{challenge}"}, "no_such_challenge"),
    "invite": ({"mode": "nowhere"}, "no_such_mode"),
    "invite_take": ({"token": "nosuchtoken"}, "no_such_invite"),
    # Everybody with the link may see the invitation; nobody leaves it for Alice.
    "invite_leave": ({"token": "{invitation}"}, "invitation"),
    "solo": ({"mode": "nowhere"}, "no_such_mode"),
    "block": ({"name": "nobody-here"}, "no_such_player"),
    "unblock": ({"name": "nobody-here"}, "no_such_player"),
    "invite_call": ({"token": "{invitation}", "name": "challenged"}, "no_such_invite"),
    "follow": ({"name": "nobody-here"}, "no_such_player"),
    "unfollow": ({"name": "nobody-here"}, "no_such_player"),
    # Only of those whom one follows oneself.
    "people": ({"on": True}, "people"),
    "tournament": ({"id": "nosuchcup123"}, "no_such_tournament"),
    # Who may enter the rooms of Alice's match, and who not, is tested in tests/chat.
    "chat_open": ({"room": "match:nosuchmatch0"}, "no_such_room"),
    "chat_close": ({"room": "match:nosuchmatch0"}, "no_such_room"),
    "chat": ({"room": "match:nosuchmatch0", "key": "k", "phrase": "luck"}, "no_such_room"),
    "chat_mute": ({"name": "nobody-here", "on": True}, "no_such_player"),
    "chat_report": ({"line": 1}, "no_such_line"),
}
READ_ONLY = frozenset({"ping", "tournament", "watch"})
"""The messages that a token of scope `read` may send."""


@pytest.fixture(autouse=True)
def _no_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each socket says every message, with a ping between two."""
    monkeypatch.setattr(socket, "BURST", 1000.0)


MATCH_MESSAGES = {"hello", "act", "ping", "leave"}


async def test_every_socket_address_is_listed():
    every = [*routing.text_urlpatterns, *routing.websocket_urlpatterns]
    assert {str(one.pattern) for one in every} == ADDRESSES


async def test_every_message_is_listed():
    tags = {one.__struct_config__.tag for one in get_args(match_protocol.Incoming)}
    assert tags == MATCH_MESSAGES
    assert set(NOT_THEIRS) == set(CLIENT_TYPES)


def filled(message: dict[str, Any], values: dict[str, str]) -> dict[str, Any]:
    return {
        name: values.get(value[1:-1], value) if isinstance(value, str) else value
        for name, value in message.items()
    }


async def first_answer(there: Visitor) -> str:
    """The code of the refusal of this message, or the type of what is said instead."""
    while True:
        message = await there.socket.receive_json_from()
        if message["type"] == "error":
            return str(message["code"])
        if message["type"] not in ("presence", "queues", "announce"):
            return str(message["type"])


@pytest.fixture
def _no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """All messages in a row are more than a page may send at once."""
    monkeypatch.setattr("lobby.socket.BURST", 100.0)


@pytest.mark.usefixtures("_no_hurry")
async def test_lobby_messages_reach_only_what_is_ones_own():
    world = await make_world()
    for user in (world.alice, world.users["opponent"]):
        await presence.seen(player_of(user))
    third = await new_user("challenged")
    await presence.seen(player_of(third))
    challenge = await challenges.send(player_of(world.alice), "challenged", "race")
    values = {
        "match": world.match,
        "invitation": world.invitation,
        "challenge": challenge.id,
    }
    wrong = []
    for person in PEOPLE[1:]:
        bearer = world.bot_token if person == "bot" else ""
        async with visit(None if bearer else world.users[person], bearer) as there:
            await there.hear("hello")
            for kind, (message, answer) in NOT_THEIRS.items():
                await settled(there)
                await there.say(type=kind, **filled(message, values))
                got = await first_answer(there)
                if got != answer:
                    wrong.append((person, kind, got, answer))
    assert not wrong
    assert (await challenges.get(challenge.id)).status == "open"
    invitation = await invitations.get(world.invitation)
    assert [seat.name for seat in invitation.seats] == ["alice"]
    assert invitation.status == "open"


async def settled(there: Visitor) -> None:
    """Hear what the server says by itself (a match to return to) before something is asked."""
    await there.say(type="ping", at=4711)
    while (await there.socket.receive_json_from()).get("at") != 4711:
        pass


async def test_nobody_speaks_in_the_lobby_without_an_account():
    async with visit(None) as there:
        assert (await there.hear("error"))["code"] == "sign_in_first"
        assert (await there.socket.receive_output())["type"] == "websocket.close"


@pytest.mark.usefixtures("_no_hurry")
async def test_a_reading_token_reads():
    from asgiref.sync import sync_to_async

    from accounts import tokens

    reader = await new_user("reader", "bot")
    _token, secret = await sync_to_async(tokens.issue)(reader, "reads", ["read"])
    async with visit(None, secret) as there:
        await there.hear("hello")
        for kind, (message, _answer) in NOT_THEIRS.items():
            await settled(there)
            await there.say(type=kind, **filled(message, {}))
            got = await first_answer(there)
            assert (got == "read_only_token") == (kind not in READ_ONLY), kind


# -- matches -------------------------------------------------------------------------------------

FLEET_ROWS = ((0, 5), (20, 4), (40, 3), (60, 3), (80, 2))


@asynccontextmanager
async def at_match(world: World, person: str) -> AsyncIterator[PatientCommunicator]:
    headers = [(b"authorization", f"Bearer {world.bot_token}".encode())] if person == "bot" else []
    router = URLRouter(routing.websocket_urlpatterns)
    socket = PatientCommunicator(router, f"/ws/match/{world.match}/", headers)
    user = None if person in ("anonymous", "bot") else world.users[person]
    socket.scope["user"] = user or AnonymousUser()
    socket.scope["session"] = await session_of(user)
    connected, _ = await socket.connect(timeout=10)
    assert connected
    try:
        yield socket
    finally:
        await socket.disconnect(timeout=10)


async def hear(socket: PatientCommunicator, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(10):
        while True:
            for message in json.loads(await socket.receive_from()):
                if message["type"] == kind:
                    return message


async def test_only_players_act_in_a_match_and_nobody_sees_the_others_fleet():
    world = await make_world()
    ships = [{"cell": cell, "length": n, "vertical": False} for cell, n in FLEET_ROWS]
    async with await SeatClient.open(world.match, 0) as alice:
        placed = await alice.act({"type": "place", "ships": ships})
        assert placed.stored, placed
        for person in PEOPLE:
            async with at_match(world, person) as socket:
                await socket.send_to(text_data='{"type":"hello","version":1}')
                view: dict[str, Any] = {}
                welcome: dict[str, Any] = {}
                while not view:
                    for message in json.loads(await socket.receive_from()):
                        welcome = message if message["type"] == "welcome" else welcome
                        view = message if message["type"] == "view" else view
                # Staff too only watch here: the full view is elsewhere, and recorded.
                assert welcome["seat"] == (1 if person == "opponent" else None), person
                text = json.dumps(view)
                assert '"vertical"' not in text, person
                await socket.send_to(text_data='{"type":"ping","at":1}')
                assert (await hear(socket, "pong"))["at"] == 1
                if person != "opponent":
                    act = '{"type":"act","id":"a","action":{"type":"surrender"}}'
                    await socket.send_to(text_data=act)
                    assert (await hear(socket, "refused"))["code"] == "not_a_player", person
                    await socket.send_to(text_data='{"type":"leave"}')
                    await socket.send_to(text_data='{"type":"ping","at":2}')
                    assert (await hear(socket, "pong"))["at"] == 2
        assert not alice.taken_over
