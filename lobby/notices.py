"""Losable hints to people, in whatever process they are connected.

Code that must not miss something also reads the state in Redis; a hint only makes it quick.
Addresses: `user.<id>` (all sockets of a user), `ticket.<id>` (whoever holds a ticket, over any
protocol), `again.<match>` (the seats of a finished match), `lobby` (everybody), `lobby.counts`
(pages that show how many are here), `lobby.watch` (pages that list live matches).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from lobby import hub
from lobby.hub import Notice
from lobby.tickets import Ticket

Message = dict[str, Any]

EVERYBODY = "lobby"
COUNTS = hub.COUNTS
WATCHERS = hub.WATCHERS
LOOK_AGAIN = "look_again"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def ticket_group(ticket_id: str) -> str:
    return f"ticket.{ticket_id}"


def again_group(match_id: str) -> str:
    return f"again.{match_id}"


async def tell(addresses: str | Iterable[str], message: Message) -> None:
    """Send to everybody who listens there now; nobody listening is fine."""
    await hub.publish([([addresses] if isinstance(addresses, str) else list(addresses), message)])


async def tell_all(notices: Iterable[tuple[list[str], Message]]) -> None:
    """The same for several messages, each with its addresses, in one publish."""
    if listed := list(notices):
        await hub.publish(listed)


async def look_again(user_ids: Iterable[int]) -> None:
    """Whom these users read in chats has changed. Their sockets hear it, and tell no client."""
    await tell([user_group(user_id) for user_id in user_ids], {"type": LOOK_AGAIN})


def holders_of(ticket: Ticket) -> list[str]:
    """The holder of this ticket, and the pages of its user."""
    addresses = [ticket_group(ticket.id)]
    if ticket.player.user_id is not None and not ticket.player.text:
        addresses.append(user_group(ticket.player.user_id))
    return addresses


class Inbox:
    """Receives the hints to some addresses."""

    def __init__(self) -> None:
        self._notices: asyncio.Queue[Notice] = asyncio.Queue()

    def put(self, notice: Notice) -> None:
        self._notices.put_nowait(notice)

    async def next(self, timeout: float) -> Message | None:
        """The next hint, or None when none came in time."""
        try:
            async with asyncio.timeout(timeout):
                return (await self._notices.get()).message
        except TimeoutError:
            return None


@asynccontextmanager
async def listening(*addresses: str) -> AsyncIterator[Inbox]:
    """Hear these addresses for a while: for text connections, bots and long polls."""
    inbox, here = Inbox(), hub.hub()
    for address in addresses:
        here.add(address, inbox.put)
    try:
        await here.opened()
        yield inbox
    finally:
        for address in addresses:
            here.remove(address, inbox.put)
