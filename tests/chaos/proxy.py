"""Stands between the site and Redis, and cuts connections in the middle of a message."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from pathlib import Path

CHUNK = 64 * 1024


class Proxy:
    """Forwards connections to its own unix socket to that of Redis, in a thread of its own."""

    def __init__(self, listens: Path, redis: Path, chance: random.Random) -> None:
        self.cuts = 0
        """Connections that were cut with a part of a message under way."""
        self._listens, self._redis, self._chance = listens, redis, chance
        self._armed: set[asyncio.Task[None]] = set()
        self._forwarding: set[asyncio.Task[None]] = set()
        self._connections: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread.start()
        assert self._started.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set_result, None)
        self._thread.join(10)

    def cut_in_the_middle(self) -> None:
        """Every connection that there is now breaks at its next message, in one direction or the
        other, with a random part of the message delivered."""
        self._loop.call_soon_threadsafe(lambda: self._armed.update(self._forwarding))

    # -- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._ended: asyncio.Future[None] = self._loop.create_future()
        server = await asyncio.start_unix_server(self._connected, str(self._listens))
        self._started.set()
        await self._ended
        server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        writers = [back]
        try:
            server, forth = await asyncio.open_unix_connection(str(self._redis))
            writers.append(forth)
            ways = [
                self._loop.create_task(self._forward(client, forth)),
                self._loop.create_task(self._forward(server, back)),
            ]
            self._forwarding.update(ways)
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                    self._forwarding.discard(way)
                    self._armed.discard(way)
        except OSError:
            pass  # Redis is away
        finally:
            self._connections.discard(task)
            for writer in writers:
                writer.transport.abort()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        me = asyncio.current_task()
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                if me in self._armed:
                    writer.write(data[: self._chance.randrange(len(data))])
                    await writer.drain()
                    self.cuts += 1
                    return
                writer.write(data)
                await writer.drain()
