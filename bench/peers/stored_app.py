"""The trivial game on our lane, with every move stored as our site stores it, and nothing else.

Not a peer: no accounts, no limits, no rules but one, no second process, nothing that a crash leaves
behind is read again. It shows how fast a site on this lane and this log can be at best.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

import hiredis

from bench.peers.lane_app import Room, serve

STORE = """
local now = redis.call('TIME')
local at = string.format('%d', now[1] * 1000 + math.floor(now[2] / 1000))
for i, log in ipairs(KEYS) do redis.call('XADD', log, ARGV[2 * i - 1], at, ARGV[2 * i]) end
"""

Move = tuple[Room, bytes]


class Redis(asyncio.Protocol):
    """One call of the script for the moves of a turn; the rooms hear of them when it is answered,
    of all moves of theirs in one frame."""

    def __init__(self) -> None:
        self.reader = hiredis.Reader()
        self.moves: list[Move] = []
        self.sent: list[list[Move]] = []
        self.loop = asyncio.get_running_loop()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.transport.write(hiredis.pack_command(("SCRIPT", "LOAD", STORE)))

    def data_received(self, data: bytes) -> None:
        self.reader.feed(data)
        while (reply := self.reader.gets()) is not False:
            if isinstance(reply, bytes):
                self.sha = reply
            elif isinstance(reply, hiredis.ReplyError):
                raise SystemExit(f"not stored: {reply}")
            else:
                self.stored(self.sent.pop(0))

    def stored(self, moves: list[Move]) -> None:
        told: dict[Room, list[bytes]] = {}
        for room, delta in moves:
            told.setdefault(room, []).append(delta)
        for room, deltas in told.items():
            room.tell(b",".join(deltas))

    def moved(self, room: Room, delta: bytes) -> None:
        if not self.moves:
            self.loop.call_soon(self.flush)
        self.moves.append((room, delta))

    def flush(self) -> None:
        moves, self.moves = self.moves, []
        self.sent.append(moves)
        args: list[Any] = []
        for room, delta in moves:
            room.length += 1
            args += (b"%d-0" % room.length, delta)
        keys = [room.name for room, _ in moves]
        self.transport.write(hiredis.pack_command(("EVALSHA", self.sha, len(keys), *keys, *args)))


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
