"""Pages that show who is here: told together, every few seconds, and only of what changed.

A process looks while such pages are open, and asks once for all of them. Everybody else's pages
cost nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any, Final, Protocol
from weakref import WeakKeyDictionary

import msgspec
from redis.exceptions import RedisError

from accounts import following, privacy
from accounts.models import User
from accounts.reading import read
from lobby.people.presence_of import Whereabouts, whereabouts
from lobby.store import now_ms

EVERY_SECONDS: Final = 3.0
READ_AGAIN: Final = 20
"""Rounds after which a page's list is read again: settings and follows change."""
AT_ONCE: Final = 500
"""Players of one question to Redis."""

logger = logging.getLogger(__name__)


class Page(Protocol):
    """An open socket of a player."""

    def say(self, message: dict[str, Any]) -> None: ...


class Watch(msgspec.Struct):
    user_id: int
    names: dict[int, str]
    """Whom this page is told of: those whose settings allow it."""
    told: dict[int, Whereabouts] = {}
    rounds: int = 0


def visible(user_id: int) -> dict[int, str]:
    """The players whom this one follows and whose presence they may see, by id."""
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        return {}
    followed = following.followed_by(user_id)
    allowed = privacy.may_all("online", followed, user)
    return {other.pk: other.username for other in followed if other.pk in allowed}


class Watching:
    def __init__(self) -> None:
        self._pages: dict[Page, Watch] = {}
        self._task: asyncio.Task[None] | None = None

    async def enter(self, page: Page, user_id: int) -> None:
        """Tell this page at once, and from now on of every change."""
        watch = Watch(user_id, await read(visible, user_id))
        found = await _all_whereabouts(watch.names)
        watch.told = {pk: found[pk] for pk in watch.names}
        page.say(_message(watch.names, watch.told, whole=True))
        self._pages[page] = watch
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._look())

    def leave(self, page: Page) -> None:
        self._pages.pop(page, None)
        if not self._pages and self._task is not None:
            self._task.cancel()
            self._task = None

    @property
    def is_looking(self) -> bool:
        return self._task is not None

    async def close(self) -> None:
        task, self._task = self._task, None
        self._pages.clear()
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            try:
                await self.tell_changes()
            except (RedisError, OSError):
                logger.debug("who is here can't be asked now")
            except Exception:
                logger.exception("pages could not be told who is here")

    async def tell_changes(self) -> None:
        """One look for all pages."""
        for watch in list(self._pages.values()):
            watch.rounds += 1
            if watch.rounds % READ_AGAIN == 0:
                watch.names = await read(visible, watch.user_id)
        wanted = {pk for watch in self._pages.values() for pk in watch.names}
        found = await _all_whereabouts(wanted)
        for page, watch in list(self._pages.items()):
            now = {pk: found[pk] for pk in watch.names if pk in found}
            if watch.told.keys() != now.keys():
                page.say(_message(watch.names, now, whole=True))
            elif changed := {pk: one for pk, one in now.items() if watch.told[pk] != one}:
                page.say(_message(watch.names, changed, whole=False))
            watch.told = now


async def _all_whereabouts(user_ids: Iterable[int]) -> dict[int, Whereabouts]:
    listed = list(user_ids)
    found: dict[int, Whereabouts] = {}
    for first in range(0, len(listed), AT_ONCE):
        found |= await whereabouts(listed[first : first + AT_ONCE], await now_ms())
    return found


def _message(names: dict[int, str], some: dict[int, Whereabouts], whole: bool) -> dict[str, Any]:
    players = [{"name": names[pk], **where.as_json()} for pk, where in some.items()]
    return {"type": "people", "all": whole, "players": players}


_watching: WeakKeyDictionary[asyncio.AbstractEventLoop, Watching] = WeakKeyDictionary()


def watching() -> Watching:
    """That of the running event loop; made at the first call, ended by `close()`."""
    loop = asyncio.get_running_loop()
    found = _watching.get(loop)
    if found is None:
        found = _watching[loop] = Watching()
    return found


async def close() -> None:
    found = _watching.pop(asyncio.get_running_loop(), None)
    if found is not None:
        await found.close()
