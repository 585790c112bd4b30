"""The trivial game on our lane and nothing else: no accounts, no log, nothing stored.

Not a peer: it shows what the lane alone costs, and so what the log adds. Addresses and words are
those of ws.mjs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from bench.peers.claim import Board
from games.live.lane import Link, open_link


class Claim(msgspec.Struct, tag="claim"):
    cell: int


decode = msgspec.json.Decoder(Claim).decode


class Room:
    def __init__(self, name: str) -> None:
        self.name = name
        self.board = Board()
        self.links: set[Link] = set()
        self.length = 0
        """Moves so far, for who counts them."""

    def tell(self, frame: bytes) -> None:
        for link in self.links:
            link.send(frame)


rooms: dict[str, Room] = {}


async def serve(
    scope: dict[str, Any], receive: Any, send: Any, moved: Callable[[Room, bytes], None]
) -> None:
    """One socket. `moved` is told of every legal move, and sees to it that the room hears of it."""
    _, name, seat = scope["path"].split("/")
    room = rooms.setdefault(name, Room(name))

    def on_message(data: bytes) -> None:
        cell = decode(data).cell
        if seat not in "01" or not room.board.claim(cell, int(seat)):
            link.send(b'{"type":"refused","cell":%d}' % cell)
            return
        moved(room, b'{"type":"claimed","cell":%d,"seat":%b}' % (cell, seat.encode()))

    def on_close(code: int, reason: str) -> None:
        room.links.discard(link)
        if not room.links:
            rooms.pop(name, None)

    await receive()
    await send({"type": "websocket.accept"})
    link = open_link(scope, receive, send, on_message, on_close)
    room.links.add(link)
    link.send(b'{"type":"welcome"}')
    await link.detached()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await serve(scope, receive, send, Room.tell)
