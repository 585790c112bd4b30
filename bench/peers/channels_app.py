"""The trivial game as Channels consumers, the two usual ways.

`naive`: every move goes through the channel layer (Redis), as Channels' tutorial does it.
`plain`: the sockets of a room are kept in memory; one process only.
Addresses and words are those of ws.mjs.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from typing import Any

from django.conf import settings

settings.configure(
    CHANNEL_LAYERS={
        "default": {
            "BACKEND": "channels_redis.core.RedisChannelLayer",
            # All sockets of a process share one queue in Redis; at its usual length of 100 it would
            # drop moves under this load.
            "CONFIG": {"hosts": [os.environ.get("REDIS_URL", "")], "capacity": 10_000},
        }
    }
)

from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.routing import URLRouter  # noqa: E402
from django.urls import re_path  # noqa: E402

from bench.peers.claim import Board  # noqa: E402

boards: defaultdict[str, Board] = defaultdict(Board)
members: defaultdict[str, set[Plain]] = defaultdict(set)


class Consumer(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        place = self.scope["url_route"]["kwargs"]
        self.room: str = place["room"]
        self.seat: str = place["seat"]
        await self.enter()
        await self.accept()
        await self.send(text_data=json.dumps({"type": "welcome", "seat": self.seat}))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        message = json.loads(text_data or "")
        cell = message["cell"]
        if self.seat not in "01" or not boards[self.room].claim(cell, int(self.seat)):
            await self.send(text_data=json.dumps({"type": "refused", "cell": cell}))
            return
        await self.tell({"type": "claimed", "cell": cell, "seat": int(self.seat)})

    async def enter(self) -> None:
        raise NotImplementedError

    async def tell(self, delta: dict[str, Any]) -> None:
        raise NotImplementedError


class Naive(Consumer):
    async def enter(self) -> None:
        await self.channel_layer.group_add(self.room, self.channel_name)

    async def tell(self, delta: dict[str, Any]) -> None:
        await self.channel_layer.group_send(self.room, {"type": "claimed", "delta": delta})

    async def claimed(self, event: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(event["delta"], separators=(",", ":")))

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.room, self.channel_name)


class Plain(Consumer):
    channel_layer_alias = ""  # no channel layer, so nothing waits for one

    async def enter(self) -> None:
        members[self.room].add(self)

    async def tell(self, delta: dict[str, Any]) -> None:
        text = json.dumps(delta, separators=(",", ":"))
        for member in members[self.room]:
            await member.send(text_data=text)

    async def disconnect(self, code: int) -> None:
        members[self.room].discard(self)


def _routed(consumer: type[Consumer]) -> Any:
    return URLRouter([re_path(r"^(?P<room>\w+)/(?P<seat>\w+)$", consumer.as_asgi())])


naive = _routed(Naive)
plain = _routed(Plain)
