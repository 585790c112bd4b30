"""Every message of the text protocols, as everybody. No cookie is read there: who is signed in to
the site is nobody to them, an account is reached with its own token alone, and what a message may
touch is what its own connection has. A message that is not in the tables fails."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from accounts import tokens
from games.live.host import host
from games.live.stored_log import read_entries
from games.models import Match
from games.modes.area_attack.text import session as area_attack
from games.modes.battleship.text import codec
from games.modes.battleship.text import session as battleship
from lobby import queue
from minesite import routing
from tests.authorisation.world import PEOPLE, World, make_world
from tests.communicator import PatientCommunicator
from tests.lobby.sockets import session_of

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]

FOREIGN_NAME = "ERRO this name belongs to an account"
NO_PLACE = "ERRO there is no match of this name"
BAD_TOKEN = "ERRO this token is not valid for playing"
# Without a match on this connection: the lines of each verb, and how the answer begins.
BATTLESHIP: dict[str, list[tuple[str, str]]] = {
    "PLAY": [
        ("PLAY alice", FOREIGN_NAME),
        ("PLAY ALICE", FOREIGN_NAME),
        ("PLAY a1ice", "ERRO this name looks like another player's"),
        ("PLAY admin", "ERRO this name is reserved"),
    ],
    "REDY": [("REDY " + "0" * 100, "ERRO there is no fleet to place now")],
    "BOM1": [("BOM1 00", "ERRO there is no battle now")],
    "SURR": [("SURR", "ERRO you are not in a match")],
    "AGAN": [("AGAN,1", "ERRO there is no finished"), ("AGAN,0", "ERRO there is no finished")],
    "BACK": [("BACK alice", NO_PLACE), ("BACK alice 0123456789abcdef", NO_PLACE)],
    "AUTH": [("AUTH nonsense", BAD_TOKEN), ("AUTH {read_token}", BAD_TOKEN)],
    "QUIT": [("QUIT", "closed")],  # the last one: the connection ends
}
BATTLESHIP_STEPS = {"Say", "Authenticate", "Play", "Back", "Act", "Leave", "Again", "Close"}

UNKNOWN = "Unknown command"
# In the lobby, in which nothing is one's own.
AREA_ATTACK: list[tuple[str, str]] = [
    ("g", "pond"),
    ("n", "A new game is"),
    ("npond\narea attack\n20\n0.2", "This name is already in use."),
    ("jnowhere", "Rejected from game"),
    ("1\n1", UNKNOWN),
    ("\x00", UNKNOWN),
]
AREA_ATTACK_STEPS = {
    *("Say", "TakeName", "ListRooms", "CreateRoom", "JoinRoom", "Choose", "Act", "LeaveRoom"),
    "LeaveMatch",
}


async def test_every_message_is_listed():
    """A client can cause only the steps of its session; a new step belongs in here."""
    assert tuple(BATTLESHIP) == (*(v for v in codec.VERBS if v not in ("QUIT", "AUTH")),
                                 "AUTH", "QUIT")  # fmt: skip
    assert {step.__name__ for step in get_args(battleship.Step)} == BATTLESHIP_STEPS
    assert {step.__name__ for step in get_args(area_attack.Step)} == AREA_ATTACK_STEPS


@asynccontextmanager
async def connected(path: str, user: Any = None) -> AsyncIterator[PatientCommunicator]:
    socket = PatientCommunicator(URLRouter(routing.text_urlpatterns), path)
    socket.scope["user"] = user or AnonymousUser()
    socket.scope["session"] = await session_of(user)
    accepted, _ = await socket.connect()
    assert accepted
    try:
        yield socket
    finally:
        await socket.disconnect()


async def answer(socket: PatientCommunicator, line: str) -> str:
    await socket.send_to(text_data=line)
    told = await socket.receive_output()
    return "closed" if told["type"] == "websocket.close" else str(told["text"])


async def entries(match_id: str) -> int:
    return len(await read_entries(host().servers, match_id))


async def text_world() -> tuple[World, dict[str, str]]:
    world = await make_world()
    _token, secret = await sync_to_async(tokens.issue)(world.users["other"], "reads", ["read"])
    return world, {"read_token": secret}


@pytest.mark.parametrize("authenticated", [False, True])
async def test_battleship_lines_reach_only_what_is_ones_own(authenticated: bool):
    world, values = await text_world()
    before = await entries(world.match)
    wrong = []
    for person in PEOPLE:
        async with connected("/ws/text/battleship/", world.users.get(person)) as socket:
            if authenticated:  # as the bot, which is neither Alice nor in her match
                await socket.send_to(text_data=f"AUTH {world.bot_token}")
            for verb, lines in BATTLESHIP.items():
                for line, expected in lines:
                    got = await answer(socket, line.format(**values))
                    if not got.startswith(expected):
                        wrong.append((person, verb, got, expected))
    assert not wrong
    assert await entries(world.match) == before
    assert await queue.waiting() == []
    assert (await Match.objects.aget(pk=world.match)).status == "live"


async def test_a_token_plays_under_the_name_of_its_account_alone():
    world, _values = await text_world()
    async with connected("/ws/text/battleship/") as socket:
        await socket.send_to(text_data=f"AUTH {world.bot_token}")
        assert (await answer(socket, "PLAY a-other")).startswith(FOREIGN_NAME)
        await socket.send_to(text_data="PLAY a-bot")
        assert (await answer(socket, "PLAY a-bot")).startswith("ERRO you are queued")
        (ticket,) = await queue.waiting()
        assert (ticket.player.name, ticket.player.user_id) == ("a-bot", world.users["bot"].pk)
    assert await queue.waiting() == []  # a lost connection leaves the queue


async def test_area_attack_messages_reach_only_what_is_ones_own():
    world, _values = await text_world()
    path = "/ws/text/area-attack/"
    async with connected(path) as alice:
        assert await alice.receive_from() == "Send your name."
        for message in ("ann", "npond\narea attack\n20\n0.2"):
            await alice.send_to(text_data=message)
        assert (await answer(alice, "jpond")).startswith("multiplayer minesweeper")
        before = await entries(world.match)
        wrong = []
        for person in PEOPLE:
            async with connected(path, world.users.get(person)) as socket:
                assert await socket.receive_from() == "Send your name."
                # Another client's name, an account's, one that looks like it, and a reserved one.
                for name in ("ann", "alice", "A1ICE", "al ice", "admin", "4dm1n", "the-bot"):
                    assert await answer(socket, name) == "This name is already in use."
                for name in ("\x00", "<b>x</b>", "аlice", "alice\u202e"):
                    assert (await answer(socket, name)).startswith("A name has 1 to 32 letters")
                await socket.send_to(text_data=f"the {person}")
                for message, expected in AREA_ATTACK:
                    got = await answer(socket, message)
                    if not got.startswith(expected):
                        wrong.append((person, message, got, expected))
        assert not wrong
        # Alice is still in her room, alone, and may pick her start.
        assert await entries(world.match) == before
        assert await answer(alice, "99\n99") == (
            "0\n0\nmThat square is not on the board: x and y are from 0 to 19."
        )
