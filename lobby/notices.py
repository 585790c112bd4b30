"""Losable hints to people: over the channel layer, to every process that listens.

Whoever must not miss something also looks at the state in Redis; a hint only makes it quick.
Groups: `user.<id>` (all sockets of a user), `ticket.<id>` (whoever holds a ticket, of any
protocol), `again.<match>` (the seats of a finished match), `lobby` (everybody), `lobby.watch`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from channels.layers import get_channel_layer

Message = dict[str, Any]

EVERYBODY = "lobby"
WATCHERS = "lobby.watch"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def ticket_group(ticket_id: str) -> str:
    return f"ticket.{ticket_id}"


def again_group(match_id: str) -> str:
    return f"again.{match_id}"


async def tell(groups: str | Iterable[str], message: Message) -> None:
    """Send to everybody in these groups now. Nobody listening is fine."""
    layer = get_channel_layer()
    for group in [groups] if isinstance(groups, str) else groups:
        await layer.group_send(group, {"type": "lobby.notice", "message": message})


class Inbox:
    """Where the hints to some groups arrive."""

    def __init__(self, channel: str) -> None:
        self._channel = channel

    async def next(self, timeout: float) -> Message | None:
        """The next hint, or None when none came in time."""
        try:
            async with asyncio.timeout(timeout):
                got = await get_channel_layer().receive(self._channel)
        except TimeoutError:
            return None
        message: Message = got["message"]
        return message


@asynccontextmanager
async def listening(*groups: str) -> AsyncIterator[Inbox]:
    """Hear these groups for a while, outside a consumer: text connections, bots, long polls."""
    layer = get_channel_layer()
    channel = await layer.new_channel()
    for group in groups:
        await layer.group_add(group, channel)
    try:
        yield Inbox(channel)
    finally:
        for group in groups:
            await layer.group_discard(group, channel)
