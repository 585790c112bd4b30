"""The trivial game on our lane, with every move stored as our site stores it, and nothing else.

Not a peer: no accounts, no limits, no rules but one, no second process, nothing that a crash leaves
behind is read again. It shows how fast a site on this lane and this log can be at best.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from typing import Any

import hiredis

from bench.peers.lane_app import Room, serve

Move = tuple[Room, bytes]


class Redis(asyncio.Protocol):
    """One XADD per room for the moves of a turn, all in one write; a room is told of its moves when
    that is answered, in one frame."""

    def __init__(self) -> None:
        self.reader = hiredis.Reader()
        self.moves: list[Move] = []
        self.sent: deque[tuple[Room, bytes]] = deque()
        self.loop = asyncio.get_running_loop()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.reader.feed(data)
        while (reply := self.reader.gets()) is not False:
            if isinstance(reply, hiredis.ReplyError):
                raise SystemExit(f"not stored: {reply}")
            room, deltas = self.sent.popleft()
            room.tell(deltas)

    def moved(self, room: Room, delta: bytes) -> None:
        if not self.moves:
            self.loop.call_soon(self.flush)
        self.moves.append((room, delta))

    def flush(self) -> None:
        moves, self.moves = self.moves, []
        rooms: dict[Room, list[bytes]] = {}
        for room, delta in moves:
            rooms.setdefault(room, []).append(delta)
        commands = []
        for room, each in rooms.items():
            room.length += 1
            deltas = b",".join(each)
            self.sent.append((room, deltas))
            row = b"%d-0" % room.length
            commands.append(hiredis.pack_command(("XADD", room.name, row, "web", deltas)))
        self.transport.write(b"".join(commands))


connections: list[asyncio.Task[Redis]] = []


async def _connect() -> Redis:
    path = os.environ["REDIS_URL"].removeprefix("unix://")
    _, redis = await asyncio.get_running_loop().create_unix_connection(Redis, path)
    return redis


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] != "websocket":
        return
    if not connections:
        connections.append(asyncio.get_running_loop().create_task(_connect()))
    redis = await connections[0]
    await serve(scope, receive, send, redis.moved)
