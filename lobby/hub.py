"""Delivers notices within this process.

A process has one channel in the channel layer, however many sockets and connections listen here:
a notice crosses Redis once per process, is encoded once, and is then handed to each listener.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Final
from weakref import WeakKeyDictionary

import msgspec
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

GROUP: Final = "lobby"
"""The group of the channel layer that every process joins."""
AT_ONCE: Final = 64
"""Listeners served before other work of the event loop gets its turn."""
SPREAD_SECONDS: Final = 1.0
"""Seconds until all listeners have heard a notice that is in no hurry."""
COUNTS: Final = "lobby.counts"
WATCHERS: Final = "lobby.watch"
LEISURELY: Final = frozenset({COUNTS, WATCHERS})
"""Addresses whose notices replace each other, and may be a second late."""
PROBE_EVERY: Final = 0.1
RETRY_SECONDS: Final = 1.0

Message = dict[str, Any]
logger = logging.getLogger(__name__)


class Notice:
    """A message to some addresses, encoded at most once."""

    def __init__(self, message: Message) -> None:
        self.message = message

    @cached_property
    def data(self) -> bytes:
        return msgspec.json.encode(self.message)


Listener = Callable[[Notice], None]


class Hub:
    """Listeners by address. Addresses are the names that `lobby.notices` makes."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[Listener]] = {}
        self._spreading: dict[str, Notice | None] = {}
        """By address: the newest notice that waits for the one before it."""
        self._layer = get_channel_layer()
        self._probe = secrets.token_hex(8)
        self._opened = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._tasks = [
            loop.create_task(self._receive()),
            loop.create_task(self._probe_until_open()),
        ]

    async def opened(self) -> None:
        """Return once this process hears every notice."""
        await self._opened.wait()

    def add(self, address: str, listener: Listener) -> None:
        self.listeners.setdefault(address, set()).add(listener)

    def remove(self, address: str, listener: Listener) -> None:
        listeners = self.listeners.get(address)
        if listeners is not None:
            listeners.discard(listener)
            if not listeners:
                del self.listeners[address]

    async def close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _receive(self) -> None:
        channel = None
        is_down = False
        while True:
            try:
                if channel is None:
                    channel = await self._join()
                event = await self._layer.receive(channel)
                if is_down:
                    logger.info("notices arrive again")
                    is_down = False
            except Exception:
                if not is_down:
                    logger.exception("no notices: the channel layer doesn't answer")
                    is_down = True
                await asyncio.sleep(RETRY_SECONDS)
                continue
            try:
                await self._deliver(event)
            except Exception:
                logger.exception("cannot deliver %r", event)

    async def _join(self) -> str:
        channel: str = await self._layer.new_channel()
        await self._layer.group_add(GROUP, channel)
        return channel

    async def _probe_until_open(self) -> None:
        """The layer doesn't say when a subscription holds; a notice to ourselves shows it."""
        while not self._opened.is_set():
            with contextlib.suppress(RedisError, OSError):
                await self._layer.group_send(GROUP, {"type": "lobby.probe", "probe": self._probe})
            await asyncio.sleep(PROBE_EVERY)

    async def _deliver(self, event: Message) -> None:
        if event["type"] == "lobby.probe":
            if event["probe"] == self._probe:
                self._opened.set()
            return
        for addresses, message in event["notices"]:
            notice = Notice(message)
            for address in addresses:
                if address in LEISURELY:
                    self._begin_to_spread(address, notice)
                else:
                    await self._serve(address, notice, seconds=0.0)

    async def _serve(self, address: str, notice: Notice, seconds: float) -> None:
        """Hand it to all listeners; if there are many, within about so many seconds."""
        listeners = tuple(self.listeners.get(address, ()))
        pause = seconds * AT_ONCE / len(listeners) if len(listeners) > AT_ONCE else 0.0
        for number, listener in enumerate(listeners, 1):
            try:
                listener(notice)
            except Exception:
                logger.exception("a listener to %s failed", address)
            if number % AT_ONCE == 0:
                await asyncio.sleep(pause)

    def _begin_to_spread(self, address: str, notice: Notice) -> None:
        if address in self._spreading:
            self._spreading[address] = notice  # in place of one that is outdated now
            return
        self._spreading[address] = None
        task = asyncio.get_running_loop().create_task(self._spread(address, notice))
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    async def _spread(self, address: str, notice: Notice | None) -> None:
        while notice is not None:
            await self._serve(address, notice, SPREAD_SECONDS)
            notice, self._spreading[address] = self._spreading[address], None
        del self._spreading[address]


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop; made at the first call, ended by `close()`."""
    loop = asyncio.get_running_loop()
    found = _hubs.get(loop)
    if found is None:
        found = _hubs[loop] = Hub()
    return found


async def publish(notices: Iterable[tuple[Sequence[str], Message]]) -> None:
    """Send each message to everybody who listens to one of its addresses, in any process."""
    event = {"type": "lobby.notices", "notices": list(notices)}
    await get_channel_layer().group_send(GROUP, event)


async def close() -> None:
    """End the running loop's hub, if there is one."""
    found = _hubs.pop(asyncio.get_running_loop(), None)
    if found is not None:
        await found.close()
