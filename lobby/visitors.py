"""The open pages of this process, kept alive and refreshed together, not socket by socket.

An open page keeps its player present and the player's ticket alive. Every few seconds the process
does that for all its players at once, and tells a page what became of its ticket in case the notice
was lost.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final, Protocol
from weakref import WeakKeyDictionary

from redis.exceptions import RedisError

from lobby import creation, presence, queue
from lobby.errors import LobbyError
from lobby.players import Player
from lobby.store import now_ms
from lobby.tickets import Ticket

EVERY_SECONDS: Final = 4.0
PRESENCE_ROUNDS: Final = 2
"""Presence fades after half a minute, so every second round is enough."""
AT_ONCE: Final = 500
"""Players of one command: more would hold the event loop for too long."""

logger = logging.getLogger(__name__)


class Page(Protocol):
    """An open socket of a player."""

    player: Player | None
    waiting: str | None

    def say(self, message: dict[str, Any]) -> None: ...

    def refuse(self, error: LobbyError) -> None: ...

    def tell_queued(self, ticket: Ticket) -> None: ...


class Visitors:
    def __init__(self) -> None:
        self._pages: dict[str, set[Page]] = {}
        """By the player's identity."""
        self._task = asyncio.get_running_loop().create_task(self._look_after_all())

    def enter(self, player: Player, page: Page) -> None:
        self._pages.setdefault(player.identity, set()).add(page)

    def leave(self, player: Player, page: Page) -> bool:
        """True: it was the last page of this player here."""
        pages = self._pages.get(player.identity)
        if pages is None or page not in pages:
            return False
        pages.discard(page)
        if not pages:
            del self._pages[player.identity]
        return not pages

    def __contains__(self, player: Player) -> bool:
        return player.identity in self._pages

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _look_after_all(self) -> None:
        rounds, is_down = 0, False
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            rounds += 1
            try:
                if rounds % PRESENCE_ROUNDS == 0:
                    await self.report_presence()
                await self.look_after_tickets()
                is_down = False
            except (RedisError, OSError):
                if not is_down:
                    logger.warning("the lobby's Redis doesn't answer")
                is_down = True
            except Exception:
                logger.exception("pages could not be looked after")

    async def report_presence(self) -> None:
        """Say that the players of all open pages are here."""
        kinds = {
            # A page is only kept here while it has a player.
            identity: next(iter(pages)).player.kind  # type: ignore[union-attr]
            for identity, pages in self._pages.items()
        }
        players = list(kinds.items())
        for first in range(0, len(players), AT_ONCE):
            await presence.seen_all(players[first : first + AT_ONCE], await now_ms())

    async def look_after_tickets(self) -> None:
        """Keep the tickets of all open pages alive, and tell the pages that missed a notice."""
        before = {page: page.waiting for pages in self._pages.values() for page in pages}
        held = await queue.held_by_pages(self._pages.keys())
        await queue.refresh_all(held.values(), await now_ms())
        lost: dict[Page, str] = {}
        for identity, pages in list(self._pages.items()):
            ticket = held.get(identity)
            for page in pages:
                # A notice that reached the page meanwhile is newer than what was read here.
                if before.get(page, page.waiting) != page.waiting:
                    continue
                if ticket is None and page.waiting is not None:
                    lost[page] = page.waiting
                elif ticket is not None and page.waiting != ticket.id:
                    lost[page] = ticket.id
        if lost:
            await _tell_what_became_of(lost)


async def _tell_what_became_of(lost: dict[Page, str]) -> None:
    """Look again, and tell each page where its ticket is now."""
    ids = list(set(lost.values()))
    before = {page: page.waiting for page in lost}
    fates = await queue.fates(ids)
    for page, ticket_id in lost.items():
        fate = fates[ticket_id]
        if page.waiting != before[page] or fate == "pending":
            continue  # it was told meanwhile, or will be soon
        if isinstance(fate, Ticket):
            page.tell_queued(fate)
        elif page.waiting is not None:
            page.waiting = None
            if fate is None:
                page.say({"type": "unqueued", "reason": "expired"})
            elif fate.failed:
                page.refuse(LobbyError(fate.failed))
            else:
                page.say(creation.matched_message(fate))


_visitors: WeakKeyDictionary[asyncio.AbstractEventLoop, Visitors] = WeakKeyDictionary()


def visitors() -> Visitors:
    """Those of the running event loop; made at the first call, ended by `close()`."""
    loop = asyncio.get_running_loop()
    found = _visitors.get(loop)
    if found is None:
        found = _visitors[loop] = Visitors()
    return found


async def close() -> None:
    """End the running loop's visitors, if there are any."""
    found = _visitors.pop(asyncio.get_running_loop(), None)
    if found is not None:
        await found.close()
