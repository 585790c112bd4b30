"""A player's strength per mode as pairing compares it: 1000 for a newcomer, 100 is an edge."""

from __future__ import annotations

import asyncio
from contextvars import Context
from weakref import WeakKeyDictionary

from accounts.ratings import strengths_of
from accounts.reading import read

Strengths = dict[str, float]


async def of_user(user_id: int | None) -> Strengths:
    if user_id is None:
        return {}
    loop = asyncio.get_running_loop()
    reader = _readers.get(loop)
    if reader is None:
        reader = _readers[loop] = _Reader()
    return await reader.strengths(user_id)


class _Reader:
    """Reads for everybody who asks while the query before is under way in one query: thousands of
    players may queue in the same moment."""

    def __init__(self) -> None:
        self._asked: list[tuple[int, asyncio.Future[Strengths]]] = []
        self._task: asyncio.Task[None] | None = None

    async def strengths(self, user_id: int) -> Strengths:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Strengths] = loop.create_future()
        self._asked.append((user_id, answer))
        if self._task is None:
            # In a context of its own: it reads for others when the first one's request is over.
            self._task = loop.create_task(self._read(), context=Context())
        return await answer

    async def _read(self) -> None:
        try:
            while self._asked:
                asked, self._asked = self._asked, []
                try:
                    found = await read(strengths_of, {user_id for user_id, _ in asked})
                except Exception as error:
                    for _, answer in asked:
                        if not answer.done():
                            answer.set_exception(error)
                else:
                    for user_id, answer in asked:
                        if not answer.done():
                            answer.set_result(found.get(user_id, {}))
        finally:
            self._task = None


_readers: WeakKeyDictionary[asyncio.AbstractEventLoop, _Reader] = WeakKeyDictionary()
