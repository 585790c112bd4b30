"""Adapters for each server: join a room, claim a cell, recognise a claim."""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import sys
import uuid
from collections.abc import Callable
from typing import Any, Protocol

import msgpack

from bench.load.wire import BINARY, Socket, open_socket

Cells = Callable[[bytes], list[int]]
"""The cells that a message from the server says were claimed (none for other messages)."""

_CELL = re.compile(rb'"claimed","cell":(\d+)')


def cells_in_json(data: bytes) -> list[int]:
    return [int(cell) for cell in _CELL.findall(data)]


class Adapter(Protocol):
    """One server's protocol. `seat` None is a spectator."""

    async def open_rooms(self, count: int) -> list[str]:
        """Make rooms; what `join` calls them."""
        ...

    async def join(self, room: str, seat: int | None) -> Socket: ...

    async def begin(self, sockets: list[Socket]) -> None:
        """All have joined: whatever it takes until claims are allowed."""
        ...

    def claim(self, room: str, seat: int, cell: int) -> bytes: ...

    def end(self, sockets: list[Socket]) -> None:
        """The players of a room go for good: nothing of it shall be left for the next round."""
        ...

    @property
    def cells(self) -> Cells: ...


class Plain:
    """The plain `ws` server, and the two Channels ones, which speak the same few words."""

    cells = staticmethod(cells_in_json)

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports

    def address(self, seat: int | None) -> str:
        """Players of a room sit at different processes, where there are several."""
        return f"127.0.0.1:{self.ports[(seat or 0) % len(self.ports)]}"

    async def open_rooms(self, count: int) -> list[str]:
        # A room is there as soon as somebody joins it.
        return [uuid.uuid4().hex for _ in range(count)]

    async def join(self, room: str, seat: int | None) -> Socket:
        place = "watch" if seat is None else seat
        socket = await open_socket(f"ws://{self.address(seat)}/{room}/{place}")
        await socket.expect(b"welcome")
        return socket

    async def begin(self, sockets: list[Socket]) -> None:
        pass

    def claim(self, room: str, seat: int, cell: int) -> bytes:
        return b'{"type":"claim","cell":%d}' % cell

    def end(self, sockets: list[Socket]) -> None:
        """A room ends when its last client leaves."""


class Colyseus(Plain):
    """Matchmaking over HTTP, then messages of one byte for their kind, a name, and msgpack."""

    JOIN, DATA = 10, 13
    CLAIM = bytes([DATA]) + msgpack.packb("claim")
    CLAIMED = bytes([DATA]) + msgpack.packb("claimed")

    def __init__(self, ports: list[int]) -> None:
        super().__init__(ports)
        self.http = http.client.HTTPConnection("127.0.0.1", ports[0])
        self.rooms: dict[str, str] = {}

    def _reserve(self, method: str, room: str, seat: int | None) -> dict[str, str]:
        body = json.dumps({"seat": seat}).encode()
        headers = {"content-type": "application/json"}
        self.http.request("POST", f"/matchmake/{method}/{room}", body, headers)
        answer: dict[str, str] = json.loads(self.http.getresponse().read())
        return answer

    async def join(self, room: str, seat: int | None) -> Socket:
        known = self.rooms.get(room)
        if known is None:
            place = self._reserve("create", "claim", seat)
            self.rooms[room] = place["roomId"]
        else:
            place = self._reserve("joinById", known, seat)
        path = f"{place['processId']}/{place['roomId']}?sessionId={place['sessionId']}"
        socket = await open_socket(f"ws://{self.address(seat)}/{path}", BINARY)
        await socket.expect(bytes([self.JOIN]))
        socket.send(bytes([self.JOIN]))
        return socket

    def claim(self, room: str, seat: int, cell: int) -> bytes:
        packed: bytes = self.CLAIM + msgpack.packb({"cell": cell})
        return packed

    @staticmethod
    def cells(data: bytes) -> list[int]:
        if not data.startswith(Colyseus.CLAIMED):
            return []
        return [msgpack.unpackb(data[len(Colyseus.CLAIMED) :])["cell"]]


class BoardgameIO(Plain):
    """socket.io on a WebSocket from the first byte."""

    # In the log entry at the end of an update; the state before it has the whole board.
    _MOVE = re.compile(rb'"payload":{"type":"claim","args":\[(\d+)\]')

    async def join(self, room: str, seat: int | None) -> Socket:
        url = f"ws://{self.address(seat)}/socket.io/?EIO=4&transport=websocket"
        socket = await open_socket(url)
        await socket.expect(b"0{")
        socket.send(b"40/claim,")
        await socket.expect(b"40/claim,")
        place = "null" if seat is None else f'"{seat}"'
        socket.send(f'42/claim,["sync","{room}",{place},null,2]'.encode())
        await socket.expect(b'["sync"')
        return socket

    def claim(self, room: str, seat: int, cell: int) -> bytes:
        return (
            b'42/claim,["update",{"type":"MAKE_MOVE","payload":{"type":"claim","args":[%d],'
            b'"playerID":"%d","credentials":null}},0,"%b","%d"]'
        ) % (cell, seat, room.encode(), seat)

    @staticmethod
    def cells(data: bytes) -> list[int]:
        return [int(cell) for cell in BoardgameIO._MOVE.findall(data)]


class Minesite(Plain):
    """Our own site: real matches between two users with sessions; spectators have none."""

    mode = "claim"
    options = "{}"

    def __init__(self, ports: list[int]) -> None:
        super().__init__(ports)
        self.sessions: list[str] = []
        self.seeds: dict[str, bytes] = {}
        self._maker: asyncio.subprocess.Process | None = None

    async def open_rooms(self, count: int) -> list[str]:
        if self._maker is None:
            self._maker = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bench.load.matches", self.mode, self.options),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=1 << 20,
            )
            self.sessions = await self._made()
        assert self._maker.stdin is not None
        self._maker.stdin.write(b"%d\n" % count)
        seeds = await self._made()
        self.seeds |= {match: bytes.fromhex(seed) for match, seed in seeds.items()}
        return list(seeds)

    async def _made(self) -> Any:
        assert self._maker is not None
        assert self._maker.stdout is not None
        return json.loads(await self._maker.stdout.readline())

    async def join(self, room: str, seat: int | None) -> Socket:
        headers = {} if seat is None else {"Cookie": f"sessionid={self.sessions[seat]}"}
        socket = await open_socket(f"ws://{self.address(seat)}/ws/match/{room}/", headers=headers)
        socket.send(b'{"type":"hello","version":1,"last":null}')
        await socket.expect(b'"type":"view"')
        return socket

    async def begin(self, sockets: list[Socket]) -> None:
        for socket in sockets:
            socket.send(b'{"type":"act","id":"ready","action":{"type":"ready"}}')
        for socket in sockets:
            await socket.expect(b'"type":"started"')

    def claim(self, room: str, seat: int, cell: int) -> bytes:
        return b'{"type":"act","id":"%d","action":{"type":"claim","cell":%d}}' % (cell, cell)

    def end(self, sockets: list[Socket]) -> None:
        sockets[0].send(b'{"type":"act","id":"end","action":{"type":"surrender"}}')


ADAPTERS: dict[str, Callable[[list[int]], Adapter]] = {
    "ws": Plain,
    "colyseus": Colyseus,
    "boardgame.io": BoardgameIO,
    "minesite": Minesite,
}
