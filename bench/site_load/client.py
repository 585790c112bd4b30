"""One person's connection to the site: pages, cookies, sockets."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from bench.site_load.figures import Figures

FAILURES = (OSError, TimeoutError, WebSocketException, httpx.HTTPError)
"""The errors that a person may meet on a site that is too busy."""


class Client:
    def __init__(self, url: str, http: httpx.AsyncClient, figures: Figures) -> None:
        self.url = url
        self.figures = figures
        self.cookies: dict[str, str] = {}
        self._http = http

    async def page(self, path: str) -> None:
        begin = time.monotonic()
        headers = {"Cookie": self._cookie(), "Accept": "text/html"}
        answer = await self._http.get(self.url + path, headers=headers)
        now = time.monotonic()
        self.figures.took("page", now, 1000 * (now - begin))
        if answer.status_code >= 400:
            self.figures.errors[f"{answer.status_code} {path}"] += 1

    async def become_guest(self) -> bool:
        """Sign in as a new guest; False: the site takes no more guests from this address now."""
        path = f"{self.url}/accounts/guest/"
        form = await self._http.get(path)
        self.cookies.update(form.cookies)
        prefix = "__Host-" if self.url.startswith("https:") else ""
        headers = {
            "Cookie": self._cookie(),
            "Accept": "application/json",
            "Origin": self.url,
            "X-CSRFToken": self.cookies.get(f"{prefix}csrftoken", ""),
        }
        answer = await self._http.post(path, headers=headers)
        self.cookies.update(answer.cookies)
        return answer.status_code == 200

    @asynccontextmanager
    async def socket(self, path: str) -> AsyncIterator[Channel]:
        address = f"ws{self.url.removeprefix('http')}{path}"
        headers = {"Cookie": self._cookie()}
        async with connect(
            address,
            additional_headers=headers,
            origin=Origin(self.url),
            open_timeout=30,
            close_timeout=1,
            compression=None,
            ping_interval=None,
            max_size=2**22,
        ) as connection:
            yield Channel(connection)

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())


class Channel:
    """JSON messages over a socket; a frame may hold several."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._ready: list[dict[str, Any]] = []

    async def say(self, **message: Any) -> None:
        await self._connection.send(json.dumps(message))

    async def next(self, seconds: float | None = None) -> dict[str, Any]:
        """The next message; raises TimeoutError."""
        while not self._ready:
            async with asyncio.timeout(seconds):
                frame = json.loads(await self._connection.recv())
            self._ready = frame if isinstance(frame, list) else [frame]
        return self._ready.pop(0)

    async def hear(self, *kinds: str, seconds: float = 60) -> dict[str, Any]:
        """The next message of one of these types; others are dropped."""
        async with asyncio.timeout(seconds):
            while True:
                message = await self.next()
                if message["type"] in kinds:
                    return message
