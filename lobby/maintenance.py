"""Close the queues (running matches finish), and speak to everybody."""

from __future__ import annotations

from games.live.redis import redis
from lobby import notices
from lobby.errors import LobbyError
from lobby.store import named

LONGEST_ANNOUNCEMENT = 500


async def close_queues(reason: str = "") -> None:
    """From now on no match begins. Who waits is told, and keeps the place."""
    await redis().set(named("closed"), reason or "1")
    await notices.tell(notices.EVERYBODY, {"type": "queues", "open": False})


async def open_queues() -> None:
    await redis().delete(named("closed"))
    await notices.tell(notices.EVERYBODY, {"type": "queues", "open": True})


async def queues_closed() -> bool:
    return bool(await redis().exists(named("closed")))


async def refuse_when_closed() -> None:
    if await queues_closed():
        raise LobbyError("queues_closed")


async def announce(text: str) -> None:
    """Show this to everybody who has a page of the site open."""
    message = {"type": "announce", "text": text[:LONGEST_ANNOUNCEMENT]}
    await notices.tell(notices.EVERYBODY, message)
