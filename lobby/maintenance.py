"""Close the queues (running matches finish), and speak to everybody."""

from __future__ import annotations

from games import storage
from games.redis import redis
from lobby import notices
from lobby.errors import LobbyError
from lobby.store import named

LONGEST_ANNOUNCEMENT = 500


async def close_queues(reason: str = "") -> None:
    """Start no more matches. Waiting players are notified and keep their places."""
    await redis().set(named("closed"), reason or "1")
    await notices.tell(notices.EVERYBODY, {"type": "queues", "open": False})


async def open_queues() -> None:
    await redis().delete(named("closed"))
    await notices.tell(notices.EVERYBODY, {"type": "queues", "open": True})


async def queues_closed() -> bool:
    return storage.is_full() or bool(await redis().exists(named("closed")))


def refuse_when_full() -> None:
    if storage.is_full():
        raise LobbyError("no_room")


async def refuse_when_closed() -> None:
    refuse_when_full()
    if await queues_closed():
        raise LobbyError("queues_closed")


async def announce(text: str) -> None:
    """Show this to everybody who has a page of the site open."""
    message = {"type": "announce", "text": text[:LONGEST_ANNOUNCEMENT]}
    await notices.tell(notices.EVERYBODY, message)
