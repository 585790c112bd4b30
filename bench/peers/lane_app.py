"""The trivial game on our lane and nothing else: no accounts, no log, nothing stored.

Not a peer: it shows what the lane alone costs, and so what the log adds. Addresses and words are
those of ws.mjs.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import msgspec

from bench.peers.claim import Board
from games.live.lane import Link, open_link


class Claim(msgspec.Struct, tag="claim"):
    cell: int


decode = msgspec.json.Decoder(Claim).decode


class Room:
    def __init__(self) -> None:
        self.board = Board()
        self.links: set[Link] = set()


rooms: defaultdict[str, Room] = defaultdict(Room)


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] != "websocket":
        return
    _, name, seat = scope["path"].split("/")
    room = rooms[name]

    def on_message(data: bytes) -> None:
        cell = decode(data).cell
        if seat not in "01" or not room.board.claim(cell, int(seat)):
            link.send(b'{"type":"refused","cell":%d}' % cell)
            return
        delta = b'{"type":"claimed","cell":%d,"seat":%b}' % (cell, seat.encode())
        for member in room.links:
            member.send(delta)

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
