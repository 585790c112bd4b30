"""Players of real matches on a running site, and which of its processes serves them."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import psutil
from websockets.asyncio.client import ClientConnection as AsyncConnection
from websockets.asyncio.client import connect as connect_async
from websockets.sync.client import ClientConnection, connect

from tests.running_site import RunningSite, wait_for

T = TypeVar("T")

MAKE = """
import json
from asgiref.sync import async_to_sync
from django.conf import settings
from django.test import Client
from accounts.models import User
from games.live import host
from games.live.setup import SeatInfo
from games.live.start import create_match

seats, sessions = [], []
for name in ("Ann", "Bob"):
    user, _ = User.objects.get_or_create(username=name)
    client = Client()
    client.force_login(user, settings.AUTHENTICATION_BACKENDS[0])
    sessions.append(client.session.session_key)
    seats.append(SeatInfo(user.pk, user.username, user.kind))

async def make():
    made = [
        await create_match("claim", seats, {}, rated=False, source="challenge")
        for _ in range(COUNT)
    ]
    await host.close()
    return made

print(json.dumps([async_to_sync(make)(), sessions]))
"""


class SecureConnection:
    """The part of websockets' ClientConnection that players use, over TLS. That one reads in one
    thread and writes in another, which Python's ssl can't do with one socket: now and then the
    handshake's request never leaves, and nginx gives the connection up after
    `client_header_timeout`."""

    def __init__(self, address: str, context: ssl.SSLContext, **options: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        try:
            self._connection = self._run(self._connect(address, ssl=context, **options))
        except BaseException:
            self._end_thread()
            raise

    @staticmethod
    async def _connect(address: str, **options: Any) -> AsyncConnection:
        return await connect_async(address, **options)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def send(self, message: str) -> None:
        self._run(self._connection.send(message))

    def recv(self, timeout: float | None = None) -> str | bytes:
        return self._run(asyncio.wait_for(self._connection.recv(), timeout))

    def __iter__(self) -> Iterator[str | bytes]:
        while True:
            yield self.recv()

    def __enter__(self) -> SecureConnection:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._run(self._connection.close())
        self._end_thread()

    def _end_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


Player = ClientConnection | SecureConnection


@dataclass(frozen=True)
class Matches:
    """Matches between the same two players."""

    ids: list[str]
    sessions: list[str]

    @contextmanager
    def join(
        self, url: str, match_id: str, seat: int, trusting: ssl.SSLContext | None = None
    ) -> Iterator[Player]:
        """A player who is in the match: the server has sent the view."""
        session = self.sessions[seat]
        cookie = {"Cookie": f"sessionid={session}; __Host-sessionid={session}"}  # http; https
        address = f"{url.replace('http', 'ws')}/ws/match/{match_id}/"
        # A machine with much to do is slow.
        options: dict[str, Any] = {
            "additional_headers": cookie,
            "proxy": None,
            "open_timeout": 60,
        }
        with (
            connect(address, **options)
            if trusting is None
            else SecureConnection(address, trusting, **options)
        ) as player:
            player.send('{"type":"hello","version":1,"last":null}')
            while not any(message["type"] == "view" for message in json.loads(player.recv(60))):
                pass
            yield player


def make_matches(site: RunningSite, count: int) -> Matches:
    return Matches(*json.loads(site.python(MAKE.replace("COUNT", str(count)))))


def web_processes(site: RunningSite) -> dict[int, psutil.Process]:
    """The living web processes by their number."""
    assert site.process is not None
    found = {}
    for process in psutil.Process(site.process.pid).children():
        with suppress(psutil.Error):  # it died just now
            words = process.cmdline()
            if "--number" in words:
                found[int(words[words.index("--number") + 1])] = process
    return found


def serving_process(site: RunningSite, player: ClientConnection) -> int:
    """The number of the web process that holds the other end of this connection."""
    port = player.socket.getsockname()[1]

    def holders() -> list[int]:
        return [
            number
            for number, process in web_processes(site).items()
            if any(c.raddr and c.raddr.port == port for c in process.net_connections("tcp"))
        ]

    # While a connection is handed over, two hold it.
    return wait_for(lambda: len(held := holders()) == 1 and held, what="one holder")[0]
